//! Starting points: text that only ever names tools that are served.
//!
//! In the texts a tool stands in braces, as `{open_binary}`. A sentence with an unserved tool isn't shown, so no
//! text has to be right about what a server offers.

use std::collections::BTreeSet;

use super::arguments::Given;
use crate::session::Session;

/// When a text is worth showing.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// Whatever was asked.
    Always,
    /// If the caller gave this argument.
    Given(&'static str),
    /// If the caller didn't give this argument.
    Absent(&'static str),
    /// If evidence of one of these operations is retained.
    Retained(&'static [&'static str]),
}

/// One clause of a starting point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// When it applies.
    when: When,
    /// Wordings, the fullest first: the first whose tools are all served is shown. A wording without a tool is
    /// an aside, shown only beside a clause that names one.
    forms: &'static [&'static str],
}

/// One starting point: a bullet of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// When it applies.
    pub(super) when: When,
    /// What it is about. Names no tool.
    pub(super) lead: &'static str,
    /// What can be done about it.
    pub(super) ways: &'static [Way],
    /// What can't be done where none of its tools is served, to stand in a list after "cannot". Names no tool;
    /// empty if that isn't worth a word.
    pub(super) lacks: &'static str,
}

/// A clause that always applies.
pub(super) const fn way(forms: &'static [&'static str]) -> Way {
    Way {
        when: When::Always,
        forms,
    }
}

/// A clause for when the caller gave an argument.
pub(super) const fn given(argument: &'static str, forms: &'static [&'static str]) -> Way {
    Way {
        when: When::Given(argument),
        forms,
    }
}

/// A clause for when the caller didn't give an argument.
pub(super) const fn absent(argument: &'static str, forms: &'static [&'static str]) -> Way {
    Way {
        when: When::Absent(argument),
        forms,
    }
}

/// What the choice of texts depends on.
pub(super) struct Scene<'a> {
    tools: BTreeSet<String>,
    retained: BTreeSet<String>,
    given: &'a Given<'a>,
}

/// A text with its tools filled in.
pub(super) struct Filled {
    /// The text, tools in back-ticks.
    pub(super) text: String,
    /// Whether it names a tool at all.
    pub(super) names_a_tool: bool,
}

impl<'a> Scene<'a> {
    /// As things are at this moment.
    pub(super) fn new(session: &dyn Session, given: &'a Given<'a>) -> Self {
        Self {
            tools: session.tools().into_iter().collect(),
            retained: session.retained_operations().into_iter().collect(),
            given,
        }
    }

    /// The text of the first form whose tools are all served.
    pub(super) fn first(&self, forms: &[&'static str]) -> Option<Filled> {
        forms.iter().find_map(|form| self.fill(form))
    }

    fn fill(&self, form: &'static str) -> Option<Filled> {
        let mut filled = Filled {
            text: String::with_capacity(form.len()),
            names_a_tool: false,
        };
        for piece in pieces(form) {
            match piece {
                Piece::Words(words) => filled.text.push_str(words),
                Piece::Tool(tool) if self.tools.contains(tool) => {
                    filled.text.push_str(&format!("`{tool}`"));
                    filled.names_a_tool = true;
                }
                Piece::Tool(_) => return None,
            }
        }
        Some(filled)
    }

    fn applies(&self, when: When) -> bool {
        match when {
            When::Always => true,
            When::Given(argument) => self.given.contains_key(argument),
            When::Absent(argument) => !self.given.contains_key(argument),
            When::Retained(operations) => operations
                .iter()
                .any(|operation| self.retained.contains(*operation)),
        }
    }
}

/// What a scene leaves of a point.
pub(super) enum Shown {
    /// A bullet.
    Bullet(String),
    /// Nothing, for want of tools: what the server can't do, maybe empty.
    Lacking(&'static str),
    /// Nothing, because it doesn't apply.
    Nothing,
}

impl Point {
    /// The point as the scene allows it.
    pub(super) fn show(&self, scene: &Scene<'_>) -> Shown {
        if !scene.applies(self.when) {
            return Shown::Nothing;
        }
        let shown: Vec<_> = self
            .ways
            .iter()
            .filter(|way| scene.applies(way.when))
            .filter_map(|way| scene.first(way.forms))
            .collect();
        if !shown.iter().any(|way| way.names_a_tool) {
            return Shown::Lacking(self.lacks);
        }
        let clauses: Vec<_> = shown.into_iter().map(|way| way.text).collect();
        Shown::Bullet(format!("- {}: {}.", self.lead, clauses.join("; ")))
    }

    /// Every tool that it can name.
    pub(super) fn tools(&self) -> impl Iterator<Item = &'static str> {
        self.ways
            .iter()
            .flat_map(|way| way.forms)
            .flat_map(|form| pieces(form))
            .filter_map(|piece| match piece {
                Piece::Tool(tool) => Some(tool),
                Piece::Words(_) => None,
            })
    }
}

/// A stretch of a form.
enum Piece {
    Words(&'static str),
    Tool(&'static str),
}

fn pieces(form: &'static str) -> impl Iterator<Item = Piece> {
    // What follows an opening brace is a tool up to the closing one, then words.
    form.split('{')
        .flat_map(|part| match part.split_once('}') {
            Some((tool, words)) => [Some(Piece::Tool(tool)), Some(Piece::Words(words))],
            None => [Some(Piece::Words(part)), None],
        })
        .flatten()
}
