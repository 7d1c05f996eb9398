//! Forces of clips: exact static cases, flight, and the friction cone.

use crate::common::{clip_of, human, wave};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Role, Side, aba, center_of_mass};
use sinew_motion::BodyPoint;
use sinew_motion::estimate::{EstimateParams, Estimator, estimate};

const STILL: [f64; 35] = [0.0; 35];

#[test]
fn standing_is_carried_by_the_ground_and_the_torques_hold_it() {
    let human = human();
    let q = human.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q.clone();
    let forces = Estimator::new(&human, EstimateParams::default()).frame(&q, &STILL, &STILL, [[true; 2]; 2]);
    let weight = 9.81 * human.mass();
    let up: f64 = forces.contacts.iter().map(|c| c.force.z).sum();
    assert!((up - weight).abs() < 1e-7 * weight && forces.residual_force.norm() < 1e-7 * weight);
    assert!(forces.residual_moment.norm() < 1e-7 * weight);
    assert!(forces.contacts.iter().all(|c| c.force.z > 0.0 && c.force.xy().norm() <= c.force.z));
    // oracle: with these torques and forces, forward dynamics does not move
    let mut data = Data::new(&human);
    let mut push = forces.torques.clone();
    sinew_dynamics::forward_kinematics(&human, &mut data, &q);
    for c in &forces.contacts {
        let mut j = vec![0.0; 3 * 35];
        data.point_jacobian(&human, c.point.body, &c.at, &mut j);
        (0..35).for_each(|k| push[k] += (0..3).map(|i| j[3 * k + i] * c.force[i]).sum::<f64>());
    }
    let a = aba(&human, &mut data, &q, &STILL, &push).unwrap();
    assert!(a.iter().all(|x| x.abs() < 1e-6));
}

#[test]
fn on_tiptoe_with_the_mass_behind_something_is_missing() {
    // only the toes touch: the ground cannot pass the moment of the weight, which lies behind them
    let human = human();
    let q = human.neutral();
    let only_toes = [[false, true]; 2];
    let forces = Estimator::new(&human, EstimateParams::default()).frame(&q, &STILL, &STILL, only_toes);
    let mut data = Data::new(&human);
    let com = center_of_mass(&human, &mut data, &q);
    let arm = 0.1995 - com.x;
    assert!(forces.residual_moment.norm() > 0.1 * 9.81 * human.mass() * arm);
}

#[test]
fn flight_needs_no_hand() {
    // a tumbling body in free fall: accelerations from forward dynamics without torques
    let human = human();
    let mut data = Data::new(&human);
    let q = wave(&human, 0.4);
    let v: Vec<f64> = (0..35).map(|k| 0.3 * (k as f64).cos()).collect();
    let a = aba(&human, &mut data, &q, &v, &STILL).unwrap().to_vec();
    let forces = Estimator::new(&human, EstimateParams::default()).frame(&q, &v, &a, [[false; 2]; 2]);
    assert!(forces.residual_force.norm() < 1e-8 && forces.residual_moment.norm() < 1e-8);
    assert!(forces.torques.iter().all(|t| t.abs() < 1e-8));
}

#[test]
fn a_ballistic_clip_has_no_residual() {
    let human = human();
    let clip = clip_of(&human, 60.0, 30, |t| {
        let mut q = human.neutral();
        (q[0], q[2]) = (1.5 * t, 1.0 + 2.0 * t - 0.5 * 9.81 * t * t);
        q
    });
    let got = estimate(&clip, &EstimateParams::default());
    assert!(got.worst_force < 1e-9 && got.residual_moment < 1e-9 && got.longest_unphysical == 0.0);
}

#[test]
fn friction_limits_a_sideways_start() {
    // the whole body accelerates forward with 5 m/s²: friction 1 can give it, friction 0.3 gives 0.3 of the weight
    let human = human();
    let mut a = STILL;
    a[0] = 5.0;
    let (mass, weight) = (human.mass(), 9.81 * human.mass());
    for mu in [1.0, 0.3] {
        let params = EstimateParams { friction: mu, ..EstimateParams::default() };
        let forces = Estimator::new(&human, params).frame(&human.neutral(), &STILL, &a, [[true; 2]; 2]);
        let total: Vec3 = forces.contacts.iter().map(|c| c.force).sum();
        assert!(forces.contacts.iter().all(|c| c.force.x.abs() + c.force.y.abs() <= mu * c.force.z + 1e-6));
        assert!((total + forces.residual_force - Vec3::new(5.0 * mass, 0.0, weight)).norm() < 1e-6);
        if mu < 0.5 {
            assert!(forces.residual_force.x > 0.5 * (5.0 - 0.3 * 9.81) * mass);
        }
    }
}

#[test]
fn hands_on_a_bar_carry_the_body() {
    let human = human();
    // arms straight up, the mass under the hands
    let mut q = human.neutral();
    for side in ["shoulder_l", "shoulder_r"] {
        let at = human.joints()[human.joint(side).unwrap().0].q;
        q[at..at + 4].copy_from_slice(&[0.0, 0.0, 1.0, 0.0]);
    }
    // the bar exactly over the centre of mass
    let com = center_of_mass(&human, &mut Data::new(&human), &q);
    let at = Vec3::new(-com.x, 0.0, -0.34);
    let grips = Side::BOTH.map(|s| BodyPoint { body: human.role(Role::LowerArm(s)).unwrap(), at }).to_vec();
    let mut estimator = Estimator::new(&human, EstimateParams { grips, ..EstimateParams::default() });
    let forces = estimator.frame(&q, &STILL, &STILL, [[false; 2]; 2]);
    let weight = 9.81 * human.mass();
    assert!(forces.residual_force.norm() < 1e-6 * weight);
    assert!((forces.contacts[0].force.z - 0.5 * weight).abs() < 1e-6 * weight);
}
