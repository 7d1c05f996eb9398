//! Evaluates the core on fixed inputs and reports every number with all its bits.
//!
//! Compiled twice: natively (`src/main.rs` prints the report) and for wasm32, where the host calls [`report_start`] and
//! [`report_length`] and reads the text from the module's memory. The two texts must be equal: same input, same bits, on
//! every machine.

use sinew::dynamics::spatial::{Vec3, rotation};
use std::fmt::Write;
use std::sync::OnceLock;

/// One line per number: a label and the sixteen hexadecimal digits of its bits.
pub fn report() -> String {
    let mut out = String::new();
    for k in 0..20 {
        let v = Vec3::new(0.1 * k as f64, -0.37, 0.05 * (k * k) as f64);
        let r = rotation::exp(&v);
        line(&mut out, &format!("exp {k}"), r.coords.as_slice());
    }
    out
}

fn line(out: &mut String, label: &str, numbers: &[f64]) {
    for (i, x) in numbers.iter().enumerate() {
        // writing to a string cannot fail
        let _ = writeln!(out, "{label}[{i}] {:016x}", x.to_bits());
    }
}

fn kept() -> &'static str {
    static REPORT: OnceLock<String> = OnceLock::new();
    REPORT.get_or_init(report)
}

/// Address of the report's first byte in the module's memory.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn report_start() -> *const u8 {
    kept().as_ptr()
}

/// Length of the report in bytes.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn report_length() -> usize {
    kept().len()
}
