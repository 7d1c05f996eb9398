//! Balance: five rules modify the captured pose of the next frame (section 4 of the paper, in the order of its program).
//!
//! With `e_v = v − v_d` and `e_d = d − d_d` the horizontal velocity of the pelvis and its place over the standing ankle, simulated
//! minus captured, `u` the direction of travel, `a = ẑ × u` the left, and `s(τ) = 3τ² − 2τ³` of the phase `τ` of the step:
//!
//! | rule | equation |
//! | --- | --- |
//! | foot angle | the standing foot turns to the captured angle to the ground, `slerp(own, captured, s(τ/t_foot))` |
//! | stance hip (2) | the standing thigh turns to where the simulated one is, `(q⁻¹ q_d)^{c0 s(τ)}`: tracking then turns the pelvis upright |
//! | swing hip (3) | the swinging thigh turns by `R_c R_s`: `R_s = exp(−s (c1 e_v + c2 e_d)·u a)`, `R_c = exp(s (c1 e_v + c2 e_d)·a u)` |
//! | swing height (5) | the ankle rises by `Δ = (c5 (h_d − h) + c6 (ḣ_d − ḣ)) s(τ) + c_mid b(τ)`; if `Δ < 0`, the standing leg shortens by it |
//! | stance ankle (4) | the standing foot turns by `exp(s_a c3 ẑ × e_v) exp(s_a c4 ẑ × e_d)` |
//!
//! Too fast: the leg swings further ahead, and the toes press down. The two turn in opposite senses about `a`, although the printed
//! equations look alike. Each rule turns one joint in the world's axes, and the limb below it follows. Rules need no physics.

use super::figure::{Figure, slerp};
use super::gains::{Gains, Rules};
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{Data, Side};
use sinew_motion::transition::{bump, ease};

/// Frames at the beginning of a run without feedback at the ankle.
const QUIET: usize = 5;

/// Captured quantities at the frame that the rules modify.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The standing leg; the right one in double support.
    pub(super) stance: Side,
    /// Whether the other one swings.
    pub(super) swings: bool,
    /// Phase of the step; 1 while it is extended.
    pub(super) phase: f64,
    /// Whether it is extended.
    pub(super) extended: bool,
    /// Number of the frame.
    pub(super) frame: usize,
    /// Orientation of the standing foot.
    pub(super) foot: Quat,
    /// Horizontal velocity of the pelvis, m/s, and its place over the standing ankle, m.
    pub(super) velocity: Vec3,
    pub(super) place: Vec3,
    /// Height of the swinging ankle over the fragment's ground in the last target, and its rate.
    pub(super) height: f64,
    pub(super) rise: f64,
}

/// Simulated quantities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Felt {
    /// Horizontal velocity of the pelvis, m/s, and its place over the standing ankle, m.
    pub(super) velocity: Vec3,
    pub(super) place: Vec3,
    /// Orientations of pelvis and standing thigh.
    pub(super) pelvis: Quat,
    pub(super) thigh: Quat,
    /// Height of the swinging ankle over where it stands on level ground, and its rate.
    pub(super) height: f64,
    pub(super) rise: f64,
}

/// State of the rules between frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// Direction of travel.
    pub(super) along: Vec3,
    /// Turn of the swinging thigh, kept while a landing is late.
    pub(super) swing: Quat,
}

/// Components along `u` and `a` of `gain · error`.
#[derive(Clone, Copy, Debug)]
struct Parts {
    along: f64,
    across: f64,
}

/// Modifies a pose; `data` is workspace.
pub(super) fn bend(
    figure: &Figure,
    (gains, rules): (&Gains, &Rules),
    (wanted, felt): (&Wanted, &Felt),
    memory: &mut Memory,
    data: &mut Data,
    q: &mut [f64],
) {
    let Wanted { stance, phase, .. } = *wanted;
    let swing = stance.other();
    let left = Vec3::z().cross(&memory.along);
    let parts = |e: &Vec3| Parts { along: e.dot(&memory.along), across: e.dot(&left) };
    let (e_v, e_d) = (parts(&(felt.velocity - wanted.velocity)), parts(&(felt.place - wanted.place)));
    let s = ease(phase);

    if rules.foot_rule {
        figure.look_at(data, q);
        let own = figure.turn(data, figure.legs[stance as usize].foot);
        let turned = slerp(&own, &wanted.foot, ease(phase / gains.foot_time));
        figure.turn_foot(data, stance, &turned, q);
    }
    if rules.stance_hip_rule && wanted.swings {
        figure.look_at(data, q);
        let own = figure.turn(data, figure.legs[stance as usize].thigh);
        figure.turn_thigh(data, stance, &slerp(&own, &felt.thigh, rules.stance_hip * s), q);
    }
    if rules.swing_hip_rule && wanted.swings {
        if !wanted.extended {
            memory.swing = swing_hip(gains, &e_v, &e_d, &memory.along, s);
        }
        figure.look_at(data, q);
        let own = figure.turn(data, figure.legs[swing as usize].thigh);
        figure.turn_thigh(data, swing, &(memory.swing * own), q);
    }
    if rules.height_rule && wanted.swings {
        let feedback =
            gains.height * (wanted.height - felt.height) + gains.height_speed * (wanted.rise - felt.rise);
        let rise = feedback * s + gains.lift * figure.size() * bump(phase);
        figure.look_at(data, q);
        // upwards for the simulated pelvis, in the axes of the captured one
        let up = figure.turn(data, figure.pelvis) * (felt.pelvis.inverse() * Vec3::z());
        let side = if rise > 0.0 { swing } else { stance };
        figure.move_ankle(data, side, &(up * rise.abs()), q);
    }
    if rules.ankle_rule && wanted.frame >= QUIET {
        figure.look_at(data, q);
        let own = figure.turn(data, figure.legs[stance as usize].foot);
        let turn = stance_ankle(gains, &e_v, &e_d, &memory.along, ease(phase / rules.ankle_time));
        figure.turn_foot(data, stance, &(turn * own), q);
    }
}

/// Equation 3, as a rotation in the world.
fn swing_hip(gains: &Gains, e_v: &Parts, e_d: &Parts, along: &Vec3, s: f64) -> Quat {
    let left = Vec3::z().cross(along);
    let c2 = if e_d.along < 0.0 { gains.hip_behind } else { gains.hip_ahead };
    let ahead = gains.hip_speed * e_v.along + c2 * e_d.along;
    let across = gains.hip_speed_across * e_v.across + gains.hip_across * e_d.across;
    rotation::exp(&(along * (s * across))) * rotation::exp(&(left * (-s * ahead)))
}

/// Equation 4, as a rotation in the world.
fn stance_ankle(gains: &Gains, e_v: &Parts, e_d: &Parts, along: &Vec3, s: f64) -> Quat {
    let left = Vec3::z().cross(along);
    // ẑ × u is a, and ẑ × a is −u
    let turn =
        |e: &Parts, c: [f64; 2]| rotation::exp(&((left * (c[0] * e.along) - along * (c[1] * e.across)) * s));
    turn(e_v, [gains.ankle_speed, gains.ankle_speed_across])
        * turn(e_d, [gains.ankle_place, gains.ankle_place_across])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One frame of a captured walk, computed by hand. The paper has y up: its (x, y, z) is (x, −z, y) here.
    #[test]
    fn swing_hip_and_ankle_by_hand() {
        let turned = |x: f64, z: f64| Vec3::new(x, -z, 0.0);
        let along = turned(-0.99082, -0.13518).normalize();
        let left = Vec3::z().cross(&along);
        assert!((left - turned(-0.13518, 0.99082)).norm() < 1e-5);
        let s = ease(10.0 / 21.0);
        assert!((s - 0.46431).abs() < 1e-5);
        let gains = Gains {
            hip_speed: 0.05,
            hip_speed_across: 0.2,
            hip_behind: 0.2,
            hip_ahead: 0.05,
            hip_across: 0.2,
            ankle_speed: 0.1,
            ankle_speed_across: 0.1,
            ankle_place: 0.1,
            ankle_place_across: 0.1,
            ..Gains::default()
        };
        let (e_v, e_d) = (Parts { along: 0.2, across: 0.1 }, Parts { along: 0.03, across: -0.02 });
        let none = Parts { along: 0.0, across: 0.0 };
        let near = |q: Quat, x: f64, z: f64| (rotation::log(&q) - turned(x, z)).norm() < 1.5e-6;
        let only_along = |p: &Parts| Parts { across: 0.0, ..*p };
        let only_across = |p: &Parts| Parts { along: 0.0, ..*p };
        assert!(near(
            swing_hip(&gains, &only_along(&e_v), &only_along(&e_d), &along, s),
            0.000722,
            -0.005291
        ));
        assert!(near(
            swing_hip(&gains, &only_across(&e_v), &only_across(&e_d), &along, s),
            -0.007361,
            -0.001004
        ));
        assert!(near(stance_ankle(&gains, &e_v, &none, &along, s), 0.003345, 0.009829));
        assert!(near(stance_ankle(&gains, &none, &e_d, &along, s), -0.001108, 0.001255));
        // a hanging foot shows the rotation
        let foot = swing_hip(&gains, &only_along(&e_v), &none, &along, s) * -Vec3::z();
        assert!(foot.dot(&along) > 0.0);
    }

    /// Without errors the captured pose is the target.
    #[test]
    fn without_errors_the_captured_pose_is_the_target() {
        let model = std::sync::Arc::new(sinew_dynamics::characters::load("human42").unwrap());
        let figure = Figure::new(&model).unwrap();
        let (mut data, mut q) = (Data::new(&model), model.neutral());
        let bent: Vec<f64> = (0..model.nv()).map(|k| 0.2 * libm::sin(k as f64)).collect();
        model.integrate(&model.neutral(), &bent, &mut q);
        figure.look_at(&mut data, &q);
        let [stance, thigh] =
            [figure.legs[1].foot, figure.legs[1].thigh].map(|body| figure.turn(&data, body));
        let place = Vec3::new(0.1, 0.02, 0.0);
        let wanted = Wanted {
            stance: Side::Right,
            swings: true,
            phase: 0.6,
            extended: false,
            frame: 50,
            foot: stance,
            velocity: Vec3::x(),
            place,
            height: 0.05,
            rise: 0.1,
        };
        let pelvis = figure.turn(&data, figure.pelvis);
        let felt = Felt { velocity: Vec3::x(), place, pelvis, thigh, height: 0.05, rise: 0.1 };
        let mut memory = Memory { along: Vec3::x(), swing: Quat::identity() };
        let gains = Gains { lift: 0.0, ..Gains::default() };
        let before = q.clone();
        bend(&figure, (&gains, &Rules::default()), (&wanted, &felt), &mut memory, &mut data, &mut q);
        let mut off = vec![0.0; model.nv()];
        model.difference(&before, &q, &mut off);
        assert!(off.iter().all(|x| x.abs() < 1e-9), "{off:?}");
    }
}
