//! The component file: the embedded one or another, compiled once.

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
    thread,
};

use wasmtime::component::{Component, Linker};

use super::{bindings::GuidePre, engine::engine, imports};

/// The component that this program was built with.
pub const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/guide.component.wasm"));

/// SHA-256 of [`EMBEDDED`], in lower-case hex.
pub const EMBEDDED_SHA256: &str = env!("REA_GUIDE_SHA256");

/// A component file and, once someone asked for it, its machine code.
pub struct Program {
    bytes: Cow<'static, [u8]>,
    compiled: OnceLock<Result<GuidePre<imports::Context>, String>>,
}

impl Program {
    /// The embedded component. Every caller gets the same program, so it is compiled once a process.
    pub fn embedded() -> Arc<Program> {
        static PROGRAM: OnceLock<Arc<Program>> = OnceLock::new();
        PROGRAM
            .get_or_init(|| Arc::new(Program::new(Cow::Borrowed(EMBEDDED))))
            .clone()
    }

    /// A program from the bytes of a component file.
    pub fn new(bytes: Cow<'static, [u8]>) -> Program {
        Program {
            bytes,
            compiled: OnceLock::new(),
        }
    }

    /// Begins to compile on a thread of its own, so that nobody waits who doesn't need the component yet.
    pub fn warm_up(self: &Arc<Self>) {
        let program = Arc::clone(self);
        let spawned = thread::Builder::new()
            .name("rea-compile".into())
            .spawn(move || {
                if let Err(error) = program.compiled() {
                    tracing::error!("the component does not compile: {error:#}");
                }
            });
        if let Err(error) = spawned {
            tracing::debug!("no thread to compile on; the first request compiles: {error}");
        }
    }

    /// The compiled component, linked with what it may ask. Waits if another thread is compiling.
    pub(super) fn compiled(&self) -> wasmtime::Result<&GuidePre<imports::Context>> {
        self.compiled
            .get_or_init(|| self.compile().map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|error| wasmtime::Error::msg(error.clone()))
    }

    fn compile(&self) -> wasmtime::Result<GuidePre<imports::Context>> {
        let engine = engine()?;
        let component = Component::new(engine, &self.bytes)?;
        let mut linker = Linker::new(engine);
        imports::add_to_linker(&mut linker)?;
        GuidePre::new(linker.instantiate_pre(&component)?)
    }

    /// What the component imports, as `wit` names it: the whole of its world.
    ///
    /// # Errors
    /// If the file is no component or this machine can't compile it.
    pub fn imports(&self) -> Result<Vec<String>, Defect> {
        let compiled = self.compiled().map_err(|error| Defect::of(&error))?;
        let engine = engine().map_err(|error| Defect::of(&error))?;
        let component = compiled.instance_pre().component().component_type();
        Ok(component
            .imports(engine)
            .map(|(name, _)| name.to_owned())
            .collect())
    }
}

/// The component did what it must never do: it trapped, ran too long or took too much.
///
/// The text is for a log: it may hold what the guest was working on, and no client sees it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the component failed: {0}")]
pub struct Defect(pub(super) String);

impl Defect {
    /// A defect of the host's own, on behalf of the component.
    pub(crate) fn from_text(text: String) -> Defect {
        Defect(text)
    }

    pub(super) fn of(error: &wasmtime::Error) -> Defect {
        Defect(format!("{error:#}"))
    }
}
