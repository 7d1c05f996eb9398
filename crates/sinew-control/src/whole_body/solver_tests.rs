//! Eliminated torques against torques as unknowns.

use super::super::{Axes, Goal, PoseGain, Sole};
use super::*;
use sinew_dynamics::{Side, characters};

/// Rows with as many columns of zeros more.
fn padded_rows(rows: &[f64], columns: usize, more: usize) -> Vec<f64> {
    let padded = rows.chunks_exact(columns).flat_map(|row| row.iter().copied().chain(vec![0.0; more]));
    padded.collect()
}

/// A matrix of column-major columns, with columns of zeros added.
fn padded(a: &[f64], rows: usize, more: usize) -> Vec<f64> {
    let mut wide = a.to_vec();
    wide.resize(a.len() + rows * more, 0.0);
    wide
}

/// Torques as unknowns of their own, tied by the equations of motion, give the same accelerations and forces.
#[test]
fn eliminated_torques_change_nothing() {
    let model = Arc::new(characters::load("human").unwrap());
    let ready = model.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q.clone();
    let nv = model.nv();
    let v: Vec<f64> = (0..nv).map(|d| 0.1 * libm::sin(1.7 * d as f64)).collect();
    let mut body = WholeBody::new(Arc::clone(&model));
    body.kinetics.update(&ready, &v);
    let (mut objectives, mut holds) = (Vec::new(), Vec::new());
    for side in Side::BOTH {
        let Sole { body, center, corners, .. } = Sole::of(&model, side).unwrap();
        let goal = Goal::Accelerate(Vec3::zeros());
        let stay = Aim::Point { body, point: center, goal, axes: Axes::all(), from_com: false };
        objectives.push(Objective::new(1, 1.0, stay));
        let normal = Vec3::z();
        holds.extend(corners.map(|point| Foothold { body, point, normal, friction: 0.8, cost: 1.0 }));
    }
    let goal = Goal::Accelerate(Vec3::new(1.0, 0.5, 9.0));
    objectives.push(Objective::new(2, 1.0, Aim::Com { goal, axes: Axes::all() }));
    let gains = (0..nv).map(|d| PoseGain::new(5000.0, if d < 6 { 0.0 } else { 1.0 })).collect();
    objectives.push(Objective::new(3, 1.0, Aim::Pose { target: model.neutral().into(), gains }));
    assert_eq!(body.solve(&objectives, &holds), ControlStatus::Good);

    let (p, structure) = (body.problem.get().unwrap(), &body.structure);
    let (count, columns) = (structure.actuated.len(), p.columns(&body.kinetics));
    let tasks: Vec<Vec<f64>> = p.levels.iter().map(|rows| padded_rows(&rows.a, columns, count)).collect();
    let [first, second, third] = [0, 1, 2].map(|k| [Task::by_rows(&tasks[k], &p.levels[k].b)]);
    let limits = padded(&p.limit_matrix, structure.limited(), count);
    let mut damping = p.damping.clone();
    damping.resize(columns + count, 0.0);
    let levels = [
        Level::new(&first).with_inequalities(&limits, &p.limit_lower, &p.limit_upper),
        Level::new(&second),
        Level::new(&third).with_damping(&damping),
    ];
    let derived = body.kinetics.derived();
    // M v̇ − JᵀVλ − Sᵀτ = −h
    let mut motion = [derived.mass_matrix.as_slice(), &p.pyramids.torques].concat();
    for d in &structure.actuated {
        motion.extend((0..nv).map(|row| if row == *d { -1.0 } else { 0.0 }));
    }
    let bias: Vec<f64> = derived.bias.iter().map(|h| -h).collect();
    let most: Vec<f64> = structure.actuated.iter().map(|d| structure.effort[*d]).collect();
    let least: Vec<f64> = most.iter().map(|m| -m).collect();
    let bounds = [[&p.bound_lower[..], &least].concat(), [&p.bound_upper[..], &most].concat()];
    let hierarchy = Hierarchy::new(columns + count, &levels)
        .with_equalities(&motion, &bias)
        .with_bounds(&bounds[0], &bounds[1]);
    let mut solver = HqpSolver::new(HqpSize {
        variables: columns + count,
        rows: 3 * nv,
        levels: 3,
        equalities: nv,
        inequalities: structure.limited(),
        level_inequalities: structure.limited(),
    });
    let whole = solver.solve(&hierarchy).unwrap();
    assert_eq!(whole.status, HqpStatus::Solved);
    // some torques are at their limits, so that the test can fail
    let torques = &whole.x[columns..];
    assert!(torques.iter().zip(&most).any(|(t, m)| t.abs() > 0.999 * m));
    for (a, b) in whole.x[..columns].iter().zip(&body.solution) {
        assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} and {b}");
    }
    for (t, d) in torques.iter().zip(&structure.actuated) {
        assert!((t - body.torque[*d]).abs() < 1e-6 * (1.0 + t.abs()), "{t} and {}", body.torque[*d]);
    }
}
