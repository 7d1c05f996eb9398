//! Rigid-body dynamics of articulated characters and robots.
#![forbid(unsafe_code)]

mod aba;
mod configuration;
mod crba;
mod data;
mod factor;
pub mod format;
mod kinematics;
mod model;
mod rnea;
pub mod spatial;

pub use aba::aba;
pub use crba::crba;
pub use data::Data;
pub use factor::{Singular, factor_mass_matrix};
pub use kinematics::{forward_kinematics, forward_velocities};
pub use model::{
    Actuator, ActuatorLaw, BodyId, BodySpec, Geom, JointId, JointInfo, JointKind, JointSpec, Keyframe, Model,
    ModelError, ModelSpec, Role, Roles, Shape, Side, Site, UnknownRole,
};
pub use rnea::{bias_force, rnea};
