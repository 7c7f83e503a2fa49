//! Writing a document: the same positions always give the same bytes.

use super::{Document, Extra};

impl Document {
    /// The document as it is stored: UTF-8 JSON, a line for each conversation, in byte order of their ids.
    pub(in super::super) fn render(&self) -> String {
        let mut text = String::from("{\n  \"version\": 1,\n  \"revision\": ");
        text.push_str(&self.revision.to_string());
        text.push_str(",\n  \"conversations\": {");
        let mut separator = "\n";
        for (id, entry) in &self.entries {
            text.push_str(separator);
            separator = ",\n";
            text.push_str("    ");
            string(&mut text, id);
            text.push_str(": {\"enabled\": ");
            text.push_str(if entry.enabled { "true" } else { "false" });
            text.push_str(", \"revision\": ");
            text.push_str(&entry.revision.to_string());
            extra(&mut text, ", ", &entry.extra);
            text.push('}');
        }
        if !self.entries.is_empty() {
            text.push_str("\n  ");
        }
        text.push('}');
        extra(&mut text, ",\n  ", &self.extra);
        text.push_str("\n}\n");
        text
    }
}

/// Fields that this version doesn't know: they belong to somebody, and stay.
fn extra(text: &mut String, separator: &str, fields: &Extra) {
    for (name, value) in fields {
        text.push_str(separator);
        string(text, name);
        text.push_str(": ");
        text.push_str(value.get());
    }
}

fn string(text: &mut String, value: &str) {
    text.push_str(&super::super::json::string(value));
}
