//! Rigid-body dynamics of articulated characters and robots.
#![forbid(unsafe_code)]

mod aba;
mod aba_derivatives;
mod centroidal;
pub mod characters;
mod configuration;
mod constrained;
mod constrained_derivatives;
mod crba;
mod data;
mod energy;
mod factor;
pub mod format;
mod hybrid;
mod jacobian;
mod kinematics;
mod model;
pub mod numdiff;
mod operational;
mod passive;
mod rnea;
mod rnea_derivatives;
mod solve_columns;
pub mod spatial;

pub use aba::aba;
pub use aba_derivatives::{AbaDerivatives, aba_derivatives};
pub use centroidal::{
    Centroidal, Momentum, center_of_mass, centroidal_bias, centroidal_map, com_jacobian, momentum,
};
pub use constrained::{Constrained, Constraint, ConstraintError, Constraints, Held, constrained_dynamics};
pub use constrained_derivatives::{ConstrainedDerivatives, constrained_dynamics_derivatives};
pub use crba::crba;
pub use data::Data;
pub use energy::{kinetic_energy, potential_energy};
pub use factor::{Singular, factor_mass_matrix, factored_mass_matrix};
pub use hybrid::hybrid_dynamics;
pub use jacobian::joint_jacobians;
pub use kinematics::{forward_accelerations, forward_kinematics, forward_velocities};
pub use model::{
    Actuator, ActuatorLaw, BodyId, BodySpec, Change, Geom, GuessedRole, JointId, JointInfo, JointKind,
    JointSpec, Keyframe, MassRule, Model, ModelError, ModelSpec, Role, RoleGuess, Roles, Scale, Shape, Side,
    Site, Span, UnknownRole, Warning, guess_roles,
};
pub use operational::OperationalSpace;
pub use passive::passive_force;
pub use rnea::{bias_force, rnea};
pub use rnea_derivatives::{RneaDerivatives, rnea_derivatives};
