//! The kernels that are timed, under the names by which benchmark reports know them.

use super::Row;
use super::inputs::Inputs;
use super::timing::measure;
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{
    Constraint, Constraints, Data, Role, Side, aba, aba_derivatives, bias_force, centroidal_map,
    constrained_dynamics, constrained_dynamics_derivatives, crba, joint_jacobians, rnea, rnea_derivatives,
};
use std::hint::black_box;

/// All names, in the order of the table.
pub(crate) const NAMES: [&str; 10] = [
    "rnea",
    "bias",
    "crba",
    "aba",
    "joint_jacobians",
    "centroidal_map",
    "rnea_derivatives",
    "aba_derivatives",
    "constraint_dynamics_2x6d",
    "constraint_dynamics+derivatives_2x6d",
];

/// Times the kernels that `asked` wants for `budget` seconds each.
pub(crate) fn time_all(inputs: &Inputs, asked: impl Fn(&str) -> bool, budget: f64) -> Vec<Row> {
    let (model, states) = (&inputs.model, &inputs.states);
    let data = &mut Data::new(model);
    // both feet held, six rows each
    let feet = Side::BOTH.into_iter().filter_map(|side| model.role(Role::Foot(side)));
    let feet = &mut Constraints::new(model, feet.map(|foot| Constraint::body(foot, Vec3::zeros())).collect());
    let mut rows = Vec::new();
    for name in NAMES.iter().filter(|name| asked(name)) {
        // each arm is its own loop around one inlined call
        macro_rules! time {
            ($s:ident => $call:expr) => {
                measure(states.len(), budget, |i| {
                    let $s = &states[i];
                    let _ = black_box($call);
                })
            };
        }
        let samples = match *name {
            "rnea" => time!(s => rnea(model, data, &s.q, &s.v, &s.a)),
            "bias" => time!(s => bias_force(model, data, &s.q, &s.v)),
            "crba" => time!(s => crba(model, data, &s.q)),
            "aba" => time!(s => aba(model, data, &s.q, &s.v, &s.tau)),
            "joint_jacobians" => time!(s => joint_jacobians(model, data, &s.q)),
            "centroidal_map" => time!(s => centroidal_map(model, data, &s.q)),
            "rnea_derivatives" => time!(s => rnea_derivatives(model, data, &s.q, &s.v, &s.a)),
            "aba_derivatives" => time!(s => aba_derivatives(model, data, &s.q, &s.v, &s.tau)),
            "constraint_dynamics_2x6d" => {
                time!(s => constrained_dynamics(model, data, feet, &s.q, &s.v, &s.tau))
            }
            "constraint_dynamics+derivatives_2x6d" => {
                time!(s => constrained_dynamics_derivatives(model, data, feet, &s.q, &s.v, &s.tau))
            }
            other => unreachable!("`{other}` is listed but not timed"),
        };
        rows.push(Row { name, samples });
    }
    rows
}
