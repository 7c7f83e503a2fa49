//! From the exports trie to candidates: names that the symbol table lost.

use super::header::Image;
use super::regions::Regions;
use super::rows::{self, Made, STRINGS};
use super::trie::{self, Export, Walked};
use crate::ReadError;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, ProcedureKind, flag, hash};

/// What the trie holds.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    /// What the load command that leads to it is called; none if there is no trie.
    pub(crate) source: Option<&'static str>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) damage: Vec<String>,
}

impl Exports {
    /// Reads the trie's bytes.
    pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<Exports, ReadError> {
        let Some((source, blob)) = image.commands.exports else {
            return Ok(Exports::default());
        };
        let mut damage = Vec::new();
        let bytes = image
            .window(file)
            .table("the trie", blob.offset, blob.size, &mut damage)?;
        Ok(Exports {
            source: Some(source),
            bytes,
            damage,
        })
    }
}

/// Adds the exported functions. One that the symbol table names at the same place is only marked as exported.
pub(crate) fn add(
    image: &Image,
    regions: &Regions,
    exports: &Exports,
    strings: &[u8],
    made: &mut Made,
    candidates: &mut Vec<Candidate>,
) -> Walked {
    let Some(base) = image.base() else {
        return Walked::default();
    };
    let mut known: Vec<(u64, u32, usize)> = candidates
        .iter()
        .enumerate()
        .filter_map(|(number, candidate)| {
            let name = candidate
                .name
                .filter(|name| name.flags & flag::TABLE == STRINGS)?;
            Some((candidate.address, name.hash, number))
        })
        .collect();
    known.sort_unstable();
    let is_arm = image.machine.is_arm();
    let mut full = 0u64;
    let mut walked = trie::walk(&exports.bytes, |name, export| {
        let (offset, weak, kind) = match export {
            Export::Regular { offset, weak } => (offset, weak, ProcedureKind::Function),
            Export::Resolver {
                stub,
                resolver,
                weak,
            } => {
                let address = base.wrapping_add(stub);
                if let Some(region) = regions.at(address) {
                    candidates.push(Candidate {
                        address,
                        size: 0,
                        region,
                        kind: ProcedureKind::ImportStub,
                        mode: None,
                        name: None,
                        inferred: true,
                    });
                }
                (resolver, weak, ProcedureKind::IfuncResolver)
            }
            Export::Reexport | Export::Absolute | Export::ThreadLocal => return,
        };
        let value = base.wrapping_add(offset);
        let address = if is_arm { value & !1 } else { value };
        let Some(region) = regions.at(address) else {
            return;
        };
        let hash = hash(name);
        let at = known.partition_point(|(a, h, _)| (*a, *h) < (address, hash));
        for (_, _, number) in known
            .iter()
            .skip(at)
            .take_while(|(a, h, _)| (*a, *h) == (address, hash))
        {
            let Some(candidate) = candidates.get_mut(*number) else {
                continue;
            };
            if let Some(row) = &mut candidate.name
                && strings.get(row.offset as usize..row.offset as usize + row.len as usize)
                    == Some(name)
            {
                row.flags |= flag::DYNSYM;
                if kind == ProcedureKind::IfuncResolver {
                    candidate.kind = kind;
                }
                return;
            }
        }
        let flags = flag::DYNSYM | rows::binding(u16::from(weak));
        let row = made.add(&[name], flags);
        full += u64::from(row.is_none());
        candidates.push(Candidate {
            address,
            size: 0,
            region,
            kind,
            mode: is_arm.then_some(if value & 1 == 1 {
                Mode::Thumb
            } else {
                Mode::Arm
            }),
            name: row,
            inferred: false,
        });
    });
    if full > 0 {
        walked
            .damage
            .push(format!("{full} names don't fit into memory"));
    }
    walked
}
