//! Inverse kinematics: joint values for wanted places and orientations.
//!
//! | | for | cost |
//! | --- | --- | --- |
//! | [`LimbIk`] | a leg or an arm of two links, exactly | 1 µs |
//! | [`IkSolver`] | any bodies of any character at once, by damped least squares within the joint limits | 20 µs per round |
//! | [`TwoLink`] | the triangle of hip, knee and ankle | – |

pub(crate) mod chain;
mod damped;
mod limb;
mod two_link;

pub(crate) use limb::between;

pub use chain::Chain;
pub use damped::{IkOutcome, IkSettings, IkSolver, IkTarget};
pub use limb::{LimbIk, Reach};
pub use two_link::{Triangle, TwoLink};

/// Why bodies are no limb of two links.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimbError {
    /// The bodies do not hang from each other.
    #[error("body \"{below}\" must hang from body \"{above}\"")]
    Order {
        /// The body that should carry.
        above: String,
        /// The body that should be carried.
        below: String,
    },
    /// The root joint does not turn freely.
    #[error("the joint of \"{0}\" must turn about three axes")]
    Root(String),
    /// The middle joint is no hinge and no ball.
    #[error("the joint of \"{0}\" must be one hinge, or turn about three axes")]
    Middle(String),
    /// The joints of a body do not turn about one point.
    #[error("the joints of \"{0}\" must turn about one point")]
    NotOnePoint(String),
    /// A link has no length.
    #[error("\"{upper}\" and \"{lower}\" must have a length")]
    Short {
        /// The upper link.
        upper: String,
        /// The lower link.
        lower: String,
    },
}
