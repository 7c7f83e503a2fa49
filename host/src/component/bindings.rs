//! The contract in `wit/`, as Rust. Nothing else lives here.
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "generated; the documentation is in wit/"
)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "guide",
    imports: { default: trappable },
    additional_derives: [PartialEq],
});
