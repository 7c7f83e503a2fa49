//! Completion over a made-up session: the cases of the requirements (C1-C8), and sessions that break the contract.

use super::{Completions, Request, complete};
use crate::procedures::tests::{Host, Rows, advance_to_end};
use crate::procedures::{Builder, Index};
use crate::session::{Family, FaultCode, IdentifierPage, Session, Unavailable};

/// A session as plain data. Identifiers are those of the one family named.
struct Fake {
    documents: Result<Vec<String>, Unavailable>,
    providers: Vec<String>,
    family: Family,
    identifiers: Result<Vec<String>, Unavailable>,
    /// Answers this instead, whatever is asked.
    page: Option<IdentifierPage>,
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            documents: Err(Unavailable::NoTarget),
            providers: Vec::new(),
            family: Family::Evidence,
            identifiers: Ok(Vec::new()),
            page: None,
        }
    }
}

impl Session for Fake {
    fn documents(&self) -> Result<Vec<String>, Unavailable> {
        self.documents.clone()
    }

    fn providers(&self) -> Vec<String> {
        self.providers.clone()
    }

    fn identifiers(
        &self,
        family: Family,
        prefix: &str,
        limit: u32,
    ) -> Result<IdentifierPage, Unavailable> {
        assert_eq!(limit, 100);
        if let Some(page) = &self.page {
            return Ok(page.clone());
        }
        if family != self.family {
            return Ok(IdentifierPage::default());
        }
        let mut values = self.identifiers.clone()?;
        values.retain(|value| value.starts_with(prefix));
        values.sort();
        values.dedup();
        let total = values.len() as u64;
        values.truncate(100);
        Ok(IdentifierPage { values, total })
    }

    fn tools(&self) -> Vec<String> {
        panic!("completion asks for no tools");
    }

    fn retained_operations(&self) -> Vec<String> {
        panic!("completion asks for no operations");
    }
}

/// The first argument of any prompt that completes with a family.
fn argument(family: Family) -> (String, String) {
    crate::prompts::catalogue()
        .iter()
        .flat_map(|prompt| {
            prompt
                .arguments
                .iter()
                .map(move |argument| (prompt, argument))
        })
        .find(|(_, argument)| argument.completes == Some(family))
        .map(|(prompt, argument)| (prompt.name.to_owned(), argument.name.to_owned()))
        .unwrap()
}

fn ask(
    session: &Fake,
    index: Option<&Index>,
    family: Family,
    value: &str,
    document: &str,
) -> Completions {
    let (prompt, argument) = argument(family);
    let request = Request {
        prompt,
        argument,
        value: value.to_owned(),
        context: vec![("document".to_owned(), document.to_owned())],
    };
    complete(session, index, &request).unwrap()
}

fn values(session: &Fake, family: Family, value: &str) -> Vec<String> {
    let answer = ask(session, None, family, value, "");
    assert_eq!(answer.total, Some(answer.values.len() as u64));
    assert!(!answer.has_more);
    answer.values
}

fn strings(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

fn documents(names: &[&str]) -> Fake {
    Fake {
        documents: Ok(strings(names)),
        ..Fake::default()
    }
}

fn nothing() -> Completions {
    Completions {
        values: Vec::new(),
        total: Some(0),
        has_more: false,
    }
}

fn id(mark: &str, number: usize) -> String {
    format!("{mark}{number:064x}")
}

#[test]
fn documents_match_without_case_and_keep_their_spelling() {
    let session = documents(&["AppTests", "App"]);
    assert_eq!(
        values(&session, Family::Document, "app"),
        ["App", "AppTests"]
    );
    let session = documents(&["Ａpp", "App", "app", "Zulu"]);
    assert_eq!(
        values(&session, Family::Document, "ＡＰ"),
        ["App", "app", "Ａpp"]
    );
    let session = documents(&["😀", "\u{e000}", "Ａ"]);
    assert_eq!(
        values(&session, Family::Document, ""),
        ["\u{e000}", "Ａ", "😀"]
    );
}

#[test]
fn malformed_documents_complete_to_nothing() {
    for names in [&["valid", ""][..], &["App", "AppTests", "App"]] {
        assert_eq!(
            ask(&documents(names), None, Family::Document, "", ""),
            nothing()
        );
    }
    let many: Vec<String> = (0..10_001).map(|n| n.to_string()).collect();
    let session = Fake {
        documents: Ok(many),
        ..Fake::default()
    };
    assert_eq!(ask(&session, None, Family::Document, "", ""), nothing());
}

#[test]
fn documents_that_cannot_be_shown_are_not_offered() {
    let session = documents(&["a\nb", "a\u{202e}b", "ab"]);
    assert_eq!(values(&session, Family::Document, ""), ["ab"]);
}

#[test]
fn a_hundred_values_at_most_but_all_are_counted() {
    let names: Vec<String> = (0..150).map(|n| format!("d{n:03}")).collect();
    let session = Fake {
        documents: Ok(names.iter().rev().cloned().collect()),
        ..Fake::default()
    };
    let answer = ask(&session, None, Family::Document, "D", "");
    assert_eq!((answer.total, answer.has_more), (Some(150), true));
    assert_eq!(answer.values, names[..100]);
    let answer = ask(&session, None, Family::Document, "d0", "");
    assert_eq!(
        (answer.total, answer.has_more, answer.values.len()),
        (Some(100), false, 100)
    );
}

#[test]
fn providers_are_those_of_the_session() {
    let session = Fake {
        providers: strings(&["unidentified", "auto", "ghidra"]),
        ..Fake::default()
    };
    assert_eq!(values(&session, Family::Provider, "uni"), ["unidentified"]);
    assert_eq!(values(&session, Family::Provider, "ＧＨ"), ["ghidra"]);
    assert_eq!(
        values(&session, Family::Provider, ""),
        ["auto", "ghidra", "unidentified"]
    );
    assert_eq!(
        ask(&Fake::default(), None, Family::Provider, "", ""),
        nothing()
    );
}

#[test]
fn a_session_that_cannot_answer_completes_to_nothing() {
    for reason in [
        Unavailable::NoTarget,
        Unavailable::Cold,
        Unavailable::InTransition,
        Unavailable::Unsupported,
        Unavailable::Failed,
    ] {
        let session = Fake {
            documents: Err(reason),
            identifiers: Err(reason),
            ..Fake::default()
        };
        for family in [Family::Document, Family::Procedure, Family::Evidence] {
            assert_eq!(ask(&session, None, family, "", ""), nothing());
        }
    }
}

#[test]
fn identifiers_complete_in_their_family_only() {
    let families = [
        (Family::Evidence, "ev_"),
        (Family::ProcessCapture, "ev_"),
        (Family::ArtifactManifest, "agm_"),
        (Family::ArtifactOccurrence, "occ_"),
        (Family::ResidualUnknown, "unk_"),
    ];
    for (family, mark) in families {
        let session = Fake {
            family,
            identifiers: Ok(vec![id(mark, 7)]),
            ..Fake::default()
        };
        for typed in [
            "",
            mark,
            &mark.to_uppercase(),
            &id(mark, 7)[..30],
            &id(mark, 7),
        ] {
            assert_eq!(values(&session, family, typed), [id(mark, 7)], "{typed}");
        }
        for typed in ["x", "ev_g", &format!("{}0", id(mark, 7)), " ", "é"] {
            assert_eq!(ask(&session, None, family, typed, ""), nothing(), "{typed}");
        }
        for (other, _) in families.into_iter().filter(|&(other, _)| other != family) {
            assert_eq!(ask(&session, None, other, "", ""), nothing());
        }
    }
}

#[test]
fn evidence_recorded_twice_is_offered_once() {
    let ids: Vec<String> = (0..150)
        .rev()
        .flat_map(|n| [id("ev_", n), id("ev_", n)])
        .collect();
    let session = Fake {
        identifiers: Ok(ids),
        ..Fake::default()
    };
    let answer = ask(&session, None, Family::Evidence, "EV_", "");
    assert_eq!(
        (answer.total, answer.has_more, answer.values.len()),
        (Some(150), true, 100)
    );
    assert!(answer.values.is_sorted());
}

#[test]
fn malformed_identifiers_complete_to_nothing() {
    let good = || vec![id("ev_", 1), id("ev_", 2)];
    let page = |values: Vec<String>, total| IdentifierPage { values, total };
    for page in [
        page(vec![id("ev_", 2), id("ev_", 1)], 2),
        page(vec![id("ev_", 1), id("ev_", 1)], 2),
        page(vec![id("agm_", 1)], 1),
        page(vec![id("ev_", 1).to_uppercase()], 1),
        page(vec!["ev_12".to_owned()], 1),
        page(vec![format!("{}0", id("ev_", 1))], 1),
        page(good(), 1),
        page(good(), 3),
        page(Vec::new(), 1),
        page((0..101).map(|n| id("ev_", n)).collect(), 101),
    ] {
        let session = Fake {
            page: Some(page.clone()),
            ..Fake::default()
        };
        assert_eq!(
            ask(&session, None, Family::Evidence, "", ""),
            nothing(),
            "{page:?}"
        );
    }
    let session = Fake {
        page: Some(page(good(), 2)),
        ..Fake::default()
    };
    assert_eq!(values(&session, Family::Evidence, "").len(), 2);
    assert_eq!(
        ask(&session, None, Family::Evidence, "ev_00a", ""),
        nothing(),
        "not what was asked for"
    );
}

#[test]
fn procedures_come_from_the_index() {
    let documents = [
        Rows::new("App", &["0x1000", "0x2000"], &[("main", 0), ("start", 1)]),
        Rows::new("Lib", &["0x1000"], &[("main", 0)]),
    ];
    let mut builder = Builder::begin(documents.iter().map(Rows::extent).collect()).unwrap();
    advance_to_end(
        &mut builder,
        &Host {
            documents: &documents,
            page: 1,
        },
    )
    .unwrap();
    let index = builder.finish().unwrap();
    let session = Fake::default();
    let ask =
        |value, document| ask(&session, Some(&index), Family::Procedure, value, document).values;
    assert_eq!(ask("MA", "App"), ["main"]);
    assert_eq!(ask("app!M", ""), ["App!main"]);
    assert_eq!(ask("", "").len(), 6);
    assert_eq!(ask("", "app"), Vec::<String>::new());
    assert_eq!(
        complete(&session, None, &Request::default())
            .unwrap_err()
            .code,
        FaultCode::UnknownPrompt
    );
}

#[test]
fn of_a_context_argument_given_twice_the_last_counts() {
    let pairs = |values: &[&str]| -> Vec<(String, String)> {
        values
            .iter()
            .map(|&value| ("document".to_owned(), value.to_owned()))
            .collect()
    };
    assert_eq!(super::chosen_document(&pairs(&["a", "b"])), Some("b"));
    assert_eq!(super::chosen_document(&pairs(&["a", ""])), None);
    assert_eq!(
        super::chosen_document(&[("other".to_owned(), "a".to_owned())]),
        None
    );
}

#[test]
fn what_does_not_complete_has_no_total() {
    let session = documents(&["App"]);
    for name in ["feature", "no such argument"] {
        let request = Request {
            prompt: "investigate_feature".to_owned(),
            argument: name.to_owned(),
            ..Request::default()
        };
        assert_eq!(
            complete(&session, None, &request),
            Ok(Completions::default())
        );
    }
    let request = Request {
        prompt: "no such prompt".to_owned(),
        ..Request::default()
    };
    assert_eq!(
        complete(&session, None, &request).unwrap_err().code,
        FaultCode::UnknownPrompt
    );
}
