//! SIMBICON: walking and running by target poses and foot placement (Yin, Loken, van de Panne 2007).
//!
//! # Method
//! A stride is four states, two per leg (`machine`). Each state is a target pose; joints follow it by
//! proportional-derivative control, without any plan beyond the present state:
//! ```text
//! τ = k_p (θ_d − θ) − k_d θ̇                                                     (1)
//! ```
//! Knees, ankles, spine and arms have target angles relative to their parent. **Trunk and swinging thigh have targets in the world**:
//! the trunk is to be upright and the swinging leg in its place, independent of the standing leg. An external torque on the trunk
//! would be unphysical. Therefore the standing hip, which has no target of its own, provides it:
//! ```text
//! τ_standing hip = −τ_trunk − τ_swinging hip − τ_spine                          (2)
//! ```
//! where all are couples on the lower part of their joint (`torque`); the trunk then receives exactly `τ_trunk`.
//!
//! Balance comes from foot placement. With `d` the horizontal distance from the standing ankle to the centre of mass, and `v` its
//! velocity,
//! ```text
//! θ_d = θ_d0 + c_d d + c_v v                                                    (3)
//! ```
//! in the sagittal plane and, in space, also in the coronal one. A faster fall leads to a longer step, which brakes it.
//!
//! # Differences from the paper
//! - Steering: (3) uses `v` minus the commanded velocity, and targets in the world turn with the heading. The paper's walks have a fixed
//!   speed, and so have those of planar bodies here, independent of the command.
//! - Damping is bounded by `0.4 I/Δt`, with the inertia `I` that a degree of freedom feels, so that light feet do not diverge in steps of 1 ms.
//!   At the paper's step of 0.05 ms the bound is never active.
//! - Torques stay within the body's torque limits.
//! - Numbers are scaled to bodies of other size and mass at equal Froude number.
//!
//! A change of gait takes effect when the next leg begins to swing. A decision costs a few microseconds.
//!
//! Source: K. Yin, K. Loken, M. van de Panne, "SIMBICON: simple biped locomotion control", ACM Transactions on Graphics 26 (2007).
//!
//! ```
//! use sinew_control::{Episode, simbicon::SIMBICON};
//! use sinew_dynamics::characters;
//! let mut episode = Episode::on_flat_ground(&SIMBICON, characters::load("walker2d")?)?;
//! episode.run(2.0)?;
//! assert!(episode.metrics().fall().is_none() && episode.footsteps() > Some(2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod control;
mod gait;
mod machine;
mod style;
mod system;
mod torque;

pub use control::Simbicon;
pub use gait::{Gait, Space};
pub use style::STYLES;
pub use system::SIMBICON;
