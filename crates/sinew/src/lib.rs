//! Characters that move under physics.
//!
//! This facade crate re-exports the library crates, each of which can be used alone, and has a [`prelude`] for most
//! programs. It has no command-line or server dependency and builds for wasm32.
//!
//! | module | content |
//! | --- | --- |
//! | [`dynamics`] | articulated bodies: models, characters, MJCF and URDF, kinematics, dynamics and their derivatives |
//! | [`solve`] | optimisation for control, without knowledge of bodies |
//! | [`world`] | contact physics, recordings and their audit |
//! | [`motion`] | import and export of clips, retargeting, contacts, editing |
//! | [`control`] | controllers behind one interface, their registry, and runs of them |
//! | [`lab`] | scenarios as files, the papers' experiments, robustness, plots, reports |
//!
//! A built-in human, its equation of motion and one of its Jacobians:
//!
//! ```
//! use sinew::prelude::*;
//!
//! let model = characters::load("human")?;
//! let mut data = Data::new(&model);
//! let (q, v) = (model.neutral(), vec![0.0; model.nv()]);
//!
//! // M(q) v̇ + h(q, v) = τ: in free fall nothing else acts, so the whole body accelerates with gravity
//! let fall = aba(&model, &mut data, &q, &v, &v)?;
//! assert!((fall[2] + 9.81).abs() < 1e-9);
//!
//! // forces that hold the posture: the root's entry is the weight
//! let hold = bias_force(&model, &mut data, &q, &v);
//! assert!((hold[2] - 9.81 * model.mass()).abs() < 1e-9);
//!
//! // the effect of a force on the left foot on all joints
//! let foot = model.role(Role::Foot(Side::Left)).expect("the human has a left foot");
//! let point = data.body_placement(&model, foot).pos;
//! let mut jacobian = vec![0.0; 3 * model.nv()];
//! data.point_jacobian(&model, foot, &point, &mut jacobian);
//! assert_eq!(&jacobian[..3], &[1.0, 0.0, 0.0]); // the root carries the foot along
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub use sinew_control as control;
pub use sinew_dynamics as dynamics;
pub use sinew_lab as lab;
pub use sinew_motion as motion;
pub use sinew_solve as solve;
pub use sinew_world as world;

/// The names that most programs need: models and characters, the workspace, the algorithms; worlds; controllers and episodes.
///
/// ```
/// use sinew::prelude::*;
///
/// let walker = Registry::built_in().get("walker").unwrap();
/// let mut episode = Episode::on_flat_ground(walker, characters::load("human")?)?;
/// episode.perform(&Action::Command(Command::forward(0.8)))?;
/// episode.run(2.0)?;
/// assert!(episode.q()[0] > 0.4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    pub use sinew_control::features::Walker;
    pub use sinew_control::{
        Action, Command, ControlStatus, Controller, Episode, EpisodeRecorder, Observation, Order, Out,
        Registry, System,
    };
    pub use sinew_dynamics::{
        BodyId, BodySpec, Constraint, Constraints, Data, Geom, JointId, JointKind, JointSpec, Model,
        ModelSpec, Role, Shape, Side, Site, aba, aba_derivatives, bias_force, center_of_mass, centroidal_map,
        characters, constrained_dynamics, constrained_dynamics_derivatives, crba, factor_mass_matrix,
        forward_kinematics, forward_velocities, joint_jacobians, kinetic_energy, momentum, passive_force,
        potential_energy, rnea, rnea_derivatives,
    };
    pub use sinew_world::{Actuation, Push, Terrain, World};
}

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
