//! Reading the states of a JSON file.
//!
//! The file is a list of states, or an object with the list under `states`. A state holds `qpos`, `qvel`, `qfrc`
//! (MuJoCo's layout) or `q`, `v`, `tau` (Pinocchio's), at its top or under `mj` or `pin`; where both stand, `mj` counts.
//! Velocity and force may be left out: they are then zero, which is noted.

use super::convention::Frames;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use sinew::dynamics::{JointKind, Model};

/// A state in the layout of the library.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) tau: Vec<f64>,
}

const MUJOCO: [&str; 3] = ["qpos", "qvel", "qfrc"];
const PINOCCHIO: [&str; 3] = ["q", "v", "tau"];

/// All states of a file; `assumed` receives what the file leaves open.
pub(crate) fn states(text: &str, model: &Model, assumed: &mut Vec<String>) -> Result<Vec<State>> {
    let file: Value = serde_json::from_str(text).context("this is not JSON")?;
    let list = file.as_array().or_else(|| file["states"].as_array());
    let list = list.context("expected a list of states, or an object with the list under \"states\"")?;
    ensure!(!list.is_empty(), "the list of states is empty");
    let read = |(i, s)| state(s, model, i, assumed).with_context(|| format!("states[{i}]"));
    list.iter().enumerate().map(read).collect()
}

fn state(value: &Value, model: &Model, at: usize, assumed: &mut Vec<String>) -> Result<State> {
    let holds = |v: &Value, key: &str| v.get(key).is_some_and(|x| !x.is_null());
    let (part, keys) = if holds(&value["mj"], MUJOCO[0]) {
        (&value["mj"], MUJOCO)
    } else if holds(&value["pin"], PINOCCHIO[0]) {
        (&value["pin"], PINOCCHIO)
    } else if holds(value, MUJOCO[0]) {
        (value, MUJOCO)
    } else if holds(value, PINOCCHIO[0]) {
        (value, PINOCCHIO)
    } else {
        bail!("no configuration: give \"qpos\" (with \"qvel\", \"qfrc\") or \"q\" (with \"v\", \"tau\")");
    };
    let mut read = |key: &str, size: usize, required: bool| -> Result<Vec<f64>> {
        if !required && !holds(part, key) {
            refuse_misspelt(part, key)?;
            assumed.push(format!("states[{at}]: no \"{key}\", taken as zero"));
            return Ok(vec![0.0; size]);
        }
        numbers(&part[key], key, size, model)
    };
    let (nq, nv) = (model.nq(), model.nv());
    let mut q = read(keys[0], nq, true)?;
    let mut v = read(keys[1], nv, false)?;
    let mut tau = read(keys[2], nv, false)?;
    if keys == PINOCCHIO {
        quaternions_from_xyzw(model, &mut q);
    }
    unit_quaternions(model, &mut q, at, assumed)?;
    if keys == PINOCCHIO {
        let frames = Frames::new(model, &q);
        frames.to_world(&mut v);
        frames.to_world(&mut tau);
    }
    Ok(State { q, v, tau })
}

/// A key that differs by one typing error from a missing one is an error; other unknown keys may belong to other programs.
fn refuse_misspelt(part: &Value, missing: &str) -> Result<()> {
    let slip = |key: &&String| {
        key.len() > 1
            && !MUJOCO.contains(&key.as_str())
            && !PINOCCHIO.contains(&key.as_str())
            && strsim::damerau_levenshtein(&key.to_lowercase(), missing) <= 1
    };
    match part.as_object().and_then(|o| o.keys().find(slip)) {
        Some(key) => bail!("there is \"{key}\" and no \"{missing}\"; did you mean that?"),
        None => Ok(()),
    }
}

fn numbers(value: &Value, key: &str, size: usize, model: &Model) -> Result<Vec<f64>> {
    let list = value.as_array().with_context(|| format!("\"{key}\" is not a list of numbers"))?;
    ensure!(
        list.len() == size,
        "\"{key}\" has {} numbers, but the model \"{}\" needs {size} (nq = {}, nv = {})",
        list.len(),
        model.name(),
        model.nq(),
        model.nv()
    );
    let number = |(i, x): (usize, &Value)| {
        x.as_f64()
            .filter(|x| x.is_finite())
            .with_context(|| format!("{key}[{i}] is {x}, not a finite number"))
    };
    list.iter().enumerate().map(number).collect()
}

/// Where the quaternions begin in `q`.
pub(super) fn quaternions(model: &Model) -> impl Iterator<Item = (usize, &str)> {
    model.joints().iter().filter_map(|j| match j.kind {
        JointKind::Free => Some((j.q + 3, j.name.as_str())),
        JointKind::Ball => Some((j.q, j.name.as_str())),
        _ => None,
    })
}

fn quaternions_from_xyzw(model: &Model, q: &mut [f64]) {
    for (at, _) in quaternions(model) {
        q[at..at + 4].rotate_right(1);
    }
}

/// Quaternions must have unit length: small errors are corrected with a note, large ones are refused.
fn unit_quaternions(model: &Model, q: &mut [f64], at: usize, assumed: &mut Vec<String>) -> Result<()> {
    for (start, joint) in quaternions(model) {
        let part = &mut q[start..start + 4];
        let length = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        ensure!(
            (length - 1.0).abs() < 1e-3,
            "the quaternion of joint \"{joint}\" has length {length}; it must be 1"
        );
        if (length - 1.0).abs() > 1e-12 {
            part.iter_mut().for_each(|x| *x /= length);
            assumed.push(format!("states[{at}]: the quaternion of joint \"{joint}\" was scaled to length 1"));
        }
    }
    Ok(())
}
