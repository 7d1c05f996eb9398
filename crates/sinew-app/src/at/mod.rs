//! `sinew inspect MODEL --at STATES.json --json`: dynamics at given states.
//!
//! States come in MuJoCo's layout (`qpos`, `qvel`, `qfrc`) or Pinocchio's (`q`, `v`, `tau`); results leave in both.

mod convention;
mod evaluate;
mod read;

use crate::output;
use crate::source::Loaded;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use sinew::dynamics::{Model, file};
use std::path::Path;

/// Greatest size of a file of states.
const MOST: u64 = 256 << 20;

/// Evaluates the model at the states of a file and writes the results.
pub(crate) fn run(loaded: &Loaded, states: &Path, sites: &[String], out: Option<&Path>) -> Result<()> {
    let model = &loaded.model;
    let shown = states.display();
    let text = file::read_text(states, MOST).with_context(|| format!("cannot read `{shown}`"))?;
    let mut assumed = Vec::new();
    let states = read::states(&text, model, &mut assumed).with_context(|| format!("`{shown}`"))?;
    let sites = evaluate::sites(loaded, sites)?;
    let evaluated = states
        .iter()
        .enumerate()
        .map(|(i, state)| evaluate::state(model, state, &sites).with_context(|| format!("states[{i}]")))
        .collect::<Result<Vec<_>>>()?;
    output::emit(out, &document(loaded, &assumed, &evaluated)?)
}

/// The whole answer, one state per line.
fn document(loaded: &Loaded, assumed: &[String], states: &[Value]) -> Result<String> {
    let head = json!({
        "about": format!("dynamics of {} evaluated by sinew {}", loaded.model.name(), env!("CARGO_PKG_VERSION")),
        "assumed": assumed,
        "conventions": conventions(),
        "model": about_model(&loaded.model),
    });
    let lines = states.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    let head = serde_json::to_string_pretty(&head)?;
    let head = head.trim_end().trim_end_matches('}').trim_end();
    Ok(format!("{head},\n  \"states\": [\n{}\n]}}\n", lines.join(",\n")))
}

fn about_model(model: &Model) -> Value {
    let joints: Vec<_> =
        model.joints().iter().map(|j| json!({"name": j.name, "idx_q": j.q, "idx_v": j.v})).collect();
    json!({
        "name": model.name(), "nq": model.nq(), "nv": model.nv(), "mass": model.mass(),
        "gravity": model.gravity().as_slice(), "joints": joints,
    })
}

fn conventions() -> Value {
    json!({
        "units": "SI (m, kg, s, rad, N, N m)",
        "joint order": "as in model.joints, depth first",
        "mj.qpos": "free joint: position in the world, quaternion w x y z; ball: quaternion w x y z; hinge, slide: one number",
        "mj.qvel": "free joint: linear velocity in world axes, angular velocity in body axes; ball: angular velocity in child axes",
        "mj.qfrc": "dual of mj.qvel; the whole generalised force, springs and dampers of the joints are not added",
        "mj.qacc": "time derivative of mj.qvel, entry by entry",
        "pin.q": "as mj.qpos with quaternions x y z w",
        "pin.v": "as mj.qvel, but a free joint's linear velocity in body axes",
        "pin.tau": "dual of pin.v",
        "pin.qdd": "time derivative of pin.v, entry by entry",
        "M, h": "M qdd + h = tau, gravity in h; matrices are lists of rows",
        "com, vcom, linmom, angmom, hg, Ag": "world axes; angular momentum about the centre of mass; hg = Ag pin.v, linear part first",
        "derivatives": "of tau (rnea_) at (q, v, qdd) and of qdd (aba_) at (q, v, tau); dq is a right perturbation in the frames of pin.v",
        "contacts": "p: the sites in the world; J: rows x y z per site, world axes, point velocity = J pin.v; a0: point acceleration at pin.qdd = 0; J_mj, a0_mj: the same for mj.qvel and mj.qacc",
    })
}
