//! `rea component`: the embedded component, for hosts that load it themselves.

use std::{io::Write, path::PathBuf};

use serde_json::json;

use super::{
    exit::Failure,
    workbench::{print, shown},
};
use crate::component::{EMBEDDED, EMBEDDED_SHA256, Program};

pub(super) fn run(out: Option<PathBuf>, json: bool) -> Result<(), Failure> {
    if out.as_deref().is_some_and(|out| out.as_os_str() == "-") {
        std::io::stdout().write_all(EMBEDDED)?;
        return Ok(());
    }
    let imports = Program::embedded().imports()?;
    if let Some(out) = &out {
        std::fs::write(out, EMBEDDED)
            .map_err(|error| Failure::Failed(format!("{}: {error}", shown(out))))?;
    }
    if json {
        return print(
            &json!({
                "size": EMBEDDED.len(),
                "sha256": EMBEDDED_SHA256,
                "imports": imports,
                "written": out.as_ref().map(|path| shown(path)),
            })
            .to_string(),
        );
    }
    let mut text = format!(
        "size     {} bytes\nsha256   {EMBEDDED_SHA256}\n",
        EMBEDDED.len()
    );
    for import in imports {
        text.push_str(&format!("imports  {import}\n"));
    }
    if let Some(out) = &out {
        text.push_str(&format!("written  {}\n", shown(out)));
    }
    print(&text)
}
