//! The whole-body problem: exact answers.

use sinew_control::ControlStatus;
use sinew_control::whole_body::*;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Role, Side, aba, center_of_mass, characters};
use std::sync::Arc;

fn human() -> Arc<Model> {
    Arc::new(characters::load("human").unwrap())
}

/// The body ready to stand, with both feet on the ground, and objectives that keep it there.
fn standing(model: &Arc<Model>) -> (WholeBody, Vec<Objective>, Vec<Foothold>) {
    let mut body = WholeBody::new(model.clone());
    let ready = model.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q.clone();
    body.kinetics.update(&ready, &vec![0.0; model.nv()]);
    let (mut objectives, mut holds) = (vec![], vec![]);
    for side in Side::BOTH {
        let sole = Sole::of(model, side).unwrap();
        let (at, turn) =
            (body.kinetics.point(sole.body, &sole.center).0, body.kinetics.placement(sole.body).rot);
        let stay = Task::Point {
            body: sole.body,
            point: sole.center,
            goal: Goal::hold(at, 400.0),
            axes: Axes::all(),
            from_com: false,
        };
        let flat = Task::Orientation {
            body: sole.body,
            target: turn,
            rate: Vec3::zeros(),
            stiffness: 400.0,
            damping: 40.0,
            axes: Axes::all(),
        };
        objectives.extend([Objective::new(1, 1.0, stay), Objective::new(1, 1.0, flat)]);
        let hold = |point| Foothold { body: sole.body, point, normal: Vec3::z(), friction: 0.8, cost: 1.0 };
        holds.extend(sole.corners.map(hold));
    }
    let com = Task::Com { goal: Goal::hold(body.kinetics.com(), 40.0), axes: Axes::all() };
    objectives.push(Objective::new(2, 1.0, com));
    let gains = (0..model.nv()).map(|d| PoseGain::new(30.0, if d < 6 { 0.0 } else { 1.0 })).collect();
    objectives.push(Objective::new(3, 1.0, Task::Pose { target: ready.into(), gains }));
    (body, objectives, holds)
}

#[test]
fn a_standing_body_is_carried_under_its_centre_of_mass() {
    let model = human();
    let (mut body, objectives, holds) = standing(&model);
    assert_eq!(body.solve(&objectives, &holds), ControlStatus::Good);
    let total: Vec3 = body.forces().iter().sum();
    let weight = model.mass() * 9.81;
    assert!((total - Vec3::z() * weight).norm() < 1e-6 * weight, "{total:?}");
    let moment: Vec3 = holds
        .iter()
        .zip(body.forces())
        .map(|(h, f)| (body.kinetics.point(h.body, &h.point).0 - body.kinetics.com()).cross(f))
        .sum();
    assert!(moment.norm() < 1e-6 * weight, "{moment:?}");
    assert!(body.acceleration().iter().all(|a| a.abs() < 1e-6));
    assert!(body.torque()[..6].iter().all(|t| *t == 0.0));
}

#[test]
fn torques_give_the_accelerations_that_were_solved_for() {
    let model = human();
    let (mut body, mut objectives, holds) = standing(&model);
    // something that moves: the trunk goes forward and a hand up
    let com = body.kinetics.com() + Vec3::new(0.02, 0.01, -0.03);
    objectives[4].task = Task::Com { goal: Goal::hold(com, 40.0), axes: Axes::all() };
    assert_eq!(body.solve(&objectives, &holds), ControlStatus::Good);
    // forward dynamics with the same torques and forces
    let mut data = Data::new(&model);
    let mut tau = body.torque().to_vec();
    let mut jacobian = vec![0.0; 3 * model.nv()];
    for (hold, force) in holds.iter().zip(body.forces()) {
        sinew_dynamics::joint_jacobians(&model, &mut data, body.kinetics.q());
        let at = data.body_placement(&model, hold.body).act(&hold.point);
        data.point_jacobian(&model, hold.body, &at, &mut jacobian);
        for (t, j) in tau.iter_mut().zip(jacobian.chunks_exact(3)) {
            *t += j[0] * force.x + j[1] * force.y + j[2] * force.z;
        }
    }
    let a = aba(&model, &mut data, body.kinetics.q(), body.kinetics.v(), &tau).unwrap();
    for (got, want) in a.iter().zip(body.acceleration()) {
        assert!((got - want).abs() < 1e-6, "{got} {want}");
    }
}

#[test]
fn lower_levels_do_not_change_higher_ones() {
    let model = human();
    let (mut body, mut objectives, holds) = standing(&model);
    let goal = Goal::Accelerate(Vec3::new(0.5, 0.0, 0.0));
    objectives[4].task = Task::Com { goal, axes: Axes::all() };
    body.solve(&objectives, &holds);
    let alone = body.com_acceleration();
    // a trunk that wants to fall over, at a lower level
    let trunk = model.role(Role::Trunk).unwrap();
    let tip = Task::Point {
        body: trunk,
        point: Vec3::zeros(),
        goal: Goal::Accelerate(Vec3::new(-30.0, 10.0, 5.0)),
        axes: Axes::all(),
        from_com: false,
    };
    objectives.push(Objective::new(3, 100.0, tip));
    body.solve(&objectives, &holds);
    assert!((body.com_acceleration() - Vec3::new(0.5, 0.0, 0.0)).norm() < 1e-7);
    assert!((body.com_acceleration() - alone).norm() < 1e-7);
    // with weights they do
    body.priorities = Priorities::Weighted(vec![1e4, 1e2, 1.0]);
    body.solve(&objectives, &holds);
    assert!((body.com_acceleration() - alone).norm() > 1e-3);
}

#[test]
fn angular_momentum_rows_are_its_rate() {
    let model = human();
    let mut body = WholeBody::new(model.clone());
    let nv = model.nv();
    let mut q = model.neutral();
    let v: Vec<f64> = (0..nv).map(|i| (i as f64 * 1.7).sin()).collect();
    let step: Vec<f64> = (0..nv).map(|i| 0.3 * (i as f64 * 0.9).cos()).collect();
    model.integrate(&model.neutral(), &step, &mut q);
    // in free flight momentum stays, for any motion of the joints
    body.kinetics.update(&q, &v);
    let spin = body.kinetics.angular_momentum();
    let gains = (0..nv).map(|d| PoseGain::new(50.0, if d < 6 { 0.0 } else { 1.0 })).collect();
    body.solve(&[Objective::new(1, 1.0, Task::Pose { target: model.neutral().into(), gains })], &[]);
    let dt = 1e-6;
    let (mut q2, mut v2) = (q.clone(), v.clone());
    v2.iter_mut().zip(body.acceleration()).for_each(|(v, a)| *v += a * dt);
    let mean: Vec<f64> = v.iter().zip(&v2).map(|(a, b)| 0.5 * (a + b) * dt).collect();
    model.integrate(&q, &mean, &mut q2);
    body.kinetics.update(&q2, &v2);
    assert!((body.kinetics.angular_momentum() - spin).norm() / dt < 1e-3);
    let mut data = Data::new(&model);
    assert!((center_of_mass(&model, &mut data, &q2) - body.kinetics.com()).norm() < 1e-12);
}

#[test]
fn objectives_beyond_the_limits_are_approached_within_them() {
    let model = human();
    let (mut body, mut objectives, holds) = standing(&model);
    // a jerk upwards and a spin that no foot can hold
    objectives[4].task = Task::Com { goal: Goal::Accelerate(Vec3::z() * 60.0), axes: Axes::all() };
    let spin = Task::AngularMomentum { target: Vec3::new(20.0, -30.0, 100.0), gain: 15.0 };
    objectives.push(Objective::new(2, 0.1, spin));
    assert_eq!(body.solve(&objectives, &holds), ControlStatus::Good);
    let within = |x: &[f64], most: &dyn Fn(usize) -> f64| {
        x.iter().enumerate().skip(6).all(|(d, x)| x.abs() <= most(d) * (1.0 + 1e-6))
    };
    assert!(within(body.torque(), &|d| model.effort_limits()[d]));
    assert!(within(body.acceleration(), &|_| body.acceleration_limit));
    assert!(body.com_acceleration().z > 5.0);
}

#[test]
fn without_a_solution_joints_become_weak_springs() {
    let model = human();
    let (mut body, mut objectives, holds) = standing(&model);
    body.solve(&objectives, &holds);
    let goal = Goal::Accelerate(Vec3::repeat(f64::NAN));
    objectives[4].task = Task::Com { goal, axes: Axes::all() };
    // an arm away from its target is drawn back gently
    let mut q = body.kinetics.q().to_vec();
    let elbow = model.joints().iter().find(|j| j.name == "elbow_l").unwrap();
    q[elbow.q] += 0.5;
    body.kinetics.update(&q, &vec![0.0; model.nv()]);
    assert_eq!(body.solve(&objectives, &holds), ControlStatus::FellBack);
    assert_eq!((body.fallbacks(), body.forces().len()), (1, 0));
    assert!(body.torque().iter().zip(model.effort_limits()).all(|(t, e)| t.abs() <= *e));
    let drawn = body.torque()[elbow.v];
    let Task::Pose { target, .. } = &mut objectives[5].task else { panic!("not a pose") };
    *target = q.into();
    body.solve(&objectives, &holds);
    let held = body.torque()[elbow.v];
    assert!(drawn < held - 0.1 && drawn > held - 5.0, "{drawn} {held}");
}
