//! Parameters of jumping, all of which may change at any time.

use crate::parameters;

parameters! {
    /// How a body jumps. Lengths are shares of its leg length, times are multiples of `√(leg/g)`, gains and stiffnesses go with the inverse
    /// of time and of its square; angles in rad.
    ///
    /// ```
    /// use sinew_control::features::Technique;
    /// assert!(Technique::default().release > 1.0 && Technique::default().get("tuck").is_some());
    /// ```
    pub struct Technique {
        /// Time to crouch.
        crouch_time: number(2.25, [0.5, 10.0]).unit("√(leg/g)");
        /// Lean of the trunk in the crouch.
        crouch_lean: number(0.393, [-0.5, 1.2]).unit("rad");
        /// Lean of the pelvis in the crouch.
        crouch_tilt: number(0.434, [-0.5, 1.2]).unit("rad");
        /// Share of the thrust in which trunk and pelvis come up.
        unfold: number(0.449, [0.05, 1.0]);
        /// Lean of the trunk at take-off.
        release_lean: number(0.179, [-0.5, 1.0]).unit("rad");
        /// How far the arms swing back in the crouch.
        arms_back: number(1.06, [0.0, 2.0]).unit("rad");
        /// How far the arms swing forward and up in the thrust.
        arms_up: number(1.42, [0.0, 3.0]).unit("rad");
        /// Stiffness of the arms' swing.
        arm_stiffness: number(6.3, [0.0, 100.0]);
        /// Weight of the arms' swing.
        arm_weight: number(1.09, [0.0, 100.0]);
        /// Weight of the arms' swing while the feet push, as a share of that in the air.
        thrust_arms: number(0.05, [0.0, 10.0]);
        /// Weight of the arms' rest pose while the feet push, as a share of that in standing.
        thrust_rest: number(0.3, [0.0, 10.0]);
        /// Weight of pelvis and trunk while the feet push, as a share of that in standing.
        thrust_trunk: number(2.0, [0.0, 10.0]);
        /// Height of the centre of mass at take-off as a share of that with straight legs and flat feet.
        release: number(1.04, [0.8, 1.2]);
        /// How far forward the centre of mass is at take-off, over the front of the feet.
        shift: number(0.0856, [-0.2, 0.2]).unit("leg");
        /// Share of that which it is forward already in the crouch.
        early: number(0.2, [0.0, 1.0]);
        /// How far the centre of mass is ahead of the feet in the crouch besides, as a share of the distance of a jump forward.
        set_back: number(0.035, [-0.5, 0.5]);
        /// How far ahead of the feet it is at take-off of a jump forward.
        lead: number(0.0921, [-0.2, 0.3]).unit("leg");
        /// Least time in which its place in the plane is corrected.
        patience: number(0.8, [0.1, 5.0]).unit("√(leg/g)");
        /// Share of the thrust from which on the heels may rise.
        heel_off: number(0.714, [0.0, 1.0]);
        /// Weight that keeps them down until they must rise.
        heel_weight: number(0.138, [0.0, 100.0]);
        /// Most acceleration of the centre of mass upwards after a landing, in g.
        most_brake: number(4.14, [1.1, 20.0]).unit("g");
        /// Most acceleration upwards in the thrust, as a share of what is planned.
        most_lift: number(1.2, [1.0, 10.0]);
        /// Weight of the acceleration upwards.
        lift_weight: number(12000.0, [1.0, 1000000.0]);
        /// Weight of angular momentum against the acceleration of the centre of mass, 1/(kg·m)², for a body of 76 kg and 0.93 m legs.
        momentum_weight: number(0.00326, [0.0, 1.0]);
        /// Gain of angular momentum in the thrust.
        momentum_gain: number(5.0, [0.0, 50.0]);
        /// By how much the body turns back upright in the air when it turns by half.
        pitch_back: number(0.4, [0.0, 2.0]);
        /// Most moment about the vertical, in units of the feet's load times the leg.
        grip: number(0.04, [0.0, 1.0]);
        /// Inertia about the vertical that a turn in the air is planned with, as a share of that in the rest pose.
        inertia: number(3.3, [0.5, 10.0]);
        /// Weight of the turning of trunk and pelvis about the vertical, as a share of that of their tilt.
        twist_weight: number(0.194, [0.0, 10.0]);
        /// Share of a turn by which the body first turns the other way.
        wind_up: number(0.156, [0.0, 1.0]);
        /// By how much the legs draw up in the air.
        tuck: number(0.144, [0.0, 0.5]).unit("leg");
        /// How far the legs open in a scissor kick or a split.
        open: number(0.7, [0.0, 1.3]).unit("rad");
        /// Lean of pelvis and trunk in the air.
        air_lean: number(0.257, [-1.0, 1.0]).unit("rad");
        /// Weight of pelvis and trunk in the air, as a share of that in standing.
        air_trunk: number(0.207, [0.0, 10.0]);
        /// Weight of the legs in the air.
        leg_weight: number(6.61, [0.0, 100.0]);
        /// Stiffness of the legs in the air.
        leg_stiffness: number(20.6, [0.0, 100.0]);
        /// How far the arms are spread in the air.
        arms_out: number(0.341, [0.0, 1.4]).unit("rad");
        /// How the arms slow a turn that would go too far, per rad.
        arms_brake: number(1.97, [0.0, 10.0]);
        /// Height of the centre of mass at landing as a share of that with straight legs.
        landing: number(0.967, [0.7, 1.0]);
        /// Distance of the feet at landing, as a share of that in standing.
        landing_spread: number(1.61, [0.5, 3.0]);
        /// How far ahead of the centre of mass the feet land, as a share of the capture distance `v/ω`.
        landing_ahead: number(1.01, [0.0, 2.0]);
        /// By how much it gives way after landing, as a share of the standing height.
        give: number(0.2, [0.0, 0.5]);
        /// Lean of pelvis and trunk right after landing.
        landing_lean: number(0.3, [-0.5, 1.0]).unit("rad");
        /// Stiffness of the height right after landing.
        soft: number(1.89, [0.1, 20.0]);
        /// Time in which it rises again.
        rise_time: number(3.77, [0.5, 20.0]).unit("√(leg/g)");
    }
}

impl Technique {
    /// The same in seconds, for a body whose unit of time is `unit` seconds.
    pub(super) fn in_seconds(&self, unit: f64) -> Technique {
        Technique {
            crouch_time: self.crouch_time * unit,
            patience: self.patience * unit,
            rise_time: self.rise_time * unit,
            momentum_gain: self.momentum_gain / unit,
            arm_stiffness: self.arm_stiffness / (unit * unit),
            leg_stiffness: self.leg_stiffness / (unit * unit),
            soft: self.soft / (unit * unit),
            ..self.clone()
        }
    }
}
