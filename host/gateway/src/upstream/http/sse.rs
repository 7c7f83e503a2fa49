//! Server-sent events, as far as MCP uses them: the data of each, and its id.

/// An event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Its data; line ends within are `\n`.
    pub(super) data: String,
    /// The id that the stream has reached.
    pub(super) id: Option<String>,
}

/// Takes bytes as they come and gives events as they are whole.
#[derive(Debug)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Option<String>,
    id: Option<String>,
    /// The last byte was a carriage return: a newline right after it belongs to it.
    returned: bool,
    limit: usize,
}

/// An event is longer than allowed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

impl Events {
    /// Events of at most so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            line: Vec::new(),
            data: None,
            id: None,
            returned: false,
            limit,
        }
    }

    /// Takes bytes.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut whole = Vec::new();
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            if !part.is_empty() {
                self.returned = false;
            }
            let held = self.data.as_ref().map_or(0, String::len);
            if held + self.line.len() + part.len() > self.limit {
                return Err(TooLong);
            }
            self.line.extend_from_slice(part);
            let Some((terminator, rest)) = rest.split_first() else {
                break;
            };
            bytes = rest;
            if *terminator == b'\n' && self.returned {
                self.returned = false;
                continue;
            }
            self.returned = *terminator == b'\r';
            let line = std::mem::take(&mut self.line);
            whole.extend(self.take(&String::from_utf8_lossy(&line)));
        }
        Ok(whole)
    }

    fn take(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let id = self.id.clone();
            return self.data.take().map(|data| Event { data, id });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field.trim_start_matches('\u{feff}') {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, at_once: usize) -> Vec<(String, Option<String>)> {
        let mut events = Events::new(1000);
        let parts = text.as_bytes().chunks(at_once);
        let events = parts.flat_map(|part| events.feed(part).unwrap());
        events.map(|event| (event.data, event.id)).collect()
    }

    #[test]
    fn pieces_of_any_size_give_the_same_events() {
        let text = ": hello\r\nid: 7\r\ndata: {\"a\":\r\ndata:1}\r\n\r\nevent: message\ndata: é\n\n\ndata: x\r\rdata: not whole";
        let wanted = vec![
            ("{\"a\":\n1}".to_owned(), Some("7".to_owned())),
            ("é".to_owned(), Some("7".to_owned())),
            ("x".to_owned(), Some("7".to_owned())),
        ];
        for at_once in 1..text.len() {
            assert_eq!(all(text, at_once), wanted, "{at_once} at once");
        }
    }

    #[test]
    fn an_event_is_bounded() {
        let mut events = Events::new(10);
        assert_eq!(events.feed(b"data: 0123456789"), Err(TooLong));
    }
}
