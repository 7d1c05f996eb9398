//! Parameters of walking, all of which may change at any time.

use crate::parameters;

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
        step_time: number(2.1, [1.0, 4.0]).unit("√(leg/g)").slider(1.1, 3.0).main();
        /// Decrease of that time per unit of `speed/√(g·leg)`.
        step_time_decrease: number(1.1, [0.0, 2.0]);
        /// Most change of speed per step, as a share of `√(g·leg)`.
        speed_up: number(0.1, [0.01, 1.0]).unit("√(g·leg)").slider(0.02, 0.3);
        /// Most turn per step, rad.
        turn: number(0.6, [0.05, 1.5]).unit("rad").slider(0.1, 1.0);
        /// Distance of the divergent component from the edge of the feet under which standing turns into stepping.
        margin: number(0.0146, [-0.5, 0.5]).unit("leg");
        /// Share of a step in which both feet carry.
        double_support: number(0.212, [0.02, 0.7]).slider(0.05, 0.5).main();
        /// Share of a step in which the weight comes over from the other foot.
        transfer: number(0.2, [0.0, 0.6]);
        /// Share of a step from which on the heel of the standing foot rises.
        heel_off: number(0.7, [0.1, 1.0]).slider(0.3, 1.0).main();
        /// How far it rises before the other foot lands, in steps of three quarters of the leg, rad.
        heel_rise: number(0.4, [0.0, 1.0]).unit("rad");
        /// Share of the rate of the rising heel that is asked for besides its angle.
        heel_lead: number(0.8, [0.0, 1.0]);
        /// Speeds from which on and within which the pressure goes to the toes before the heel rises, as shares of `√(g·leg)`.
        toes_from: number(0.05, [0.0, 2.0]).unit("√(g·leg)");
        /// See there.
        toes_within: number(0.2, [0.01, 2.0]).unit("√(g·leg)");
        /// How far behind the middle of the sole the pressure begins in a brisk walk.
        heel_first: number(0.1, [0.0, 0.2]).unit("leg");
        /// Weight that keeps the heel down until it must rise.
        heel_weight: number(1.2, [0.0, 100.0]);
        /// How far a foot rolls over its toes before it leaves the ground, rad.
        roll: number(1.0, [0.0, 1.2]).unit("rad");
        /// Weight of that.
        roll_weight: number(5.0, [0.0, 100.0]);
        /// Distance between the middles of the feet.
        spread: number(0.202, [0.02, 0.6]).unit("leg").label("stance width").slider(0.05, 0.5).main();
        /// Height of the lower edge of the swinging sole.
        lift: number(0.03, [0.0, 0.4]).unit("leg").label("foot lift").slider(0.01, 0.25).main();
        /// How far the toes are up when the foot lands, rad.
        strike: number(0.22, [0.0, 0.8]).unit("rad").label("heel strike");
        /// Share of the swing until which it has been lifted, and the one from which on it comes down.
        up_until: number(0.45, [0.1, 0.9]);
        /// See there.
        down_from: number(0.68, [0.1, 1.0]);
        /// Share of the swing in which the ankle goes back to where the foot is in line with the shin.
        ankle_ease: number(0.4, [0.05, 1.0]);
        /// Shares of the swing from which on and within which the toes come up for the landing.
        strike_from: number(0.6, [0.0, 0.95]);
        /// See there.
        strike_within: number(0.45, [0.05, 1.0]);
        /// Weight of the angle of the swinging foot, as a share of that of its place.
        pitch_weight: number(0.1, [0.0, 1.0]);
        /// How long before its landing the swinging foot is over its place; on treads, it comes there in the last moment.
        early: number(0.08, [0.0, 0.5]).unit("√(leg/g)");
        /// Angle to which the knee of a leg that begins to swing bends, rad.
        knee: number(0.85, [0.0, 2.0]).unit("rad");
        /// Weight of that.
        knee_weight: number(8.0, [0.0, 100.0]);
        /// Height of the hips, or in need of the centre of mass, as a share of that with straight legs.
        height: number(0.992, [0.6, 1.0]).label("hip height").slider(0.7, 1.0).main();
        /// How much the hips vault over the standing leg in a brisk walk: 0 level, 1 like an inverted pendulum. Twice as much in a slow one.
        drop: number(0.45, [0.0, 1.5]).label("vault").main();
        /// Most that they sink in that.
        dip: number(0.045, [0.005, 0.5]).unit("leg");
        /// Greatest vertical acceleration of a step, as a share of gravity.
        bounce: number(0.6, [0.05, 2.0]);
        /// Lean of the trunk forward, rad.
        lean: number(0.03, [-0.8, 0.8]).unit("rad").slider(-0.4, 0.5).main();
        /// Sway of the trunk to the sides, rad, and of the way with it.
        sway: number(0.0, [-0.5, 0.5]).unit("rad");
        /// How far the pelvis turns with the legs and the shoulders against them, as a share of the angle between the legs.
        twist: number(0.05, [0.0, 1.0]);
        /// Nod of the head, rad.
        nod: number(0.0, [-1.2, 1.2]).unit("rad").slider(-0.4, 0.5).main();
        /// Turn of the head to the left, rad.
        look: number(0.0, [-1.4, 1.4]).unit("rad");
        /// Weight of the head's orientation.
        head_weight: number(1.0, [0.0, 100.0]);
        /// How much it shifts its weight and breathes after some seconds of quiet standing: 0 a statue, 1 a person.
        idle: number(1.0, [0.0, 2.0]).slider(0.0, 2.0);
        /// Feedback on the divergent component by the ankles, in units of `√(g/leg)`.
        ankle_gain: number(0.886, [0.0, 4.0]).unit("√(g/leg)");
        /// How far beyond the soles the centre of pressure is asked for in need, by turning trunk and arms.
        overreach: number(-0.0086, [-0.05, 0.1]).unit("leg");
        /// Time of a disturbed step, as a share of that of a calm one.
        brace_step: number(0.85, [0.3, 1.0]);
        /// Stiffness and weight of the trunk under a push, as shares of the usual ones.
        brace_trunk: number(0.7, [0.05, 2.0]);
        /// Time in which a disturbed walk becomes a calm one again.
        recovery: number(5.0, [0.0, 20.0]).unit("√(leg/g)");
        /// How long a push that is felt is taken to last.
        persistence: number(0.7, [0.0, 3.0]).unit("√(leg/g)");
        /// How far a foot may cross the other, when it is well ahead of it or behind it.
        cross: number(0.25, [0.0, 0.5]).unit("leg");
        /// Weight of the centre of mass in the plane.
        balance_weight: number(3000.0, [1.0, 100000.0]);
        /// Stiffness of trunk and pelvis orientation, 1/s².
        trunk_stiffness: number(104.0, [0.0, 1000.0]).unit("1/s²");
        /// Weight of trunk and pelvis orientation.
        trunk_weight: number(20.8, [0.0, 1000.0]);
        /// Weight of their turning about the vertical, as a share of that.
        twist_weight: number(1.0, [0.0, 10.0]);
        /// Weight of the swinging foot.
        swing_weight: number(86.1, [0.0, 10000.0]);
        /// Weight of the height of the centre of mass in a brisk walk.
        height_weight: number(4000.0, [0.0, 100000.0]);
        /// Stiffness of the height of the centre of mass, 1/s².
        height_stiffness: number(100.0, [1.0, 1000.0]).unit("1/s²");
        /// Weight of angular momentum, 1/(kg·m²)², for a body of 76 kg and 0.93 m legs.
        momentum_weight: number(0.00387, [0.0, 1.0]);
        /// Gain of angular momentum, 1/s.
        momentum_gain: number(5.63, [0.0, 50.0]).unit("1/s");
        /// Stiffness of the rest pose, 1/s².
        pose_stiffness: number(35.3, [0.0, 500.0]).unit("1/s²");
        /// Weight of the arms in the rest pose.
        arm_weight: number(1.0, [0.0, 10.0]);
        /// Stiffness of the spine in the rest pose, 1/s²: landings buckle a soft one.
        spine_stiffness: number(140.0, [0.0, 500.0]).unit("1/s²");
        /// Weight of the spine in the rest pose.
        spine_weight: number(2.0, [0.0, 10.0]);
        /// Weight of the legs in the rest pose.
        leg_weight: number(0.0536, [0.0, 10.0]);
        /// How far an arm swings against the leg of its side and with the other, as a share of half of the angle between them.
        arm_swing: number(0.95, [0.0, 3.0]);
        /// How far behind the body the arms swing about, rad.
        arm_back: number(0.15, [-0.5, 0.5]).unit("rad");
        /// Weight of the swinging of the arms.
        arm_swing_weight: number(10.0, [0.0, 100.0]);
        /// Weight of hands that are kept at the pockets.
        pockets: number(0.0, [0.0, 100.0]);
        /// Weight of the torques of the arms.
        arm_torque: number(0.0, [0.0, 1.0]);
        /// Least time of a step in an emergency, as a share of the usual one.
        hurry: number(0.4, [0.2, 1.0]);
        /// Greatest time of a step in an emergency, as a share of the usual one.
        delay: number(1.25, [1.0, 3.0]);
        /// Cost of a change of a step's time (squared share).
        time_cost: number(0.407, [0.0, 100.0]);
        /// Cost of a wrong offset of the divergent component at landing (squared share of the leg).
        offset_cost: number(122.0, [0.0, 10000.0]);
    }
}
