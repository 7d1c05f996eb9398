//! How contact forces are found.

/// The law between bodies that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactModel {
    /// Rigid bodies: forces that just prevent overlap, with Coulomb friction, found together with those of joint limits, dry
    /// friction, grips and welds (Stewart and Trinkle 1996).
    Complementarity {
        /// The cone in which contact forces lie.
        cone: Cone,
    },
}

impl Default for ContactModel {
    fn default() -> ContactModel {
        ContactModel::Complementarity { cone: Cone::Exact }
    }
}

/// The cone of friction, and with it the way of solving.
///
/// Sides are inscribed: the corners of the polygon lie on Coulomb's circle, so friction is never stronger than `μ N`. What
/// holds a body still in an unlucky direction is weaker by a factor of at least `cos(π/sides)`; a sliding body is braked by
/// between `cos(π/sides)·μ N` and `μ N`, in a direction at most `π/sides` from its velocity's opposite.
///
/// | sides | `1 − cos(π/sides)` | greatest angle |
/// | ---: | ---: | ---: |
/// | 4 | 29 % | 45° |
/// | 8 | 7.6 % | 22.5° |
/// | 16 | 1.9 % | 11.25° |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cone {
    /// Coulomb's circular cone, solved by iteration to `tolerance`: fast, and the default.
    Exact,
    /// A cone with flat sides, solved by Lemke's pivoting to rounding. Cost grows with the cube of contacts × sides.
    Polyhedral {
        /// Number of sides, at least 3.
        sides: usize,
    },
}
