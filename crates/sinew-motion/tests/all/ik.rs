//! Inverse kinematics: closed forms, and forward kinematics as the judge.

use crate::common::human;
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{Data, Model, Role, Side, characters, forward_kinematics};
use sinew_motion::ik::{IkSolver, IkTarget, LimbError, LimbIk, TwoLink};

#[test]
fn the_triangle_of_a_leg() {
    // spec T10 of data-driven control
    let leg = TwoLink { upper: 0.444439, lower: 0.421185 };
    for (distance, knee, hip) in [(0.80, 135.076, 21.826), (0.75, 120.068, 29.079)] {
        let t = leg.triangle(distance);
        assert!((t.middle.to_degrees() - knee).abs() < 6e-4 && (t.root.to_degrees() - hip).abs() < 6e-4);
    }
    assert_eq!(leg.triangle(0.0).distance, leg.upper - leg.lower);
}

fn leg(model: &Model, side: Side) -> LimbIk {
    let role = |r| model.role(r).unwrap();
    let [thigh, shin, foot] = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(role);
    LimbIk::new(model, role(Role::Pelvis), thigh, shin, foot).unwrap()
}

#[test]
fn legs_reach_any_goal_within_their_limits() {
    for name in ["human", "human29", "human42", "human-mocap"] {
        let model = characters::load(name).unwrap();
        let mut data = Data::new(&model);
        for (k, side) in (0..60).flat_map(|k| Side::BOTH.map(|s| (k, s))) {
            let leg = leg(&model, side);
            // a goal that some pose within the limits has
            let wave = |c: f64| (1.1 * k as f64 + c).sin();
            let mut there = model.neutral();
            let turn = rotation::exp(&Vec3::new(0.1 * wave(0.0), -0.5 + 0.4 * wave(1.0), 0.2 * wave(2.0)));
            for joint in model.joints() {
                let range = model.bodies()[joint.body.0].joints[joint.nth].range.unwrap_or([0.0, 1.0]);
                let name = joint.name.as_str();
                if name.starts_with("hip") {
                    there[joint.q..joint.q + 4].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
                } else if name.starts_with("knee") && joint.kind.nq() == 1 {
                    there[joint.q] = 0.8 + 0.6 * wave(3.0);
                } else if name.starts_with("knee") {
                    let bend = rotation::exp(&(Vec3::y() * (0.8 + 0.6 * wave(3.0))));
                    there[joint.q..joint.q + 4].copy_from_slice(&[bend.w, bend.i, bend.j, bend.k]);
                } else if name.starts_with("ankle") && joint.kind.nq() == 1 {
                    there[joint.q] = 0.5 * (range[0] + range[1]) + 0.2 * wave(4.0) * (range[1] - range[0]);
                }
            }
            forward_kinematics(&model, &mut data, &there);
            let (base, goal) =
                (data.body_placement(&model, leg.base()), data.body_placement(&model, leg.end()));
            // from a slightly bent start
            let mut q = model.spec().keyframes.iter().find(|f| f.name == "ready").unwrap().q.clone();
            q[..7].copy_from_slice(&there[..7]);
            let reach = leg.solve(&base, &mut q, &leg.joint(&goal), Some(&rotation::from_matrix(&goal.rot)));
            forward_kinematics(&model, &mut data, &q);
            let at = data.body_placement(&model, leg.end());
            let off = (at.pos - goal.pos).norm() + (at.rot - goal.rot).norm();
            assert!(off < 1e-9, "{name}, {k}, {side:?}: {off:e}, {reach:?}");
        }
    }
}

#[test]
fn a_leg_out_of_reach_is_stretched_towards_its_goal() {
    let model = human();
    let leg = leg(&model, Side::Left);
    let mut q = model.neutral();
    let base = Placement::new(Quat::identity(), Vec3::z());
    let hip = leg.root(&base);
    let goal = hip + Vec3::new(1.0, 0.0, -2.0);
    let reach = leg.solve(&base, &mut q, &goal, None);
    let links = leg.links();
    assert!((reach.distance - ((goal - hip).norm() - links.upper - links.lower)).abs() < 1e-9);
    let (_, end) = leg.place(&base, &q);
    assert!((end - hip).cross(&(goal - hip)).norm() < 1e-9);
}

#[test]
fn bodies_that_are_no_limb_are_refused() {
    let model = human();
    let role = |r| model.role(r).unwrap();
    let refused = LimbIk::new(
        &model,
        role(Role::Pelvis),
        role(Role::Thigh(Side::Left)),
        role(Role::Shin(Side::Right)),
        role(Role::Foot(Side::Right)),
    );
    assert!(matches!(refused, Err(LimbError::Order { .. })));
}

#[test]
fn damped_least_squares_agrees_and_keeps_limits() {
    let model = human();
    let (hand, site) = model.site("hand_r").unwrap();
    let foot = model.role(Role::Foot(Side::Left)).unwrap();
    let mut data = Data::new(&model);
    let mut q = model.neutral();
    let mut solver = IkSolver::new(&model);
    solver.settings.posture = 1e-6;
    let place = Vec3::new(0.35, -0.1, 1.2);
    let targets = [
        IkTarget::position(hand, site.pos, place),
        IkTarget::orientation(foot, rotation::exp(&(Vec3::y() * -0.2))),
        IkTarget::position(foot, Vec3::zeros(), Vec3::new(0.2, 0.1, 0.15)),
    ];
    let outcome = solver.solve(&model, &mut q, &targets);
    assert!(outcome.distance < 1e-6 && outcome.angle < 1e-6, "{outcome:?}");
    forward_kinematics(&model, &mut data, &q);
    assert!((data.body_placement(&model, hand).act(&site.pos) - place).norm() < 1e-6);
    // an elbow cannot bend backwards: the goal behind the shoulder blade is not reached, the limit is kept
    let elbow = model.joints()[model.joint("elbow_r").unwrap().0].q;
    let far = [IkTarget::position(hand, site.pos, Vec3::new(-3.0, -0.2, 1.0))];
    solver.free(|name| name.starts_with("elbow"));
    let mut q = model.neutral();
    solver.solve(&model, &mut q, &far);
    assert!((0.0..=2.618).contains(&q[elbow]) && q[elbow] < 1e-9);
}

#[test]
fn solving_does_not_allocate() {
    let model = human();
    let leg = leg(&model, Side::Left);
    let mut solver = IkSolver::new(&model);
    let mut q = model.neutral();
    let base = Placement::new(Quat::identity(), Vec3::z());
    let goal = leg.root(&base) + Vec3::new(0.1, 0.0, -0.7);
    let foot = [IkTarget::position(leg.end(), Vec3::zeros(), Vec3::new(0.2, 0.1, 0.2))];
    let counted = allocation_counter::measure(|| {
        leg.solve(&base, &mut q, &goal, Some(&Quat::identity()));
        solver.solve(&model, &mut q, &foot);
    });
    assert_eq!(counted.count_total, 0);
}
