//! What a server offers: its four lists, as it sent them.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

use super::link::Link;
use crate::raw::{Object, elements, place, quote, without};

/// The most bytes of one list, over all its pages.
const MOST_BYTES: usize = 64 << 20;
/// The most pages of one list. A server decides how many it says there are.
const MOST_PAGES: usize = 10_000;

/// One of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl Kind {
    /// All of them.
    pub(crate) const ALL: [Self; 4] =
        [Self::Tools, Self::Prompts, Self::Resources, Self::Templates];

    /// The list that a client asks for with this method.
    pub(crate) fn of(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.method() == method)
    }

    /// The method that asks for it.
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    /// The member of the result that holds it.
    pub(crate) fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    /// The capability that a server declares who has it.
    pub(crate) fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources | Self::Templates => "resources",
        }
    }

    /// The member by which an entry is known.
    fn key(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }
}

/// A page as it was sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// The cursor that leads here; none for the first.
    pub(crate) cursor: Option<String>,
    /// The whole result.
    pub(crate) text: String,
}

/// An entry of a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name or address.
    pub(crate) key: Arc<str>,
    page: usize,
    /// Where in the text of the page it stands.
    place: Range<usize>,
    /// Where in the entry the value of its name stands.
    pub(crate) name: Range<usize>,
}

/// A list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) pages: Vec<Page>,
    pub(crate) entries: Vec<Entry>,
    index: HashMap<Arc<str>, usize>,
    /// It was not read to its end: the last page leads nowhere.
    cut: bool,
}

impl List {
    /// The page to which a cursor leads, as it was sent.
    pub(crate) fn page(&self, cursor: Option<&str>) -> Option<Cow<'_, str>> {
        let at = self
            .pages
            .iter()
            .position(|page| page.cursor.as_deref() == cursor)?;
        let text = &self.pages.get(at)?.text;
        let ends = self.cut && at + 1 == self.pages.len();
        Some(if ends {
            without(text, |name| name == "nextCursor")
        } else {
            Cow::Borrowed(text)
        })
    }

    /// The text of an entry.
    pub(crate) fn text(&self, entry: &Entry) -> &str {
        let page = self.pages.get(entry.page);
        page.and_then(|page| page.text.get(entry.place.clone()))
            .unwrap_or_default()
    }

    /// The entry of this name or address; of several the first.
    pub(crate) fn find(&self, key: &str) -> Option<&Entry> {
        self.index.get(key).and_then(|at| self.entries.get(*at))
    }

    /// Whether this entry is the first of its name.
    pub(crate) fn is_first(&self, at: usize, entry: &Entry) -> bool {
        self.index.get(&entry.key) == Some(&at)
    }

    fn add(&mut self, kind: Kind, page: Page) -> Result<(), String> {
        let odd = |what: &str| format!("its answer to {} {what}", kind.method());
        let result = Object::read(&page.text).ok_or_else(|| odd("is no object"))?;
        let member = result.get(kind.member());
        let list = member
            .and_then(elements)
            .ok_or_else(|| odd(&format!("has no array `{}`", kind.member())))?;
        for text in list {
            let name = Object::read(text).and_then(|entry| entry.get(kind.key()));
            let Some((name, key)) = name.and_then(|name| Some((name, crate::raw::string(name)?)))
            else {
                let entry = rea_front::shorten_text(text);
                tracing::warn!(list = kind.method(), %entry, "an entry without a name is left out where names matter");
                continue;
            };
            let key: Arc<str> = key.into();
            let at = self.entries.len();
            self.index.entry(key.clone()).or_insert(at);
            self.entries.push(Entry {
                key,
                page: self.pages.len(),
                place: place(&page.text, text),
                name: place(text, name),
            });
        }
        self.pages.push(page);
        Ok(())
    }
}

/// What a server offers. A list that it does not have is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalogue {
    lists: HashMap<Kind, Arc<List>>,
}

impl Catalogue {
    pub(crate) fn list(&self, kind: Kind) -> Arc<List> {
        self.lists.get(&kind).cloned().unwrap_or_default()
    }

    pub(crate) fn set(&mut self, kind: Kind, list: Arc<List>) {
        self.lists.insert(kind, list);
    }
}

/// Reads a list, page by page. What was read before something went wrong is kept if there is at least a page.
pub(crate) async fn fetch(link: &Arc<Link>, kind: Kind) -> Result<List, String> {
    let mut list = List::default();
    if !link.can(kind.capability()) {
        return Ok(list);
    }
    let mut seen = HashSet::new();
    let mut bytes = 0_usize;
    let mut cursor: Option<String> = None;
    loop {
        let params = cursor
            .as_ref()
            .map(|cursor| format!(r#"{{"cursor":{}}}"#, quote(cursor)));
        let outcome = link.call(kind.method(), params.as_deref()).await;
        let text = match outcome.result() {
            Ok(text) => text.to_owned(),
            // A server of resources need not have templates.
            Err(_) if kind == Kind::Templates && list.pages.is_empty() => return Ok(list),
            Err(reason) if list.pages.is_empty() => return Err(reason),
            Err(reason) => return Ok(cut(link, kind, list, &reason)),
        };
        bytes = bytes.saturating_add(text.len());
        if bytes > MOST_BYTES {
            let reason = format!("it is longer than {MOST_BYTES} bytes");
            return Ok(cut(link, kind, list, &reason));
        }
        let next =
            Object::read(&text).and_then(|result| result.text("nextCursor").map(Cow::into_owned));
        list.add(
            kind,
            Page {
                cursor: cursor.take(),
                text,
            },
        )?;
        let Some(next) = next else { return Ok(list) };
        if list.pages.len() >= MOST_PAGES {
            let reason = format!("it has more than {MOST_PAGES} pages");
            return Ok(cut(link, kind, list, &reason));
        }
        if !seen.insert(next.clone()) {
            return Ok(cut(link, kind, list, "its pages lead back to themselves"));
        }
        cursor = Some(next);
    }
}

fn cut(link: &Link, kind: Kind, mut list: List, reason: &str) -> List {
    list.cut = true;
    tracing::warn!(server = %link.name, list = kind.method(), reason, "a list was not read to its end");
    list
}
