//! Gaits: the target poses of the two kinds of states, the feedback of the swing hip, and stiffness.
//!
//! The spatial parameters were found by a search (CMA-ES over 30 parameters, for `human` and `human-simbicon` at once, on a course of
//! speeds, turns and growing pushes); the planar ones are the paper's.
//!
//! Angles have the signs of anatomy: hips and knees turn positive when they flex, ankles when the toes go up, the trunk when it leans
//! forward. (The paper counts knees and lean the other way.) Numbers are those of the planar biped of the paper, 90 kg with legs of
//! 0.9 m from hip to ankle; on other bodies lengths, times and torques are scaled to equal Froude number.

use crate::{Kind, Param, Parameters, parameters};

parameters! {
    /// The states of a stride. In `lift`, which lasts a fixed time, the swinging leg goes up and forward; in `land`, which lasts until it
    /// touches the ground, it goes down and back.
    pub struct Gait {
        /// How long the swinging leg lifts.
        period: number(0.32, [0.05, 1.0]).unit("s").label("time of lifting").slider(0.1, 0.6).main();
        /// Longest time to wait for the landing after that. With 0 there are no landing states: each leg swings for a fixed time.
        wait: number(2.0, [0.0, 10.0]).unit("s");
        /// Share of the remaining change of these parameters that each step applies; 1: the next step applies all of it. `wait` changes at once.
        change: number(1.0, [0.01, 1.0]).slider(0.1, 1.0);
        /// Lean of the trunk while a leg lifts.
        lift_lean: number(0.079, [-0.8, 0.8]).unit("rad").slider(-0.4, 0.6).main();
        /// Angle of the swinging thigh from the vertical while it lifts.
        lift_hip: number(0.491, [-1.0, 2.0]).unit("rad").main();
        /// Knee of the swinging leg while it lifts.
        lift_knee: number(1.029, [0.0, 2.6]).unit("rad").main();
        /// Ankle of the swinging leg while it lifts.
        lift_ankle: number(0.487, [-1.0, 1.0]).unit("rad");
        /// Knee of the standing leg while the other one lifts.
        lift_stance_knee: number(0.018, [0.0, 2.0]).unit("rad").main();
        /// Ankle of the standing leg while the other one lifts.
        lift_stance_ankle: number(-0.122, [-1.0, 1.0]).unit("rad");
        /// How much further forward the lifting thigh goes per metre that the centre of mass is ahead of the standing ankle.
        lift_by_distance: number(0.752, [-3.0, 6.0]).unit("rad/m");
        /// How much further forward the lifting thigh goes per speed.
        lift_by_speed: number(0.332, [-2.0, 3.0]).unit("rad·s/m");
        /// Lean of the trunk while a leg lands.
        land_lean: number(0.0, [-0.8, 0.8]).unit("rad").slider(-0.4, 0.6);
        /// Angle of the swinging thigh from the vertical while it lands.
        land_hip: number(-0.028, [-2.0, 2.0]).unit("rad").main();
        /// Knee of the swinging leg while it lands.
        land_knee: number(0.141, [0.0, 2.6]).unit("rad");
        /// Ankle of the swinging leg while it lands.
        land_ankle: number(0.208, [-1.0, 1.0]).unit("rad");
        /// Knee of the standing leg while the other one lands.
        land_stance_knee: number(0.223, [0.0, 2.0]).unit("rad");
        /// Ankle of the standing leg while the other one lands.
        land_stance_ankle: number(-0.06, [-1.0, 1.0]).unit("rad");
        /// How much further forward the landing thigh goes per metre that the centre of mass is ahead of the standing ankle.
        land_by_distance: number(-0.332, [-3.0, 6.0]).unit("rad/m");
        /// How much further forward the landing thigh goes per speed.
        land_by_speed: number(0.185, [-2.0, 3.0]).unit("rad·s/m");
        /// Stiffness that keeps the trunk upright.
        torso: number(948.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Stiffness of the swinging hip.
        hip: number(248.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Stiffness of the knees.
        knee: number(390.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Stiffness of the ankles.
        ankle: number(209.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Damping over stiffness, of all joints.
        damping: number(0.1, [0.0, 1.0]).unit("s");
    }
}

parameters! {
    /// Additional parameters of a body in space: lateral balance, steering, trunk and arms.
    pub struct Space {
        /// How much further outward the lifting thigh goes per metre that the centre of mass is aside of the standing ankle.
        lift_side_by_distance: number(0.216, [-3.0, 6.0]).unit("rad/m");
        /// How much further outward the lifting thigh goes per speed to its side.
        lift_side_by_speed: number(0.334, [-2.0, 3.0]).unit("rad·s/m");
        /// How much further outward the landing thigh goes per metre that the centre of mass is aside of the standing ankle.
        land_side_by_distance: number(0.39, [-3.0, 6.0]).unit("rad/m");
        /// How much further outward the landing thigh goes per speed to its side.
        land_side_by_speed: number(0.034, [-2.0, 3.0]).unit("rad·s/m");
        /// Constant outward angle of both thighs.
        splay: number(-0.033, [-0.3, 0.3]).unit("rad");
        /// How much further forward the lifting thigh goes per commanded speed.
        lift_hip_by_wish: number(0.171, [-2.0, 2.0]).unit("rad·s/m");
        /// How much further forward the landing thigh goes per commanded speed.
        land_hip_by_wish: number(-0.151, [-2.0, 2.0]).unit("rad·s/m");
        /// How much further the trunk leans per commanded speed.
        lean_by_wish: number(0.129, [-1.0, 1.0]).unit("rad·s/m");
        /// How fast the aimed speed follows the commanded speed.
        speed_up: number(0.5, [0.01, 10.0]).unit("m/s²").main();
        /// How fast the heading follows the commanded heading.
        turn: number(0.8, [0.01, 5.0]).unit("rad/s").label("turning").main();
        /// How far the ankles turn to keep the soles level sideways: 0 with the shin, 1 level.
        level: number(0.875, [0.0, 1.0]);
        /// How far the arms swing, as a share of the swing of the opposite thigh.
        arm_swing: number(0.6, [-1.0, 2.0]).main();
        /// Stiffness of the spine.
        waist: number(450.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Stiffness of the neck.
        neck: number(50.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Stiffness of the shoulders.
        shoulder: number(20.0, [0.0, 20000.0]).unit("N·m/rad");
        /// Stiffness of elbows and wrists.
        elbow: number(10.0, [0.0, 20000.0]).unit("N·m/rad");
    }
}

/// The walk of the paper's table 1, and the stiffness of its planar biped.
const PLANAR_WALK: &[(&str, f64)] = &[
    ("period", 0.30),
    ("lift_lean", 0.0),
    ("lift_hip", 0.40),
    ("lift_knee", 1.10),
    ("lift_ankle", 0.20),
    ("lift_stance_knee", 0.05),
    ("lift_stance_ankle", 0.20),
    ("lift_by_distance", 0.0),
    ("lift_by_speed", 0.20),
    ("land_lean", 0.0),
    ("land_hip", -0.70),
    ("land_knee", 0.05),
    ("land_ankle", 0.20),
    ("land_stance_knee", 0.10),
    ("land_stance_ankle", 0.20),
    ("land_by_distance", 2.20),
    ("land_by_speed", 0.0),
    ("torso", 300.0),
    ("hip", 300.0),
    ("knee", 300.0),
    ("ankle", 300.0),
    ("damping", 0.1),
];

/// Parameters of [`Gait`] with the defaults of the planar biped.
pub(super) const PLANAR: [Param; Gait::PARAMS.len()] = with_defaults(Gait::PARAMS, PLANAR_WALK);

impl Gait {
    /// Takes over a share of another gait's numbers, as that one asks for.
    pub(super) fn approach(&mut self, wanted: &Gait) {
        let before = std::mem::replace(self, wanted.clone());
        let kept = 1.0 - wanted.change;
        for param in
            Gait::PARAMS.iter().filter(|param| kept > 0.0 && !["wait", "change"].contains(&param.name))
        {
            if let (Some(old), Some(new)) = (before.get(param.name), wanted.get(param.name)) {
                let between = new + (old - new) * kept;
                self.set_value(param.name, &crate::Value::Number(between));
            }
        }
    }

    /// The walk of the planar biped.
    pub fn planar() -> Gait {
        let mut gait = Gait::default();
        for param in &PLANAR {
            gait.set_value(param.name, &param.default());
        }
        gait
    }

    /// Target poses and feedback of the lifting and the landing states.
    pub(super) fn states(&self) -> [State; 2] {
        let lift = State {
            lean: self.lift_lean,
            hip: self.lift_hip,
            knees: [self.lift_knee, self.lift_stance_knee],
            ankles: [self.lift_ankle, self.lift_stance_ankle],
            by: [self.lift_by_distance, self.lift_by_speed],
        };
        let land = State {
            lean: self.land_lean,
            hip: self.land_hip,
            knees: [self.land_knee, self.land_stance_knee],
            ankles: [self.land_ankle, self.land_stance_ankle],
            by: [self.land_by_distance, self.land_by_speed],
        };
        [lift, land]
    }
}

/// Target pose and feedback of a state; in pairs of legs the swinging one comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) lean: f64,
    pub(super) hip: f64,
    pub(super) knees: [f64; 2],
    pub(super) ankles: [f64; 2],
    /// `c_d` and `c_v`.
    pub(super) by: [f64; 2],
}

/// Parameters with other defaults.
const fn with_defaults<const N: usize>(params: &[Param], defaults: &[(&str, f64)]) -> [Param; N] {
    let mut all = [params[0]; N];
    let mut k = 0;
    while k < N {
        all[k] = params[k];
        let mut i = 0;
        while i < defaults.len() {
            if same(params[k].name, defaults[i].0)
                && let Kind::Number { range, slider, .. } = params[k].kind
            {
                all[k].kind = Kind::Number { default: defaults[i].1, range, slider };
            }
            i += 1;
        }
        k += 1;
    }
    all
}

/// Equality of strings at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_the_planar_table_has_its_place() {
        let gait = Gait::planar();
        for (name, value) in PLANAR_WALK {
            assert_eq!(gait.get(name), Some(*value), "{name}");
        }
        // every parameter except the longest time to wait and the rate of change
        assert_eq!(PLANAR_WALK.len() + 2, Gait::PARAMS.len());
    }
}
