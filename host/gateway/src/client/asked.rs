//! What a server asks of a client: sampling, elicitation, roots. Under ids of the gateway's, so that two servers can't
//! be mixed up, and no client answers for another.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use rmcp::model::RequestId;

use super::Client;
use crate::{
    outlet::Outlet,
    raw::{Object, paste, place, quote, with},
    upstream::Link,
};

/// The most that may be asked of one client at a time.
const MOST: usize = 1_000;

/// What a client is asked and has not answered.
#[derive(Default)]
pub(super) struct Asked {
    last: u64,
    open: HashMap<u64, Question>,
}

struct Question {
    link: Weak<Link>,
    /// The server's own id, as JSON.
    id: String,
    /// The server's own progress token, as JSON.
    token: Option<String>,
}

impl Client {
    /// Asks this client on behalf of a server. False if it can't be asked that.
    pub(crate) fn ask(
        &self,
        link: &Arc<Link>,
        id: &str,
        method: &str,
        params: Option<&str>,
        outlet: Option<&Arc<dyn Outlet>>,
    ) -> bool {
        let needs = match method {
            "sampling/createMessage" => "sampling",
            "elicitation/create" => "elicitation",
            "roots/list" => "roots",
            _ => "",
        };
        if !self.is_legacy() || (!needs.is_empty() && !self.can(needs)) {
            return false;
        }
        let mut state = self.lock();
        let Some(outlet) = outlet.cloned().or_else(|| state.main.clone()) else {
            return false;
        };
        if state.asked.open.len() >= MOST {
            return false;
        }
        state.asked.last += 1;
        let number = state.asked.last;
        let meta = params
            .and_then(Object::read)
            .and_then(|params| params.get("_meta"));
        let token = meta
            .and_then(Object::read)
            .and_then(|meta| meta.get("progressToken"));
        let params = match (params, meta, token) {
            (Some(params), Some(meta), Some(_)) => {
                let meta = with(meta, "progressToken", &number.to_string());
                Some(with(params, "_meta", &meta))
            }
            (params, _, _) => params.map(str::to_owned),
        };
        let question = Question {
            link: Arc::downgrade(link),
            id: id.to_owned(),
            token: token.map(str::to_owned),
        };
        state.asked.open.insert(number, question);
        let mut text = format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":{}"#,
            quote(method)
        );
        if let Some(params) = params {
            text.push_str(",\"params\":");
            text.push_str(&params);
        }
        text.push('}');
        outlet.send(text);
        true
    }

    /// The client answers what it was asked.
    pub(super) fn answered(&self, id: &RequestId, message: &Object<'_>) {
        let question = match id {
            RequestId::Number(number) => u64::try_from(*number)
                .ok()
                .and_then(|number| self.lock().asked.open.remove(&number)),
            RequestId::String(_) => None,
        };
        let part = match (message.get("result"), message.get("error")) {
            (Some(result), _) => format!("\"result\":{result}"),
            (None, Some(error)) => format!("\"error\":{error}"),
            (None, None) => return,
        };
        if let Some(question) = question
            && let Some(link) = question.link.upgrade()
        {
            link.answer(&question.id, &part);
        }
    }

    /// A server takes a question back.
    pub(crate) fn asked_cancelled(&self, link: &Arc<Link>, params: Option<&str>) {
        let Some(params) = params else { return };
        let given = Object::read(params).unwrap_or_default();
        let Some(id) = given.get("requestId") else {
            return;
        };
        let mut state = self.lock();
        let same =
            |question: &Question| question.id == id && question.link.as_ptr() == Arc::as_ptr(link);
        let found = state.asked.open.iter().find(|(_, question)| same(question));
        let Some(number) = found.map(|(number, _)| *number) else {
            return;
        };
        state.asked.open.remove(&number);
        if let Some(main) = &state.main {
            let params = paste(params, place(params, id), &number.to_string());
            main.send(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
            ));
        }
    }

    /// The client tells how far it is with what it was asked.
    pub(super) fn asked_progresses(&self, params: Option<&str>) {
        let Some(params) = params else { return };
        let given = Object::read(params).unwrap_or_default();
        let Some(token) = given.get("progressToken") else {
            return;
        };
        let number = token.parse::<u64>().ok();
        let told = number.and_then(|number| {
            let state = self.lock();
            let question = state.asked.open.get(&number)?;
            Some((question.link.upgrade()?, question.token.clone()?))
        });
        if let Some((link, own)) = told {
            let params = paste(params, place(params, token), &own);
            link.notify("notifications/progress", Some(&params));
        }
    }
}
