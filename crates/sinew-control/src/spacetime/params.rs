//! Numbers of the optimisation.

use sinew_solve::chain::Penalty;

/// Groups of kept rows.
pub(super) const ROOT: usize = 0;
pub(super) const STICK: usize = 1;
pub(super) const LEVEL: usize = 2;
pub(super) const CONE: usize = 3;
pub(super) const CLEAR: usize = 4;
pub(super) const RANGE: usize = 5;
pub(super) const EFFORT: usize = 6;

/// Weights, contact model and swing profile of the optimisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpacetimeParams {
    /// Weight of a joint's and the root's vertical distance from the clip, 1/rad² or 1/m².
    pub pose: f64,
    /// The same of the root's orientation.
    pub root_turn: f64,
    /// The same of the root's place on the ground.
    pub root_place: f64,
    /// Weight of the distance from the clip's velocity, s².
    pub velocity: f64,
    /// Weight of torque, 1/(N·m)².
    pub torque: f64,
    /// Weight of contact force, 1/N².
    pub force: f64,
    /// Coefficient of friction inside which planned forces stay (a pyramid within the cone).
    pub friction: f64,
    /// Height to which swinging feet rise at least in the middle of their swing, m.
    pub clearance: f64,
    /// Power of the sine by which that height rises and falls over a swing.
    pub clearance_power: f64,
    /// Share of the effort limits that the plan may use.
    pub effort: f64,
    /// Most rounds of the augmented Lagrangian.
    pub rounds: usize,
    /// Greatest force (and moment) of the equation of motion that is left on the root, over the weight: rounding, so that the audit proves the
    /// plan, or as much as a controller does not feel.
    pub exactness: f64,
}

impl Default for SpacetimeParams {
    fn default() -> SpacetimeParams {
        SpacetimeParams {
            pose: 40.0,
            root_turn: 100.0,
            root_place: 20.0,
            velocity: 0.05,
            torque: 1e-4,
            force: 1e-6,
            friction: 0.7,
            clearance: 0.05,
            clearance_power: 1.5,
            effort: 0.95,
            rounds: 36,
            exactness: 5e-11,
        }
    }
}

/// Penalties of the groups, for a body of this weight (N). Rows of inverse dynamics have derivatives of the order of `M/Δ²`, so that even the
/// first penalty is a hard one; far greater ones only cost digits.
pub(super) fn penalties(weight: f64, exactness: f64) -> [Penalty; 7] {
    let of = |first, most, tolerance| Penalty { first, most, tolerance };
    [
        of(1e-3, 1e-2, exactness * weight),
        of(10.0, 1e4, 1e-3),
        of(3e3, 3e7, 2e-5),
        of(1e-4, 1e-4, 3e-4 * weight),
        of(1e4, 1e7, 1e-3),
        of(1e3, 1e6, 2e-3),
        of(1e-3, 1e-2, 1e-2),
    ]
}
