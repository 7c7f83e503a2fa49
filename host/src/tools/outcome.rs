//! From what a tool found to what the client gets: the result whole and inline, with the id of its evidence.

use serde_json::{Value, json};

use super::{
    Call, ToolError,
    target::{Chosen, limitations},
};
use crate::session::{Finding, Target, ledger::Retention};

impl Call<'_> {
    /// Retains a result about a document, with what its inventory doesn't cover. Says which document it is: an
    /// address means nothing without it.
    pub(super) async fn found_in(
        &self,
        chosen: &Chosen,
        mut result: Value,
        confidence: &'static str,
    ) -> Result<Value, ToolError> {
        if let Some(result) = result.as_object_mut() {
            result.insert("document".into(), chosen.document.name().into());
        }
        self.found(
            &chosen.target,
            result,
            confidence,
            limitations(&chosen.document),
        )
        .await
    }

    /// Retains a result about a target and wraps it.
    pub(super) async fn found(
        &self,
        target: &Target,
        result: Value,
        confidence: &'static str,
        limitations: Vec<String>,
    ) -> Result<Value, ToolError> {
        let finding = Finding {
            operation: self.tool.name,
            parameters: self.arguments.as_map().clone(),
            result: result.clone(),
            confidence,
            limitations: limitations.clone(),
        };
        let mut answer = match self.session.retain(target, finding, self.watch).await {
            Retention::Retained { evidence_id } => json!({"evidence_id": evidence_id}),
            Retention::NotRetained { reason } => json!({"retained": false, "reason": reason}),
        };
        if let Some(answer) = answer.as_object_mut() {
            answer.insert("result".into(), result);
            if !limitations.is_empty() {
                answer.insert("limitations".into(), limitations.into());
            }
        }
        Ok(answer)
    }
}

/// The frame of a page: how many there are, which are shown, where the next ones begin.
pub(super) fn page(total: u64, offset: u64, items: Vec<Value>, key: &str) -> Value {
    let shown = u64::try_from(items.len()).unwrap_or(u64::MAX);
    let next = offset.saturating_add(shown);
    let mut page = json!({"total": total, "offset": offset});
    if let Some(page) = page.as_object_mut() {
        page.insert(key.to_owned(), items.into());
        if next < total && shown > 0 {
            page.insert("next_offset".into(), next.into());
        }
    }
    page
}
