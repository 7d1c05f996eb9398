//! The model and the states that the kernels are timed on.

use crate::source;
use anyhow::{Context, Result, ensure};
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use sinew::dynamics::{Data, Model, aba, crba, file};
use std::path::Path;

/// Number of random states.
const STATES: usize = 20;
/// Greatest relative difference to the reference before timing.
const TOLERANCE: f64 = 1e-9;

/// A configuration, velocity, force and acceleration.
pub(crate) struct State {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) tau: Vec<f64>,
    pub(crate) a: Vec<f64>,
    /// Mass matrix and acceleration by the reference file.
    expected: Option<(Vec<f64>, Vec<f64>)>,
}

pub(crate) struct Inputs {
    pub(crate) model: Model,
    pub(crate) states: Vec<State>,
    /// Where the states come from.
    pub(crate) about: String,
}

impl Inputs {
    /// From `$DATA_DIR` when that is set, else the built-in `human42` at random states.
    pub(crate) fn load(seed: u64) -> Result<Inputs> {
        match std::env::var_os("DATA_DIR") {
            Some(folder) => Inputs::reference(Path::new(&folder)).context("DATA_DIR"),
            None => Inputs::random(seed),
        }
    }

    fn reference(folder: &Path) -> Result<Inputs> {
        let model = source::load_plain(&folder.join("humanoid42.xml").to_string_lossy())?.model;
        let path = folder.join("humanoid42_states.json");
        let text = file::read_text(&path, super::MOST)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let whole: Value = serde_json::from_str(&text).with_context(|| format!("`{}`", path.display()))?;
        let list = whole["states"].as_array().context("no list of states")?;
        ensure!(!list.is_empty(), "the list of states is empty");
        let read = |(i, s): (usize, &Value)| {
            let mj = &s["mj"];
            let [q, v, tau, a, m] = ["qpos", "qvel", "qfrc", "qacc", "M"].map(|key| numbers(&mj[key]));
            let sizes = [q.len(), v.len(), tau.len(), a.len(), m.len()];
            let (nq, nv) = (model.nq(), model.nv());
            ensure!(sizes == [nq, nv, nv, nv, nv * nv], "states[{i}].mj does not fit the model");
            Ok(State { q, v, tau, expected: Some((m, a.clone())), a })
        };
        let states = list.iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
        let about = format!("{} states of {}", states.len(), path.display());
        Ok(Inputs { model, states, about })
    }

    fn random(seed: u64) -> Result<Inputs> {
        let model = source::load_plain("human42")?.model;
        let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
        let mut reals = |n: usize, scale: f64| -> Vec<f64> {
            (0..n).map(|_| scale * (2.0 * random.random::<f64>() - 1.0)).collect()
        };
        let nv = model.nv();
        let neutral = model.neutral();
        let states = (0..STATES)
            .map(|_| {
                let mut q = neutral.clone();
                model.integrate(&neutral, &reals(nv, 1.0), &mut q);
                State { q, v: reals(nv, 2.0), tau: reals(nv, 30.0), a: reals(nv, 30.0), expected: None }
            })
            .collect();
        Ok(Inputs { model, states, about: format!("{STATES} random states, seed {seed}") })
    }

    /// The first result that differs from the reference file, in words.
    pub(crate) fn disagreement(&self) -> Option<String> {
        let model = &self.model;
        let mut data = Data::new(model);
        for (i, s) in self.states.iter().enumerate() {
            let m = crba(model, &mut data, &s.q).to_vec();
            let a = match aba(model, &mut data, &s.q, &s.v, &s.tau) {
                Ok(a) => a,
                Err(e) => return Some(format!("states[{i}]: {e}")),
            };
            let Some((m_expected, a_expected)) = &s.expected else { continue };
            for (what, error) in [("M", difference(&m, m_expected)), ("qacc", difference(a, a_expected))] {
                if !(error <= TOLERANCE) {
                    return Some(format!("states[{i}]: {what} differs from the reference by {error:.1e}"));
                }
            }
        }
        None
    }
}

/// Greatest difference, relative to the greatest entry.
fn difference(got: &[f64], want: &[f64]) -> f64 {
    let scale = want.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
    let worst =
        |e: f64, (a, b): (&f64, &f64)| if (a - b).is_nan() { f64::INFINITY } else { e.max((a - b).abs()) };
    got.iter().zip(want).fold(0.0, worst) / scale
}

/// All numbers in nested lists; nothing for anything else.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}
