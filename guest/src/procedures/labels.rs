//! Which `<document>!` can stand before a value, and which names could be taken for such a value.
//!
//! Documents may be named so that one value reads in two ways: with documents `a` and `a!b`, `a!b!c` is the name
//! `b!c` of the one or `c` of the other. Such values aren't offered (C6 is about what a value identifies). Hence no
//! two of the labels that remain begin alike, and the values of one document lie together in byte order.

use std::collections::BTreeMap;

use crate::completion::presentable::presentable;

/// The documents of a snapshot, seen as `<document>!`.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Labels that begin with no other label, ascending.
    outer: Vec<String>,
    /// Of outer labels with others inside: what follows in those, as `rest!`; none begins with another, ascending.
    inner: BTreeMap<String, Vec<String>>,
}

impl Labels {
    /// The labels of documents of these names.
    pub(super) fn new<'a>(documents: impl Iterator<Item = &'a str>) -> Self {
        let mut all: Vec<String> = documents.map(|name| format!("{name}!")).collect();
        all.sort_unstable();
        let mut labels = Self::default();
        for label in all {
            // In byte order whatever begins with a label follows it without a gap.
            match labels
                .outer
                .last()
                .and_then(|outer| Some((outer, label.strip_prefix(outer.as_str())?)))
            {
                None => labels.outer.push(label),
                Some((outer, rest)) => {
                    let inside = labels.inner.entry(outer.clone()).or_default();
                    if !inside
                        .last()
                        .is_some_and(|last| rest.starts_with(last.as_str()))
                    {
                        inside.push(rest.to_owned());
                    }
                }
            }
        }
        labels
    }

    /// Whether values of a document are offered as `<document>!<value>` at all.
    pub(super) fn qualifies(&self, document: &str) -> bool {
        presentable(document) && self.outer.binary_search(&format!("{document}!")).is_ok()
    }

    /// Whether a name of a document could be read as a value of another document, or of the document itself.
    pub(super) fn reads_as_qualified(&self, document: &str, name: &str) -> bool {
        begins_with_one(&self.outer, name)
            || (!self.inner.is_empty()
                && self
                    .inner
                    .get(&format!("{document}!"))
                    .is_some_and(|inside| begins_with_one(inside, name)))
    }
}

/// Whether a text begins with one of some strings that are ascending and none of which begins with another.
fn begins_with_one(heads: &[String], text: &str) -> bool {
    // If one does, nothing that is between the two in byte order can be among them.
    let behind = heads.partition_point(|head| head.as_str() <= text);
    behind
        .checked_sub(1)
        .and_then(|at| heads.get(at))
        .is_some_and(|head| text.starts_with(head.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_label_inside_another_does_not_qualify() {
        let labels = Labels::new(["a", "a!b", "a!b!c", "ab", "b\n"].into_iter());
        assert!(labels.qualifies("a") && labels.qualifies("ab"));
        assert!(!labels.qualifies("a!b") && !labels.qualifies("a!b!c") && !labels.qualifies("b\n"));
        assert!(labels.reads_as_qualified("a", "b!x"));
        assert!(labels.reads_as_qualified("ab", "a!x"));
        assert!(!labels.reads_as_qualified("ab", "b!x"));
        assert!(
            !labels.reads_as_qualified("a", "operator!=") && !labels.reads_as_qualified("a", "b")
        );
    }

    proptest! {
        #[test]
        fn what_remains_reads_in_one_way(
            documents in prop::collection::btree_set("[ab!]{1,5}", 1..6),
            name in "[ab!]{0,6}",
        ) {
            let labels = Labels::new(documents.iter().map(String::as_str));
            for document in documents.iter().filter(|document| labels.qualifies(document)) {
                let value = format!("{document}!{name}");
                let readings = documents.iter().filter(|other| value.starts_with(&format!("{other}!"))).count();
                let plain = documents.iter().any(|other| name.starts_with(&format!("{other}!")));
                prop_assert_eq!(labels.reads_as_qualified(document, &name), readings > 1 || plain);
            }
        }
    }
}
