//! Recordings: the state and all forces of a run, step by step, in one `.npz` file.
//!
//! Row k is the state at the beginning of step k and the forces until its end, so that with the default integrator
//! ```text
//! M(q_k) (v_{k+1} − v_k)/dt + h(q_k, v_k) = tau_k + constraint_k + passive_k + Σ Jᵀ (contact_k + external_k)
//! q_{k+1} = q_k ⊕ dt v_{k+1}
//! ```
//! hold to rounding (in steps that begin with a coordinate turning faster than `meta.midpoint_above` or are pushed harder than the weight, with
//! `h(q_k, ½(v_k + v_{k+1}))`), and can be checked: [`audit`](crate::audit) does so here, and a script in MuJoCo. With T rows,
//! N contacts and E outside forces in all:
//!
//! | array | shape | holds |
//! | --- | --- | --- |
//! | `time` | T | s |
//! | `q`, `v` | T×nq, T×nv | state, in the layout of [`Model`] and MuJoCo |
//! | `tau` | T×nv | generalised forces of the actuators; zero for the root |
//! | `constraint` | T×nv | of joint limits, dry friction in joints, declared attachments |
//! | `body_names` | nb+no | the nb bodies of `model` in its order, then the world's things that contacts point to |
//! | `contact_offset` | T+1 | contacts of row k are `offset[k]..offset[k+1]` |
//! | `contact_body`, `contact_other` | N | indices into `body_names`; other −1: terrain |
//! | `contact_point`, `contact_force`, `contact_normal` | N×3 | world; force on `contact_body`, mean over the step; normal towards it |
//! | `contact_distance`, `contact_friction` | N | gap at the beginning of the step, m; coefficient |
//! | `external_offset`, `external_body`, `external_point`, `external_force` | T+1, E, E×3, E×3 | pushes, pulls |
//! | `object_names`, `object_pose` | no, T×no×7 | position, quaternion w x y z |
//! | `telemetry_<name>` | T | named figures of a controller |
//! | `model`, `meta` | text | MJCF of the character alone; JSON of [`Meta`] |
//!
//! Each contact row is a force on one body of the character. The character itself is among the world's things, under
//! the name `meta.actor`: where it touches itself there are two rows at the same point, one for each side.
//!
//! [`Recorder`] writes during the run, with bounded memory, and [`WorldRecorder`] takes its rows from a
//! [`World`](crate::World); [`RecordingReader`] reads row by row; [`Recording`] holds
//! a whole run for random access.

mod drawn;
mod error;
mod info;
mod meta;
mod of_world;
mod reader;
mod recorder;
mod whole;

pub use crate::Integrator;
pub use error::RecordingError;
pub use info::Info;
pub use meta::{Attachment, BodyChange, Damping, FORMAT, Meta};
pub use of_world::WorldRecorder;
pub use reader::{RecordingReader, Row};
pub use recorder::{Recorder, Setup};
pub use whole::Recording;

#[cfg(doc)]
use sinew_dynamics::Model;
