//! Lines of bounded length from a byte stream.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its newline. The last one may have ended with the stream.
    Whole(Vec<u8>),
    /// More bytes than allowed, told once, as soon as it is known; the rest of the line is dropped.
    TooLong,
    /// The end of the stream, or an error of it.
    End,
}

/// Reads lines and never holds more than one, nor more than the limit of it.
pub struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The rest of a line that was too long is being dropped.
    dropping: bool,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most `limit` bytes, the newline not counted.
    pub fn new(read: R, limit: usize) -> Self {
        Self {
            read: BufReader::with_capacity(CHUNK, read),
            line: Vec::new(),
            dropping: false,
            limit,
        }
    }

    /// The next line. May be dropped while waiting: what was read stays here, and the next call goes on.
    pub async fn next(&mut self) -> Line {
        loop {
            let available = match self.read.fill_buf().await {
                Ok(available) => available,
                Err(error) => {
                    tracing::warn!(%error, "input could not be read");
                    return Line::End;
                }
            };
            if available.is_empty() {
                let rest = std::mem::take(&mut self.line);
                return if rest.is_empty() {
                    Line::End
                } else {
                    Line::Whole(rest)
                };
            }
            let (part, ended) = match available.iter().position(|byte| *byte == b'\n') {
                Some(at) => (available.get(..at).unwrap_or_default(), true),
                None => (available, false),
            };
            let consumed = part.len() + usize::from(ended);
            let fits = self.line.len().saturating_add(part.len()) <= self.limit;
            if fits && !self.dropping {
                self.line.extend_from_slice(part);
            }
            self.read.consume(consumed);
            match (self.dropping, fits, ended) {
                (true, _, _) => self.dropping = !ended,
                (false, false, _) => {
                    self.line = Vec::new();
                    self.dropping = !ended;
                    return Line::TooLong;
                }
                (false, true, true) => return Line::Whole(std::mem::take(&mut self.line)),
                (false, true, false) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt as _;

    async fn all(input: &[u8], pipe: usize, limit: usize) -> Vec<Line> {
        let (mut write, read) = tokio::io::duplex(pipe);
        let input = input.to_vec();
        let writer = tokio::spawn(async move {
            write.write_all(&input).await.unwrap();
        });
        let mut lines = Lines::new(read, limit);
        let mut found = Vec::new();
        loop {
            match lines.next().await {
                Line::End => break,
                line => found.push(line),
            }
        }
        writer.await.unwrap();
        found
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn pieces_of_any_size_give_the_same_lines() {
        let input = b"one\n\ntoolong\nab\r\nlast";
        let expected = vec![
            whole("one"),
            whole(""),
            Line::TooLong,
            whole("ab\r"),
            whole("last"),
        ];
        for pipe in 1..=input.len() {
            assert_eq!(all(input, pipe, 4).await, expected, "pipe of {pipe}");
        }
    }

    #[tokio::test]
    async fn the_limit_is_exact() {
        assert_eq!(all(b"1234\n", 64, 4).await, vec![whole("1234")]);
        assert_eq!(all(b"12345\n", 64, 4).await, vec![Line::TooLong]);
        assert_eq!(all(b"12345", 1, 4).await, vec![Line::TooLong]);
    }

    #[tokio::test]
    async fn a_dropped_wait_loses_nothing() {
        let (mut write, read) = tokio::io::duplex(64);
        let mut lines = Lines::new(read, 64);
        write.write_all(b"he").await.unwrap();
        let wait = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(wait, lines.next()).await.is_err());
        write.write_all(b"llo\n").await.unwrap();
        assert_eq!(lines.next().await, whole("hello"));
    }
}
