//! The wasmtime engine: which WebAssembly it speaks, and the clock that stops a runaway.

use std::{
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use wasmtime::{Config, Engine, OptLevel, WasmBacktraceDetails};

/// How often the epoch advances, and so how finely a deadline is kept.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// The engine of this process; every instance shares it.
///
/// # Errors
/// If wasmtime refuses the configuration on this machine.
pub(super) fn engine() -> wasmtime::Result<&'static Engine> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    ENGINE
        .get_or_init(|| start().map_err(|error| format!("{error:#}")))
        .as_ref()
        .map_err(|error| wasmtime::Error::msg(error.clone()))
}

fn start() -> wasmtime::Result<Engine> {
    let engine = Engine::new(&config())?;
    let ticker = engine.weak();
    thread::Builder::new()
        .name("rea-epoch".into())
        .spawn(move || {
            // The handle is weak: the clock must not keep alive what it measures.
            loop {
                thread::sleep(TICK);
                match ticker.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => return,
                }
            }
        })?;
    Ok(engine)
}

fn config() -> Config {
    let mut config = Config::new();
    // A call that doesn't return is stopped by the clock. Fuel would count instructions, at a higher price.
    config.epoch_interruption(true);
    // The same question has the same answer on every machine.
    config.cranelift_nan_canonicalization(true);
    config.cranelift_opt_level(OptLevel::Speed);
    // A trap names the function it happened in; the guest keeps its names for that.
    config.wasm_backtrace_details(WasmBacktraceDetails::Disable);
    // Initial memory is copied, not mapped from an anonymous file: where file sizes are limited (`ulimit -f`) making that file would
    // end the program. It is some hundred kilobytes, once an instance.
    config.memory_init_cow(false);
    // Calls are synchronous, one at a time.
    config.concurrency_support(false);
    // What the guest doesn't need is refused, also when a later wasmtime switches it on by default.
    config.wasm_memory64(false);
    config.wasm_multi_memory(false);
    config.wasm_relaxed_simd(false);
    config.wasm_simd(false);
    config.wasm_tail_call(false);
    config.wasm_extended_const(false);
    config.wasm_wide_arithmetic(false);
    config.wasm_custom_page_sizes(false);
    config
}

/// A moment as a number of ticks from now: rounded up, and one more for the tick that is running.
pub(super) fn ticks_until(deadline: Instant) -> u64 {
    let left = deadline
        .saturating_duration_since(Instant::now())
        .as_millis();
    let ticks = left.div_ceil(TICK.as_millis());
    u64::try_from(ticks)
        .unwrap_or(u64::MAX / 2)
        .saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_never_shorter_than_asked() {
        assert!(ticks_until(Instant::now() + Duration::from_millis(95)) >= 10);
        assert_eq!(ticks_until(Instant::now()), 1);
    }
}
