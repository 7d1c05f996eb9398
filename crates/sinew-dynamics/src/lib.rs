//! Rigid-body dynamics of articulated characters and robots: exact, fast, allocation-free, the same bits on every machine.
//!
//! A [`Model`] is the immutable description of a tree of bodies, from MJCF, URDF, code, or one of the built-in
//! [`characters`]. A [`Data`] is the workspace of one thread. Algorithms are free functions of both and of slices.
//!
//! ```
//! use sinew_dynamics::spatial::Vec3;
//! use sinew_dynamics::*;
//!
//! let human = characters::load("human")?; // or Model::from_mjcf(text)?.0, Model::from_urdf(text)?.0
//! let mut data = Data::new(&human);
//! let (nv, q) = (human.nv(), human.neutral());
//! let (v, tau) = (vec![0.0; nv], vec![0.0; nv]);
//!
//! let m = crba(&human, &mut data, &q); // M(q), nv×nv
//! assert!((m[0] - human.mass()).abs() < 1e-9);
//! let h = bias_force(&human, &mut data, &q, &v); // h(q, v), gravity included
//! assert!((h[2] - 9.81 * human.mass()).abs() < 1e-9);
//! let a = aba(&human, &mut data, &q, &v, &tau)?; // v̇ = M⁻¹(τ − h): free fall
//! assert!((a[2] + 9.81).abs() < 1e-9);
//!
//! let foot = human.role(Role::Foot(Side::Left)).unwrap();
//! let ankle = data.body_placement(&human, foot).pos;
//! let mut jacobian = vec![0.0; 6 * nv]; // linear rows, angular rows, world axes
//! data.body_jacobian(&human, foot, &ankle, &mut jacobian);
//!
//! let mut held = Constraints::new(&human, vec![Constraint::body(foot, Vec3::zeros())]);
//! let on_one_leg = constrained_dynamics(&human, &mut data, &mut held, &q, &v, &tau)?;
//! assert!(on_one_leg.force[2] > 0.0); // the ground pushes up
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # State, frames, conventions
//!
//! SI units, radians, right-handed, z up, f64. The state is MuJoCo's:
//!
//! | joint | `q` | `v`, and its dual `τ` |
//! | --- | --- | --- |
//! | free | position in the world, quaternion w x y z | linear velocity in **world** axes, angular in **body** axes |
//! | ball | quaternion w x y z, child to parent | angular velocity relative to the parent, in **child** axes |
//! | hinge, slide | one number | its rate |
//! | universal, planar | two hinges; two slides and a hinge | likewise |
//! | weld | – | – |
//!
//! - `M(q) v̇ + h(q, v) = τ + Σ Jᵀ f`, gravity in `h`. Springs and dampers of the joints are not in `h`: add
//!   [`passive_force`] to `τ`. Armature is in `M`.
//! - Quaternions must be of unit length ([`Model::normalize`]); `q` and `−q` give the same bits.
//! - Configurations are added and subtracted by [`Model::integrate`] and [`Model::difference`] only. A derivative by `q`
//!   is by such a step, in the frames of `v`.
//! - Points and Jacobians are in world axes, linear rows before angular ones; matrices are column-major slices.
//! - After a call, frames in a `Data` are those of the call's state. Point velocities need [`forward_velocities`] before
//!   them, point accelerations [`forward_accelerations`].
//!
//! # Algorithms
//!
//! `n` links, `d` the depth of a link in degrees of freedom. Every one uses the tree's sparsity; none allocates.
//!
//! | quantity | function | cost | source |
//! | --- | --- | --- | --- |
//! | frames, velocities, accelerations, `J̇ v` | [`forward_kinematics`], [`forward_velocities`], [`forward_accelerations`] | n | |
//! | Jacobians | [`joint_jacobians`], [`Data::body_jacobian`], [`Data::point_jacobian`], [`com_jacobian`] | n; d | |
//! | inverse dynamics, bias | [`rnea`], [`bias_force`] | n | Luh, Walker, Paul 1980 |
//! | forward dynamics | [`aba`] | n | Featherstone 2008, ch. 7; ball joints eliminated as 3×3 blocks |
//! | accelerations at some joints, forces at others | [`hybrid_dynamics`] | n | Featherstone 2008, ch. 9 |
//! | mass matrix | [`crba`] | Σ d | Featherstone 2008, ch. 6 |
//! | `M = LᵀDL`, `M⁻¹ b` | [`factor_mass_matrix`], [`Data::solve_mass_matrix`] | Σ d²; Σ d | Featherstone 2008, ch. 6 |
//! | `J M⁻¹ Jᵀ` | [`OperationalSpace`] | d² per row pair | |
//! | centroidal map, bias, inertia | [`centroidal_map`], [`centroidal_bias`], [`momentum`] | n | Orin, Goswami, Lee 2013 |
//! | energies | [`kinetic_energy`], [`potential_energy`] | n | |
//! | ∂ inverse dynamics | [`rnea_derivatives`] | Σ d | Singh, Russell, Wensing 2022 |
//! | ∂ forward dynamics | [`aba_derivatives`] | nv · Σ d | Carpentier, Mansard 2018 |
//! | contact-constrained dynamics and ∂ | [`constrained_dynamics`], [`constrained_dynamics_derivatives`] | rows³ + the above | KKT by Delassus' matrix |
//!
//! # Around the algorithms
//!
//! - [`mod@format`]: MJCF in ([`Model::from_mjcf`]) and out, URDF in ([`Model::from_urdf`]). Unsupported content is an error
//!   with file, line, element and remedy, or is listed if it cannot change the physics.
//! - [`characters`]: thirteen bodies of our own. [`guess_roles`] finds pelvis, feet and hands of any biped.
//! - [`ModelSpec::changed`]: longer legs, heavier hands, other limits. [`Model::warnings`]: probable mistakes in a model.
//! - [`numdiff`]: central differences on the manifold, to check derivatives of your own.
//!
//! The crate has no feature flags: one build, safe Rust, wasm32 included.
//!
//! # Limitations
//!
//! No collision detection, contact forces or time stepping; no closed loops other than held points and bodies; no tendons
//! or flexible bodies; no scalar other than f64.
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
pub mod file;
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
mod scratch;
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
    Site, Span, Tie, UnknownRole, Warning, guess_roles,
};
pub use operational::OperationalSpace;
pub use passive::passive_force;
pub use rnea::{bias_force, rnea};
pub use rnea_derivatives::{RneaDerivatives, rnea_derivatives};
pub use scratch::Scratch;
