//! The native twin: prints the report that the wasm32 build leaves in its memory.

fn main() {
    print!("{}", sinew_wasm_check::report());
}
