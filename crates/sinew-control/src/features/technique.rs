//! Parameters of jumping, all of which may change at any time.

use super::gait::parameters;

parameters! {
    /// How a body jumps. Lengths are shares of its leg length, times are multiples of `√(leg/g)`, angles in rad.
    ///
    /// ```
    /// use sinew_control::features::Technique;
    /// assert!(Technique::default().release > 1.0 && Technique::NAMES.contains(&"tuck"));
    /// ```
    pub struct Technique {
        /// Time to crouch.
        crouch_time: 1.6,
        /// Lean of the trunk in the crouch.
        crouch_lean: 0.6,
        /// Lean of the pelvis in the crouch.
        crouch_tilt: 0.4,
        /// Lean of the trunk at take-off.
        release_lean: 0.15,
        /// How far the arms swing back in the crouch.
        arms_back: 0.7,
        /// How far the arms swing forward and up in the thrust.
        arms_up: 1.6,
        /// Stiffness of the arms' swing, 1/s².
        arm_stiffness: 60.0,
        /// Weight of the arms' swing.
        arm_weight: 1.0,
        /// Height of the centre of mass at take-off as a share of that with straight legs and flat feet.
        release: 1.06,
        /// How far forward the centre of mass is at take-off, over the front of the feet.
        shift: 0.08,
        /// Share of the thrust from which on the heels may rise.
        heel_off: 0.3,
        /// Weight that keeps them down until they must rise.
        heel_weight: 0.1,
        /// Most acceleration of the centre of mass in the thrust, in g.
        most_thrust: 2.5,
        /// Weight of its horizontal part against the vertical.
        steady: 4.0,
        /// Weight of angular momentum in the thrust, 1/(kg·m²)², for a body of 76 kg and 0.93 m legs.
        momentum_weight: 1.0,
        /// Gain of angular momentum in the thrust, 1/s.
        momentum_gain: 10.0,
        /// Share of a turn by which the body first turns the other way.
        wind_up: 0.15,
        /// By how much the legs draw up in the air.
        tuck: 0.1,
        /// How far the legs open in a scissor kick or a split.
        open: 0.8,
        /// Stiffness of the legs in the air, 1/s².
        leg_stiffness: 200.0,
        /// How far the arms are spread in the air.
        arms_out: 0.4,
        /// How the arms slow a turn that would go too far, per rad.
        arms_brake: 2.0,
        /// Height of the centre of mass at landing as a share of that with straight legs.
        landing: 0.96,
        /// Distance of the feet at landing, as a share of that in standing.
        landing_spread: 1.3,
        /// How far ahead of the centre of mass the feet land, as a share of the capture distance `v/ω`.
        landing_ahead: 1.0,
        /// By how much it gives way after landing, as a share of the standing height.
        give: 0.15,
        /// Stiffness of the height right after landing, 1/s².
        soft: 25.0,
        /// Time in which it rises again.
        rise_time: 4.0,
    }
}
