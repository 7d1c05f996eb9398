//! Parameters of walking, all of which may change at any time.

/// Declares the parameters with their defaults and ranges, and access by name for sliders, scenario files and searches.
macro_rules! parameters {
    ($(#[$outer:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident: $default:expr, $range:expr;)*
    }) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: f64,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            /// Names of all parameters.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field),)*];

            /// The range of a parameter, ends included: a controller brings what is beyond it back to its end.
            pub fn range(name: &str) -> Option<[f64; 2]> {
                match name {
                    $(stringify!($field) => Some($range),)*
                    _ => None,
                }
            }

            /// Brings every parameter into its range; what is no number becomes the default.
            pub(super) fn keep_in_range(&mut self) {
                $(
                    let [low, high] = $range;
                    self.$field = if self.$field.is_nan() { $default } else { self.$field.clamp(low, high) };
                )*
            }

            /// A parameter by its name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($field) => Some(self.$field),)*
                    _ => None,
                }
            }

            /// A parameter by its name, to change it.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($field) => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

pub(super) use parameters;

parameters! {
    /// How a body walks. Lengths are shares of its leg length, times are multiples of `√(leg/g)`, so that bodies of any size
    /// walk alike (equal Froude number).
    ///
    /// ```
    /// use sinew_control::features::Gait;
    /// let mut gait = Gait::default();
    /// *gait.get_mut("lift").unwrap() = 0.1;
    /// assert_eq!(gait.lift, 0.1);
    /// ```
    pub struct Gait {
        /// Time from one landing to the next at rest.
        step_time: 1.86, [1.0, 4.0];
        /// Decrease of that time per unit of `speed/√(g·leg)`.
        step_time_decrease: 0.8, [0.0, 2.0];
        /// Most change of speed per step, as a share of `√(g·leg)`.
        speed_up: 0.1, [0.01, 1.0];
        /// Most turn per step, rad.
        turn: 0.6, [0.05, 1.5];
        /// Distance of the divergent component from the edge of the feet under which standing turns into stepping.
        margin: 0.0146, [-0.5, 0.5];
        /// Share of a step in which both feet carry.
        double_support: 0.212, [0.02, 0.7];
        /// Share of a step in which the weight comes over from the other foot.
        transfer: 0.2, [0.0, 0.6];
        /// Share of a step from which on the heel of the standing foot may rise.
        heel_off: 0.646, [0.1, 1.0];
        /// Weight that keeps the heel down until it must rise.
        heel_weight: 1.2, [0.0, 100.0];
        /// How far a foot rolls over its toes before it leaves the ground, rad.
        roll: 0.6, [0.0, 1.2];
        /// Weight of that.
        roll_weight: 5.0, [0.0, 100.0];
        /// Distance between the middles of the feet.
        spread: 0.202, [0.02, 0.6];
        /// Height of the middle of the swinging sole.
        lift: 0.1, [0.0, 0.4];
        /// How long before its landing the swinging foot is over its place; on treads, it comes there in the last moment.
        early: 0.08, [0.0, 0.5];
        /// Angle to which the knee of a leg that begins to swing bends, rad.
        knee: 0.95, [0.0, 2.0];
        /// Weight of that.
        knee_weight: 8.0, [0.0, 100.0];
        /// Height of the centre of mass as a share of that with straight legs.
        height: 0.98, [0.6, 1.0];
        /// How much the hips vault over the standing leg: 0 level, 1 like an inverted pendulum.
        drop: 0.7, [0.0, 1.5];
        /// Greatest vertical acceleration of a step, as a share of gravity.
        bounce: 0.6, [0.05, 2.0];
        /// Lean of the trunk forward, rad.
        lean: 0.03, [-0.8, 0.8];
        /// Sway of the trunk to the sides, rad, and of the way with it.
        sway: 0.0, [-0.5, 0.5];
        /// How far the pelvis turns with the legs and the shoulders against them, as a share of the angle between the legs.
        twist: 0.2, [0.0, 1.0];
        /// Nod of the head, rad.
        nod: 0.0, [-1.2, 1.2];
        /// Turn of the head to the left, rad.
        look: 0.0, [-1.4, 1.4];
        /// Weight of the head's orientation.
        head_weight: 1.0, [0.0, 100.0];
        /// Feedback on the divergent component by the ankles, in units of `√(g/leg)`.
        ankle_gain: 0.886, [0.0, 4.0];
        /// How far beyond the soles the centre of pressure is asked for in need, by turning trunk and arms.
        overreach: -0.0086, [-0.05, 0.1];
        /// How long a push that is felt is taken to last.
        persistence: 0.7, [0.0, 3.0];
        /// How far a foot may cross the other, when it is well ahead of it or behind it.
        cross: 0.25, [0.0, 0.5];
        /// Weight of the centre of mass in the plane.
        balance_weight: 3000.0, [1.0, 100000.0];
        /// Stiffness of trunk and pelvis orientation, 1/s².
        trunk_stiffness: 104.0, [0.0, 1000.0];
        /// Weight of trunk and pelvis orientation.
        trunk_weight: 20.8, [0.0, 1000.0];
        /// Weight of their turning about the vertical, as a share of that.
        twist_weight: 0.5, [0.0, 10.0];
        /// Weight of the swinging foot.
        swing_weight: 86.1, [0.0, 10000.0];
        /// Weight of the height of the centre of mass in a brisk walk.
        height_weight: 4000.0, [0.0, 100000.0];
        /// Stiffness of the height of the centre of mass, 1/s².
        height_stiffness: 70.8, [1.0, 1000.0];
        /// Weight of angular momentum, 1/(kg·m²)², for a body of 76 kg and 0.93 m legs.
        momentum_weight: 0.00387, [0.0, 1.0];
        /// Gain of angular momentum, 1/s.
        momentum_gain: 5.63, [0.0, 50.0];
        /// Stiffness of the rest pose, 1/s².
        pose_stiffness: 35.3, [0.0, 500.0];
        /// Weight of the arms in the rest pose.
        arm_weight: 0.3, [0.0, 10.0];
        /// Stiffness of the spine in the rest pose, 1/s²: landings buckle a soft one.
        spine_stiffness: 140.0, [0.0, 500.0];
        /// Weight of the spine in the rest pose.
        spine_weight: 2.0, [0.0, 10.0];
        /// Weight of the legs in the rest pose.
        leg_weight: 0.0536, [0.0, 10.0];
        /// How far an arm swings against the leg of its side and with the other, as a share of half of the angle between them.
        arm_swing: 0.7, [0.0, 3.0];
        /// Weight of the swinging of the arms.
        arm_swing_weight: 2.0, [0.0, 100.0];
        /// Weight of hands that are kept at the pockets.
        pockets: 0.0, [0.0, 100.0];
        /// Weight of the torques of the arms.
        arm_torque: 0.0, [0.0, 1.0];
        /// Least time of a step in an emergency, as a share of the usual one.
        hurry: 0.511, [0.2, 1.0];
        /// Greatest time of a step in an emergency, as a share of the usual one.
        delay: 1.25, [1.0, 3.0];
        /// Cost of a change of a step's time (squared share).
        time_cost: 0.407, [0.0, 100.0];
        /// Cost of a wrong offset of the divergent component at landing (squared share of the leg).
        offset_cost: 122.0, [0.0, 10000.0];
    }
}
