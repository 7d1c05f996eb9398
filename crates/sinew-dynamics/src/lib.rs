//! Rigid-body dynamics of articulated characters and robots.
#![forbid(unsafe_code)]

pub mod format;
mod model;
pub mod spatial;

pub use model::{
    Actuator, ActuatorLaw, BodyId, BodySpec, Geom, JointId, JointInfo, JointKind, JointSpec, Keyframe, Model,
    ModelError, ModelSpec, Role, Roles, Shape, Side, Site, UnknownRole,
};
