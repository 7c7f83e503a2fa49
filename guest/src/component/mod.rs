//! The component's face: the generated bindings, and thin conversions between them and the library.
#![allow(
    unsafe_code,
    reason = "wit-bindgen's generated exports are raw ABI functions; nothing here is written by hand as unsafe"
)]

mod completion;
mod convert;
mod host;
mod procedures;
mod prompts;
mod toggle;

mod generated {
    #![allow(
        missing_docs,
        unreachable_pub,
        reason = "generated; the documentation is in wit/"
    )]
    wit_bindgen::generate!({ path: "../wit", world: "guide", generate_all });
}

use generated::exports::rea::guide as exports;
use generated::rea::guide as imports;

struct Component;

generated::export!(Component with_types_in generated);
