//! JSON text, field by field, in the order in which people should see it.

/// A string as JSON.
pub(super) fn string(value: &str) -> String {
    // Text can always be written; the error is that of writers that can fail.
    serde_json::to_string(value).unwrap_or_else(|_| "\"\"".to_owned())
}

/// A JSON object under construction.
pub(super) struct Object {
    text: String,
}

impl Object {
    pub(super) fn new() -> Object {
        Object {
            text: "{".to_owned(),
        }
    }

    /// Adds a field whose value is JSON already.
    pub(super) fn raw(mut self, name: &str, value: &str) -> Object {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&string(name));
        self.text.push(':');
        self.text.push_str(value);
        self
    }

    pub(super) fn string(self, name: &str, value: &str) -> Object {
        self.raw(name, &string(value))
    }

    pub(super) fn boolean(self, name: &str, value: bool) -> Object {
        self.raw(name, if value { "true" } else { "false" })
    }

    /// A number, or null for none.
    pub(super) fn number(self, name: &str, value: Option<u64>) -> Object {
        match value {
            Some(value) => self.raw(name, &value.to_string()),
            None => self.raw(name, "null"),
        }
    }

    pub(super) fn strings<'a>(self, name: &str, values: impl Iterator<Item = &'a str>) -> Object {
        let items: Vec<String> = values.map(string).collect();
        self.raw(name, &format!("[{}]", items.join(",")))
    }

    pub(super) fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }
}
