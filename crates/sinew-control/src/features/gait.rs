//! Parameters of walking, all of which may change at any time.

/// How a body walks. Lengths are shares of its leg length, times are multiples of `√(leg/g)`, so that bodies of any size
/// walk alike (equal Froude number).
#[derive(Clone, Debug, PartialEq)]
pub struct Gait {
    /// Time from one landing to the next at rest and its decrease per unit of `speed/√(g·leg)`.
    pub step_time: [f64; 2],
    /// Share of a step in which both feet carry.
    pub double_support: f64,
    /// Distance between the middles of the feet.
    pub spread: f64,
    /// Height of the middle of the swinging sole.
    pub lift: f64,
    /// Height of the centre of mass as a share of that with straight legs.
    pub height: f64,
    /// Lean of the trunk forward, rad.
    pub lean: f64,
    /// Feedback on the divergent component by the ankles, 1/s in units of `√(g/leg)`.
    pub ankle_gain: f64,
    /// Stiffness of trunk and pelvis orientation, 1/s².
    pub trunk_stiffness: f64,
    /// Weight of trunk and pelvis orientation.
    pub trunk_weight: f64,
    /// Weight of the swinging foot.
    pub swing_weight: f64,
    /// Weight of the height of the centre of mass.
    pub height_weight: f64,
    /// Stiffness of the height of the centre of mass, 1/s².
    pub height_stiffness: f64,
    /// Weight of angular momentum, 1/(kg·m²)², for a body of 76 kg and 0.86 m legs.
    pub momentum_weight: f64,
    /// Gain of angular momentum, 1/s.
    pub momentum_gain: f64,
    /// Stiffness of the rest pose, 1/s².
    pub pose_stiffness: f64,
    /// Weight of arms in the rest pose.
    pub arm_weight: f64,
    /// Weight of the torques of the arms.
    pub arm_torque: f64,
    /// Least and greatest time of a step in an emergency, as shares of the usual one.
    pub hurry: [f64; 2],
    /// Cost of a change of a step's time (squared share).
    pub time_cost: f64,
    /// Cost of a wrong offset of the divergent component at landing (squared share of the leg).
    pub offset_cost: f64,
}

impl Default for Gait {
    fn default() -> Gait {
        Gait {
            step_time: [1.95, 0.45],
            double_support: 0.18,
            spread: 0.19,
            lift: 0.07,
            height: 0.955,
            lean: 0.03,
            ankle_gain: 0.9,
            trunk_stiffness: 80.0,
            trunk_weight: 10.0,
            swing_weight: 100.0,
            height_weight: 10.0,
            height_stiffness: 60.0,
            momentum_weight: 1.0,
            momentum_gain: 5.0,
            pose_stiffness: 30.0,
            arm_weight: 0.1,
            arm_torque: 0.0,
            hurry: [0.55, 1.3],
            time_cost: 0.3,
            offset_cost: 100.0,
        }
    }
}
