//! Dynamics at one state, in both conventions.

use super::convention::Frames;
use super::read::{State, quaternions};
use crate::source::Loaded;
use anyhow::{Context, Result};
use nalgebra::{DMatrix, DVector};
use serde_json::{Value, json};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{
    BodyId, Data, Model, Role, Side, aba_derivatives, bias_force, centroidal_map, crba,
    forward_accelerations, momentum, rnea_derivatives,
};

/// A point of a body whose Jacobian is asked for.
pub(crate) struct Point {
    name: String,
    body: BodyId,
    /// In the body's frame.
    at: Vec3,
}

/// The sites of these names, or else those of the feet and toes, left before right.
pub(crate) fn sites(loaded: &Loaded, names: &[String]) -> Result<Vec<Point>> {
    let model = &loaded.model;
    if !names.is_empty() {
        let named = |name: &String| {
            let (body, site) = model.site(name).with_context(|| unknown_site(model, name))?;
            Ok(Point { name: name.clone(), body, at: site.pos })
        };
        return names.iter().map(named).collect();
    }
    let feet = Side::BOTH.into_iter().flat_map(|side| [Role::Foot(side), Role::Toe(side)]);
    let feet = feet.filter_map(|role| model.role(role));
    let points = feet.flat_map(|body| {
        let point = move |s: &sinew::dynamics::Site| Point { name: s.name.clone(), body, at: s.pos };
        model.bodies()[body.0].sites.iter().map(point)
    });
    Ok(points.collect())
}

fn unknown_site(model: &Model, name: &str) -> String {
    let known: Vec<_> = model.bodies().iter().flat_map(|b| &b.sites).map(|s| s.name.as_str()).collect();
    format!("--sites: the model has no site `{name}`; it has: {}", known.join(", "))
}

/// Everything at one state.
pub(crate) fn state(model: &Model, state: &State, points: &[Point]) -> Result<Value> {
    let State { q, v, tau } = state;
    let nv = model.nv();
    let data = &mut Data::new(model);
    let frames = Frames::new(model, q);
    let square = |x: &[f64]| DMatrix::from_column_slice(nv, nv, x);

    // in the library's own coordinates
    let m = square(crba(model, data, q));
    let h = DVector::from_column_slice(bias_force(model, data, q, v));
    let forward = aba_derivatives(model, data, q, v, tau)?;
    let qacc = DVector::from_column_slice(forward.acceleration);
    let (a_q, a_v, inverse) = (square(forward.dq), square(forward.dv), square(forward.dtau));
    let inverse_dynamics = rnea_derivatives(model, data, q, v, qacc.as_slice());
    let (tau_q, tau_v) = (square(inverse_dynamics.dq), square(inverse_dynamics.dv));
    let whole = centroidal_map(model, data, q);
    let (com, mass, map) = (whole.com, whole.mass, DMatrix::from_column_slice(6, nv, whole.map));
    let moving = momentum(model, data, q, v);
    let (v, tau) = (DVector::from_column_slice(v), DVector::from_column_slice(tau));

    // in Pinocchio's
    let (v_pin, tau_pin) = (frames.to_body(&v), frames.to_body(&tau));
    let turning = frames.turning(&v_pin);
    let m_pin = frames.both(&m);
    let h_pin = frames.to_body(&h) + &m_pin * &turning;
    let qdd = frames.to_body(&qacc) - &turning;
    let at = [&v_pin, &qdd, &tau_pin];
    let (rnea_dq, rnea_dv) = frames.inverse_derivatives([&tau_q, &tau_v, &m], at);
    let (aba_dq, aba_dv) = frames.forward_derivatives([&a_q, &a_v, &inverse], at);
    let mut hg = moving.linear.as_slice().to_vec();
    hg.extend(moving.angular.as_slice());

    Ok(json!({
        "pin": {
            "q": with_scalar_last(model, q), "v": v_pin.as_slice(), "tau": tau_pin.as_slice(),
            "M": rows(&m_pin), "h": h_pin.as_slice(), "qdd": qdd.as_slice(),
            "com": com.as_slice(), "vcom": (moving.linear / mass).as_slice(),
            "hg": hg, "Ag": rows(&frames.columns(&map)),
            "rnea_dq": rows(&rnea_dq), "rnea_dv": rows(&rnea_dv),
            "aba_dq": rows(&aba_dq), "aba_dv": rows(&aba_dv),
        },
        "mj": {
            "qpos": q, "qvel": v.as_slice(), "qfrc": tau.as_slice(),
            "M": rows(&m), "h": h.as_slice(), "qacc": qacc.as_slice(),
            "com": com.as_slice(), "linmom": moving.linear.as_slice(), "angmom": moving.angular.as_slice(),
        },
        "contacts": contacts(model, data, state, points, &frames, &turning),
    }))
}

/// Places, Jacobians and bias accelerations of the points.
fn contacts(
    model: &Model,
    data: &mut Data,
    state: &State,
    points: &[Point],
    frames: &Frames,
    turning: &DVector<f64>,
) -> Value {
    let nv = model.nv();
    forward_accelerations(model, data, &state.q, &state.v, &vec![0.0; nv]);
    let mut p = Vec::new();
    let mut jacobian = DMatrix::zeros(3 * points.len(), nv);
    let mut bias = DVector::zeros(3 * points.len());
    let mut one = DMatrix::zeros(3, nv);
    for (k, point) in points.iter().enumerate() {
        let place = data.body_placement(model, point.body).act(&point.at);
        data.point_jacobian(model, point.body, &place, one.as_mut_slice());
        jacobian.rows_mut(3 * k, 3).copy_from(&one);
        bias.rows_mut(3 * k, 3).copy_from(&data.point_acceleration(model, point.body, &place));
        p.push(<[f64; 3]>::from(place));
    }
    let jacobian_pin = frames.columns(&jacobian);
    let bias_pin = &bias + &jacobian_pin * turning;
    json!({
        "sites": points.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        "p": p, "J": rows(&jacobian_pin), "a0": bias_pin.as_slice(),
        "J_mj": rows(&jacobian), "a0_mj": bias.as_slice(),
    })
}

fn rows(m: &DMatrix<f64>) -> Vec<Vec<f64>> {
    m.row_iter().map(|r| r.iter().copied().collect()).collect()
}

/// `q` with quaternions x y z w.
fn with_scalar_last(model: &Model, q: &[f64]) -> Vec<f64> {
    let mut out = q.to_vec();
    for (at, _) in quaternions(model) {
        out[at..at + 4].rotate_left(1);
    }
    out
}
