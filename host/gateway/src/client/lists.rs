//! The four lists, as far as the client may see them.

use std::{borrow::Cow, collections::BTreeSet, sync::atomic::Ordering};

use rea_front::{Diagnostic, invalid_params};
use serde_json::Value;

use super::{Client, Refusal, Request, prompt};
use crate::{
    hub::Bridged,
    raw::{Object, elements, paste, place, quote},
    upstream::{Era, Kind, List},
};

impl Client {
    pub(super) fn list(
        &self,
        request: &Request<'_>,
        kind: Kind,
        message: &Value,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let own_prompt = kind == Kind::Prompts && self.has_prompt(request.era);
        let declared = self.gateway.capabilities(own_prompt);
        if declared.get(kind.capability()).is_none() {
            return Err(Refusal::no_method(request.method));
        }
        let cursor = message.pointer("/params/cursor").and_then(Value::as_str);
        let cursor = cursor.map(str::to_owned);
        self.listed(request.key, request.era, kind, cursor.as_deref(), hidden)
    }

    fn listed(
        &self,
        key: u64,
        era: Era,
        kind: Kind,
        cursor: Option<&str>,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let shown: Vec<(&Bridged, std::sync::Arc<List>)> = self
            .gateway
            .servers
            .iter()
            .filter(|server| !hidden.contains(&server.config.name))
            .map(|server| (server, self.lists_of(server, kind)))
            .collect();
        let page = match shown.as_slice() {
            // As it was sent, page by page.
            [(_, list)] if self.gateway.names.plain() && !list.pages.is_empty() => {
                list.page(cursor)
            }
            _ if cursor.is_some() => None,
            all => Some(Cow::Owned(self.joined(kind, all))),
        };
        let Some(mut page) = page else {
            let error = Diagnostic {
                path: "params.cursor".to_owned(),
                expected: "a cursor that the last page gave".to_owned(),
                got: rea_front::shorten_text(cursor.unwrap_or_default()),
            };
            return Err(Refusal(invalid_params(&[error])));
        };
        let last = || Object::read(&page).is_none_or(|page| page.get("nextCursor").is_none());
        if kind == Kind::Prompts && self.has_prompt(era) && last() {
            page = Cow::Owned(appended(
                &page,
                kind.member(),
                &prompt::described(&self.prompt_name()),
            ));
        }
        self.private(key, &page, era);
        Ok(())
    }

    /// What a server offers to this client's conversation.
    pub(super) fn lists_of(&self, server: &Bridged, kind: Kind) -> std::sync::Arc<List> {
        let slot = self.gateway.looks(server, &self.seat.conversation);
        let catalogue = slot.catalogue();
        if catalogue.is_none() {
            slot.missed.store(true, Ordering::Release);
        }
        catalogue.unwrap_or_default().list(kind)
    }

    fn joined(&self, kind: Kind, all: &[(&Bridged, std::sync::Arc<List>)]) -> String {
        let names = &self.gateway.names;
        let mut joined = format!("{{\"{}\":[", kind.member());
        let start = joined.len();
        for (server, list) in all {
            for (at, entry) in list.entries.iter().enumerate() {
                // Which of two of the same name a call means, no client could say.
                if !list.is_first(at, entry) {
                    continue;
                }
                if joined.len() > start {
                    joined.push(',');
                }
                let text = list.text(entry);
                if matches!(kind, Kind::Tools | Kind::Prompts) {
                    let told = names.told(server.base.server, &entry.key);
                    joined.push_str(&paste(text, entry.name.clone(), &quote(&told)));
                } else {
                    joined.push_str(text);
                }
            }
        }
        joined.push_str("]}");
        joined
    }
}

/// A result with one more entry at the end of its list.
fn appended(result: &str, member: &str, entry: &str) -> String {
    let list = Object::read(result).and_then(|result| result.get(member));
    let Some(list) = list else {
        return result.to_owned();
    };
    let comma = if elements(list).is_none_or(|list| list.is_empty()) {
        ""
    } else {
        ","
    };
    let end = place(result, list).end.saturating_sub(1);
    paste(result, end..end, &format!("{comma}{entry}"))
}
