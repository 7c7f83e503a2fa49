//! What the component may ask of its host, as traits: the generated imports implement them inside the
//! sandbox (`component.rs`), plain data implements them in native tests.
//!
//! The types mirror `wit/` (`types`, `session`, `inventory`); that is where they are documented in full.

/// The eight kinds of session values that a prompt argument can be completed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// A document of the active target, by its name.
    Document,
    /// A procedure, by its address or by a name that has one address only.
    Procedure,
    /// An analysis provider, by its id, or `auto`.
    Provider,
    /// A retained evidence record, by its id.
    Evidence,
    /// A retained process capture, by the id of its evidence.
    ProcessCapture,
    /// The manifest of a retained artifact graph, by its id.
    ArtifactManifest,
    /// One occurrence in a retained artifact graph, by its id.
    ArtifactOccurrence,
    /// An open question that is not resolved, by its id.
    ResidualUnknown,
}

/// Why something that was asked of the host can't be had now. For completion each means an empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No target is open.
    NoTarget,
    /// A target is open, but nothing has read it yet.
    Cold,
    /// A target is being opened, switched or closed.
    InTransition,
    /// The host or the provider doesn't have this.
    Unsupported,
    /// The provider was asked and failed.
    Failed,
}

/// What kind of mistake a [`Fault`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultCode {
    /// There is no prompt of that name.
    UnknownPrompt,
    /// A required argument isn't there, or is empty.
    MissingArgument,
    /// An argument consists of blanks only.
    BlankArgument,
    /// What the host supplied contradicts itself or the contract.
    MalformedInput,
    /// A function was called out of turn.
    OutOfTurn,
    /// Anything else.
    Other,
}

/// An error that names what was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of mistake it is.
    pub code: FaultCode,
    /// The field that was wrong, as `name` or `arguments.feature`; empty if it was none.
    pub field: String,
    /// One English sentence for a person. Not for matching.
    pub detail: String,
}

/// The first identifiers that begin with a prefix, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentifierPage {
    /// Ascending byte order, no repetition.
    pub values: Vec<String>,
    /// All that begin with the prefix.
    pub total: u64,
}

/// The running session, as it is at the moment of the call (`wit/session.wit`).
pub trait Session {
    /// Names of the documents of the active target.
    fn documents(&self) -> Result<Vec<String>, Unavailable>;
    /// Ids of the providers that can be chosen.
    fn providers(&self) -> Vec<String>;
    /// Identifiers of a family that begin with `prefix`, byte by byte.
    fn identifiers(
        &self,
        family: Family,
        prefix: &str,
        limit: u32,
    ) -> Result<IdentifierPage, Unavailable>;
    /// Names of the tools served now.
    fn tools(&self) -> Vec<String>;
    /// Operations whose evidence is retained.
    fn retained_operations(&self) -> Vec<String>;
}

/// Rows of places, packed into one string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacePage {
    /// The spellings, one after the other.
    pub text: String,
    /// Where each ends (exclusive byte offset).
    pub ends: Vec<u32>,
}

/// Rows of names, packed into one string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// The names, one after the other.
    pub text: String,
    /// Where each ends (exclusive byte offset).
    pub ends: Vec<u32>,
    /// The place that each names.
    pub places: Vec<u32>,
}

/// The pages of one inventory snapshot (`wit/inventory.wit`).
pub trait Inventory {
    /// Spellings of a document's places from number `first` on.
    fn places(&self, document: u32, first: u32) -> Result<PlacePage, Unavailable>;
    /// Names of a document from row `first` on.
    fn names(&self, document: u32, first: u32) -> Result<NamePage, Unavailable>;
}
