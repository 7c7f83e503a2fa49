//! The steps of a task, how long each took, and how they ended.

use std::time::{Duration, Instant};

use crate::failure::Failure;

/// What the checks of the clients came to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Checks that held.
    pub(crate) passed: u64,
    /// Checks that did not hold.
    pub(crate) failed: u64,
    /// Checks and whole clients that were not run.
    pub(crate) skipped: u64,
}

impl Totals {
    /// Reads a closing line such as `12 passed, 0 failed, 1 skipped`; the last part may be missing.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut parts = line.trim().split(", ");
        let mut number = |word: &str| parts.next()?.strip_suffix(word)?.trim_end().parse().ok();
        let passed = number("passed")?;
        let failed = number("failed")?;
        let skipped = number("skipped").unwrap_or(0);
        Some(Self {
            passed,
            failed,
            skipped,
        })
    }

    /// Reads the closing lines of Node's test runner, as `# pass 12`.
    pub(crate) fn of_tap(text: &str) -> Self {
        let number = |word: &str| {
            let start = format!("# {word} ");
            let line = text
                .lines()
                .rev()
                .find_map(|line| line.strip_prefix(&start));
            line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
        };
        Self {
            passed: number("pass"),
            failed: number("fail") + number("cancelled"),
            skipped: number("skipped") + number("todo"),
        }
    }
}

/// Collects what happened and says it at the end.
#[derive(Debug)]
pub(crate) struct Report {
    rows: Vec<(String, Duration, String)>,
    started: Instant,
    not_run: Vec<(String, String)>,
    totals: Option<Totals>,
    failures: Vec<String>,
    closing: Option<String>,
}

/// Lets a step say more than that it is done.
#[derive(Debug, Default)]
pub(crate) struct Note {
    text: Option<String>,
}

impl Note {
    /// Says how the step ended, in a few words for the table.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.text = Some(text.into());
    }
}

impl Report {
    /// Starts the clock.
    pub(crate) fn new() -> Self {
        Self {
            rows: Vec::new(),
            started: Instant::now(),
            not_run: Vec::new(),
            totals: None,
            failures: Vec::new(),
            closing: None,
        }
    }

    /// Does a step, under a headline, and notes how long it took and how it ended.
    pub(crate) fn step<T>(
        &mut self,
        name: &str,
        work: impl FnOnce(&mut Note) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        println!("\n== {name}");
        let start = Instant::now();
        let mut note = Note::default();
        let result = work(&mut note);
        let end = match &result {
            Ok(_) => note.text.unwrap_or_else(|| "done".to_owned()),
            Err(failure) => {
                self.failures.push(failure.to_string());
                format!("FAILED, exit code {}", failure.code)
            }
        };
        self.rows.push((name.to_owned(), start.elapsed(), end));
        result
    }

    /// Notes something that was left out, and why.
    pub(crate) fn not_run(&mut self, what: &str, why: &str) {
        self.not_run.push((what.to_owned(), why.to_owned()));
        self.add(Totals {
            skipped: 1,
            ..Totals::default()
        });
    }

    /// How much was left out so far, single checks of clients included.
    pub(crate) fn left_out(&self) -> u64 {
        self.totals.unwrap_or_default().skipped
    }

    /// Adds what a client counted. From the first time on, the sum is the closing line.
    pub(crate) fn add(&mut self, more: Totals) {
        let totals = self.totals.get_or_insert_default();
        totals.passed += more.passed;
        totals.failed += more.failed;
        totals.skipped += more.skipped;
    }

    /// Something to say after the table if all went well.
    pub(crate) fn closing(&mut self, text: String) {
        self.closing = Some(text);
    }

    /// Prints the table, what was left out, what failed, and the closing line; gives the exit code.
    pub(crate) fn finish(self, outcome: Result<(), Failure>) -> u8 {
        println!("\n{}", table(&self.rows, self.started.elapsed()));
        for (what, why) in &self.not_run {
            println!("not run: {what} ({why})");
        }
        let code = outcome.as_ref().err().map_or(0, |failure| failure.code);
        // Every step that failed, not just the one that decides on the exit code.
        for failure in &self.failures {
            eprintln!("\n{failure}");
        }
        match (outcome, self.closing) {
            (Err(failure), _) if !self.failures.contains(&failure.to_string()) => {
                eprintln!("\n{failure}");
            }
            (Ok(()), Some(closing)) => println!("\n{closing}"),
            _ => {}
        }
        if let Some(Totals {
            passed,
            failed,
            skipped,
        }) = self.totals
        {
            println!("{passed} passed, {failed} failed, {skipped} skipped");
        }
        code
    }
}

/// One row a step, the whole below.
fn table(rows: &[(String, Duration, String)], whole: Duration) -> String {
    let width = rows
        .iter()
        .map(|(name, ..)| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(5);
    let mut text = format!("{:width$}  {:>9}  how it ended\n", "step", "seconds");
    for (name, time, end) in rows {
        text += &format!("{name:width$}  {:>9.1}  {end}\n", time.as_secs_f64());
    }
    text + &format!("{:width$}  {:>9.1}", "whole", whole.as_secs_f64())
}

#[cfg(test)]
mod unit {
    use super::{Duration, Totals, table};

    #[test]
    fn closing_lines_are_read() {
        assert_eq!(
            Totals::parse("12 passed, 1 failed"),
            Some(Totals {
                passed: 12,
                failed: 1,
                skipped: 0
            })
        );
        assert_eq!(
            Totals::parse(" 3 passed, 0 failed, 2 skipped\n"),
            Some(Totals {
                passed: 3,
                failed: 0,
                skipped: 2
            })
        );
        assert_eq!(Totals::parse("ok - 3 passed"), None);
        assert_eq!(Totals::parse(""), None);
        assert_eq!(
            Totals::of_tap("ok 1 - a\n# tests 3\n# pass 2\n# fail 1\n# skipped 0\n"),
            Totals {
                passed: 2,
                failed: 1,
                skipped: 0
            }
        );
    }

    #[test]
    fn the_table_is_aligned() {
        let rows = [(
            "build".to_owned(),
            Duration::from_millis(1250),
            "done".to_owned(),
        )];
        let text = table(&rows, Duration::from_secs(2));
        assert_eq!(
            text,
            "step     seconds  how it ended\nbuild        1.2  done\nwhole        2.0"
        );
    }
}
