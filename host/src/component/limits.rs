//! How much an instance may take. Numbers only, each with its reason.

use std::time::Duration;

use wasmtime::{StoreLimits, StoreLimitsBuilder};

use super::bindings::exports::rea::guide::procedures::Extent;

/// A prompt or a completion takes well under a millisecond; after this it is taken for a runaway.
pub(super) const CALL: Duration = Duration::from_secs(2);

/// A slice of index building takes about 20 ms; the margin is for a loaded machine.
pub(super) const SLICE: Duration = Duration::from_secs(5);

/// Memory of the instance that serves prompts. Its largest input is one protocol line (4 MiB), which is
/// copied a few times and escaped to at most six times its size.
pub(super) const GUIDE_MEMORY: usize = 128 << 20;

/// Bytes that may cross from the guest in one call: an escaped protocol line and its frame.
pub(super) const HOSTCALL_FUEL: usize = 48 << 20;

/// A call of the switch takes well under a millisecond with some hundred tools. At the bounds of the contract (200,000 names,
/// 10,000 agents) it is a second.
pub(super) const SWITCH: Duration = Duration::from_secs(5);

/// Memory of the instance that serves the switch. At the bounds of the contract: 16 MiB of names in a call, kept once for all
/// agents and once for those that have others, in the text of the call, as strings and as sets.
pub(super) const SWITCH_MEMORY: usize = 512 << 20;

/// Bytes that may cross from the switch in one call: all the masks that may differ (16 MiB of names), and an order for each of
/// 10,000 agents.
pub(super) const SWITCH_TRANSFER: usize = 128 << 20;

/// Memory of an index instance beside what the snapshot announces: code, stack, a page in transit, and the
/// room that the allocator loses between its blocks.
const INDEX_BASE: u64 = 24 << 20;

/// Bytes an index keeps, or needs while sorting, for each row beside its text.
const INDEX_ROW: u64 = 64;

/// A 32-bit memory ends at 4 GiB; the last page is left.
const INDEX_MOST: u64 = (4 << 30) - (64 << 10);

/// Memory that the index of a snapshot of these extents may take, in bytes.
pub(super) fn index_memory(extents: &[Extent]) -> usize {
    let mut bytes = INDEX_BASE;
    for extent in extents {
        let rows = u64::from(extent.places) + u64::from(extent.names);
        bytes = bytes
            .saturating_add(extent.place_bytes)
            // Names outside ASCII are kept a second time under their folded key, which can be longer.
            .saturating_add(extent.name_bytes.saturating_mul(2))
            .saturating_add(rows.saturating_mul(INDEX_ROW));
    }
    usize::try_from(bytes.min(INDEX_MOST)).unwrap_or(usize::MAX)
}

/// Limits of a store: one memory of this many bytes, and no more tables and instances than a component made of
/// one module has.
pub(super) fn store_limits(memory: usize) -> StoreLimits {
    StoreLimitsBuilder::new()
        .memory_size(memory)
        .memories(1)
        .tables(4)
        .table_elements(10_000)
        .instances(16)
        // A guest that asks for more is stopped there, with the size in the message; it would abort anyway.
        .trap_on_grow_failure(true)
        .build()
}
