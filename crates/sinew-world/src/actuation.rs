//! What a controller asks of the joints.

/// Joint torques for one step, or a law affine in the contact forces.
///
/// With feedback, `τ = τ₀ + G f`, where `f` stacks the forces (world axes, N) of the actor's contacts in the order in which
/// the world reports them. The contact solver folds the law into its own problem, so that torques and contact forces are
/// found together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actuation {
    /// `τ₀`: one entry per degree of freedom. Entries of a free joint must be zero; others are clamped to the effort limits.
    pub torque: Vec<f64>,
}

impl Actuation {
    /// No torque at all: a passive body.
    pub fn none(nv: usize) -> Actuation {
        Actuation { torque: vec![0.0; nv] }
    }
}
