//! Rigid-body dynamics of articulated characters and robots.
#![forbid(unsafe_code)]

pub mod format;
mod model;
pub mod spatial;

pub use model::{
    Actuator, ActuatorLaw, BodyId, BodySpec, Geom, GuessedRole, JointId, JointInfo, JointKind, JointSpec,
    Keyframe, Model, ModelError, ModelSpec, Role, RoleGuess, Roles, Shape, Side, Site, UnknownRole,
    guess_roles,
};
