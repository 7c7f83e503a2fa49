//! The finished index: finding procedures over all documents of the snapshot.

use super::document::Document;
use crate::completion::{MOST_VALUES, Matches};

/// The index over one snapshot. It answers from memory and asks nobody.
#[derive(Debug, Default)]
pub struct Index {
    /// In the host's order.
    documents: Vec<Document>,
    /// Documents whose values are offered as `<document>!<value>`, in byte order of `<document>!`. None of these
    /// begins with another, so the values of one document lie together in byte order.
    qualified: Vec<usize>,
}

impl Index {
    pub(super) fn new(documents: Vec<Document>) -> Self {
        let mut qualified: Vec<(String, usize)> = documents
            .iter()
            .enumerate()
            .filter(|(_, document)| document.folded_label.is_some())
            .map(|(at, document)| (format!("{}!", document.name), at))
            .collect();
        qualified.sort_unstable();
        let qualified = qualified.into_iter().map(|(_, at)| at).collect();
        Self {
            documents,
            qualified,
        }
    }

    /// Values that begin with a folded prefix.
    ///
    /// Of a chosen document, or of the only one, they are plain; a chosen document that the snapshot doesn't have has
    /// none. Of several documents, none chosen, they are `<document>!<value>`, matched as a whole.
    #[must_use]
    pub fn find(&self, chosen: Option<&str>, prefix: &str) -> Matches {
        let document = match (chosen, self.documents.as_slice()) {
            (Some(name), documents) => documents.iter().find(|document| document.name == name),
            (None, [only]) => Some(only),
            (None, _) => return self.find_qualified(prefix),
        };
        let (total, values) = document
            .map(|document| document.find(prefix, MOST_VALUES))
            .unwrap_or_default();
        Matches {
            values: values.into_iter().map(str::to_owned).collect(),
            total,
        }
    }

    fn find_qualified(&self, prefix: &str) -> Matches {
        let mut matches = Matches::default();
        for document in self
            .qualified
            .iter()
            .filter_map(|&at| self.documents.get(at))
        {
            let Some(label) = document.folded_label.as_deref() else {
                continue;
            };
            let rest = match prefix.strip_prefix(label) {
                Some(rest) => rest,
                None if label.starts_with(prefix) => "",
                None => continue,
            };
            let room = MOST_VALUES - matches.values.len();
            if rest.is_empty() && room == 0 {
                matches.total += document.total();
                continue;
            }
            let (total, values) = document.find(rest, room);
            matches.total += total;
            matches.values.extend(
                values
                    .into_iter()
                    .map(|value| format!("{}!{value}", document.name)),
            );
        }
        matches
    }
}
