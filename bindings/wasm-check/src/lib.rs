//! Evaluates the core on fixed inputs and reports every number with all its bits.
//!
//! Compiled twice: natively (`src/main.rs` prints the report) and for wasm32, where the host calls [`report_start`] and
//! [`report_length`] and reads the text from the module's memory. The two texts must be equal: same input, same bits, on
//! every machine.

use rand::{RngExt, SeedableRng};
use sinew::prelude::*;
use std::fmt::Write;
use std::sync::OnceLock;

/// Characters that between them have every kind of joint.
const CHARACTERS: [&str; 3] = ["human", "human42", "walker2d"];
const STATES: usize = 10;
/// Steps of a swinging body, which would blow up a difference in any bit.
const STEPS: usize = 1000;

/// One line per number: a label and the sixteen hexadecimal digits of its bits.
pub fn report() -> String {
    let mut out = Report(String::new());
    for name in CHARACTERS {
        let model = match characters::load(name) {
            Ok(model) => model,
            Err(e) => return format!("{name}: {e}"),
        };
        for state in 0..STATES {
            out.state(&model, state);
        }
        out.swing(&model);
    }
    out.0
}

struct Report(String);

impl Report {
    fn write(&mut self, label: &str, numbers: &[f64]) {
        for (i, x) in numbers.iter().enumerate() {
            // writing to a string cannot fail
            let _ = writeln!(self.0, "{label}[{i}] {:016x}", x.to_bits());
        }
    }

    /// Every kernel at one random state.
    fn state(&mut self, model: &Model, index: usize) {
        let mut random = rand_pcg::Pcg64::seed_from_u64(index as u64);
        let mut reals = |scale: f64| -> Vec<f64> {
            (0..model.nv()).map(|_| scale * (2.0 * random.random::<f64>() - 1.0)).collect()
        };
        let (step, v, a, tau) = (reals(1.0), reals(2.0), reals(10.0), reals(30.0));
        let neutral = model.neutral();
        let mut q = neutral.clone();
        model.integrate(&neutral, &step, &mut q);
        let mut back = step.clone();
        model.difference(&neutral, &q, &mut back);

        let at = |what: &str| format!("{} state {index} {what}", model.name());
        let data = &mut Data::new(model);
        self.write(&at("q"), &q);
        self.write(&at("difference"), &back);
        self.write(&at("rnea"), rnea(model, data, &q, &v, &a));
        self.write(&at("bias"), bias_force(model, data, &q, &v));
        self.write(&at("M"), crba(model, data, &q));
        match aba(model, data, &q, &v, &tau) {
            Ok(qdd) => self.write(&at("aba"), qdd),
            Err(e) => self.0 += &format!("{}: {e}\n", at("aba")),
        }
        self.write(&at("jacobians"), joint_jacobians(model, data, &q));
        let whole = centroidal_map(model, data, &q);
        self.write(&at("com"), whole.com.as_slice());
        self.write(&at("centroidal"), whole.map);
        let d = rnea_derivatives(model, data, &q, &v, &a);
        self.write(&at("rnea dq"), d.dq);
        self.write(&at("rnea dv"), d.dv);
        match aba_derivatives(model, data, &q, &v, &tau) {
            Ok(d) => [("dq", d.dq), ("dv", d.dv), ("dtau", d.dtau)]
                .iter()
                .for_each(|(what, x)| self.write(&at(&format!("aba {what}")), x)),
            Err(e) => self.0 += &format!("{}: {e}\n", at("aba derivatives")),
        }
        self.write(&at("energy"), &[kinetic_energy(model, data, &q, &v), potential_energy(model, data, &q)]);
    }

    /// The state after many steps without any force but gravity.
    fn swing(&mut self, model: &Model) {
        let data = &mut Data::new(model);
        let dt = 1e-3;
        let (mut q, zero) = (model.neutral(), vec![0.0; model.nv()]);
        let mut v: Vec<f64> = (0..model.nv()).map(|k| 0.1 * k as f64).collect();
        let (mut next, mut step) = (q.clone(), v.clone());
        for _ in 0..STEPS {
            let Ok(a) = aba(model, data, &q, &v, &zero) else { break };
            for k in 0..v.len() {
                v[k] += dt * a[k];
                step[k] = dt * v[k];
            }
            model.integrate(&q, &step, &mut next);
            core::mem::swap(&mut q, &mut next);
        }
        self.write(&format!("{} swing q", model.name()), &q);
        self.write(&format!("{} swing v", model.name()), &v);
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
