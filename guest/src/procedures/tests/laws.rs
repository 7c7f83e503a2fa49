//! Laws on random snapshots: the index says what a brute-force reading of the rules says, however it was paged.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{Rows, built};
use crate::completion::Matches;
use crate::completion::presentable::presentable;
use crate::fold::fold;

fn reads_as_address(name: &str) -> bool {
    let number: String = name.chars().take_while(|c| *c != '@').collect();
    let hex = number
        .get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    hex || (!number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// The documents as which a value reads if taken as `<document>!<value>`.
fn readings<'a>(snapshot: &'a [Rows], value: &str) -> Vec<&'a str> {
    snapshot
        .iter()
        .map(|rows| rows.document.as_str())
        .filter(|document| {
            value
                .strip_prefix(document)
                .is_some_and(|rest| rest.starts_with('!'))
        })
        .collect()
}

fn values(snapshot: &[Rows], rows: &Rows) -> BTreeSet<String> {
    let mut places = BTreeMap::<&str, BTreeSet<u32>>::new();
    for (name, place) in rows.names.iter().filter(|_| rows.complete) {
        places.entry(name).or_default().insert(*place);
    }
    let names = places
        .into_iter()
        .filter(|(name, places)| {
            let qualified = format!("{}!{name}", rows.document);
            places.len() == 1
                && !reads_as_address(name)
                && readings(snapshot, name).is_empty()
                // Of a document whose own values can't be qualified this isn't asked.
                && (readings(snapshot, &format!("{}!", rows.document)).len() > 1
                    || readings(snapshot, &qualified).len() == 1)
        })
        .map(|(name, _)| name);
    rows.places
        .iter()
        .map(String::as_str)
        .chain(names)
        .filter(|value| !value.is_empty() && value.len() <= 4096 && presentable(value))
        .map(str::to_owned)
        .collect()
}

fn oracle(snapshot: &[Rows], chosen: Option<&str>, typed: &str) -> Matches {
    let all: BTreeSet<String> = match (chosen, snapshot) {
        (Some(chosen), _) => snapshot
            .iter()
            .filter(|rows| rows.document == chosen)
            .flat_map(|rows| values(snapshot, rows))
            .collect(),
        (None, [only]) => values(snapshot, only),
        (None, _) => snapshot
            .iter()
            .filter(|rows| presentable(&rows.document))
            .flat_map(|rows| {
                values(snapshot, rows)
                    .into_iter()
                    .map(|value| format!("{}!{value}", rows.document))
            })
            .filter(|value| readings(snapshot, value).len() == 1)
            .collect(),
    };
    let key = fold(typed);
    let found: Vec<String> = all
        .into_iter()
        .filter(|value| fold(value).starts_with(key.as_ref()))
        .collect();
    Matches {
        total: found.len() as u64,
        values: found.into_iter().take(100).collect(),
    }
}

/// Texts that collide: few letters in both cases, and what folds to them or to more than one.
const TEXT: &str = "(0x1|[abAB_!]|ﬁ|FI|fi|[ſsSß]|SS|K|k|Σ|ς|σ|Å|A\u{30a}|a\u{30a}|Ａ|\u{e000}|\u{ffff}|😀|\u{202e}|\n|\u{0}){0,4}";

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => TEXT.boxed(),
        1 => "0[xX][0-9a-f]{1,2}(@[a-z]{0,2})?".boxed(),
        1 => "(aB|Ab|ab|AB){6,8}".boxed(),
        1 => (4090_usize..4100).prop_map(|length| "n".repeat(length)).boxed(),
    ]
}

fn document() -> impl Strategy<Value = Rows> {
    (
        "[aAb]{1,2}(![aﬁb]{1,2}){0,2}|Ａ|a\n",
        prop::collection::btree_set(
            prop_oneof!["0x[0-9a-f]{1,2}", "0x0@[a-c]{0,2}", "[ab]", "ſ"],
            0..12,
        ),
        prop::collection::vec((name(), any::<prop::sample::Index>()), 0..60),
        prop::bool::weighted(0.9),
    )
        .prop_map(|(document, places, names, complete)| {
            let names = if places.is_empty() {
                Vec::new()
            } else {
                names
                    .into_iter()
                    .map(|(name, place)| (name, place.index(places.len()) as u32))
                    .collect()
            };
            Rows {
                document,
                places: places.into_iter().collect(),
                names,
                complete,
            }
        })
}

fn snapshot() -> impl Strategy<Value = Vec<Rows>> {
    prop::collection::vec(document(), 0..5).prop_map(|mut snapshot| {
        let mut seen = BTreeSet::new();
        snapshot.retain(|rows| seen.insert(rows.document.clone()));
        snapshot
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_index_is_the_oracle_however_it_is_paged(
        snapshot in snapshot(),
        page in 1_usize..40,
        typed in prop::collection::vec(prop_oneof![TEXT.boxed(), "[aA]{1,2}!.?".boxed(), "0X?".boxed()], 1..12),
        chosen in any::<prop::sample::Index>(),
    ) {
        let index = built(&snapshot, page);
        let existing = snapshot.get(chosen.index(snapshot.len().max(1))).map(|rows| rows.document.as_str());
        for chosen in [None, existing, Some("nowhere")] {
            let everything = oracle(&snapshot, chosen, "");
            // Also what leads to values that are there, in another case.
            let beginnings = everything.values.iter().step_by(7).flat_map(|value| {
                let half: String = value.chars().take(value.chars().count().div_ceil(2)).collect();
                [half.to_uppercase(), value.clone(), value.to_lowercase()]
            });
            for typed in typed.iter().cloned().chain(beginnings).chain([String::new()]) {
                let found = index.find(chosen, &fold(&typed));
                prop_assert_eq!(found, oracle(&snapshot, chosen, &typed), "{:?} {:?}", chosen, typed);
            }
        }
    }

    /// Many rows outside ASCII: more than a block of keys, and more than are shown.
    #[test]
    fn many_values_outside_ascii(
        names in prop::collection::btree_set("[éÉeE]{4}[a\u{e000}😀]{2}", 150..900),
        typed in "[éÉeE]{0,3}",
    ) {
        let names = names.into_iter().map(|name| (name, 0)).collect();
        let snapshot = [Rows { document: "d".to_owned(), places: vec!["0x0".to_owned()], names, complete: true }];
        prop_assert_eq!(built(&snapshot, 1000).find(None, &fold(&typed)), oracle(&snapshot, None, &typed));
    }
}
