//! Metrics of a run: falls, quality of contacts, distance, energy.
//!
//! [`Metrics`] takes one step at a time, without allocating, while a run goes on; [`Recording::summary`] does the same from
//! a file. [`Summary`] holds the figures, as a table or JSON.
//!
//! **Fall** (the rule that robustness is measured by): the trunk or the head touches the ground; or the centre of mass
//! drops under half of its standing height; or a part other than the feet supports weight. Standing height is that of
//! the centre of mass over the soles in the keyframe `stand` (else the first, else the neutral pose); the present height is
//! over the ground that the feet last stood on, so that stairs and slopes do not count as falls. A part counts as supporting
//! weight if it carries 5 % of the weight, upwards, for 50 ms. Only characters with feet can fall.
//!
//! **Contact quality**
//!
//! | figure | is |
//! | --- | --- |
//! | penetration, mm | greatest overlap |
//! | skate, mm | path of a foot along the ground within one stance, `Σ dt |Σ f_n u_t|/Σ f_n` over its points; mean and worst stance of at least 50 ms |
//! | COP margin, mm | distance of the centre of pressure from the edge of the support polygon, the convex hull of the feet's contact points seen from above; mean and least |
//! | friction used | `|f_t|/(μ f_n)` of the contact nearest to sliding, among those with 1 % of the weight |
//! | chatter, 1/s | changes of the number of loaded points of a body that undo a change less than 50 ms old |
//!
//! A foot's slip counts from the second step of a stance on: in the first one it still has the velocity of its landing.
//! Skate, COP margin, chatter, footsteps and heading describe walking and standing: they end with a fall.
//!
//! **Way**: distance is the length of the horizontal path of the centre of mass through its positions every half second, which
//! leaves sway out; heading is the turn of the pelvis about the vertical, whole turns included; a footstep is a landing after
//! at least 100 ms in the air. **Cost**: energy is `Σ dt Σ |τ v|` with the mean velocity of the step; the torque ratio is
//! torque over limit.

mod contact;
mod fall;
mod feet;
pub mod hull;
mod parts;
mod summary;
mod way;
mod whole;

pub use fall::Fall;
pub use summary::{Quantiles, Summary};
pub use whole::Metrics;

#[cfg(doc)]
use crate::recording::Recording;

/// Thresholds of the measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Share of the standing height under which the centre of mass must not drop.
    pub fall_height: f64,
    /// Share of the weight that counts as supported.
    pub support: f64,
    /// For how long it must be supported, s.
    pub support_time: f64,
    /// Share of the weight from which on a contact is loaded.
    pub loaded: f64,
    /// A change undone within this time is chatter; a shorter stance is none, s.
    pub short: f64,
    /// A landing after this time in the air is a footstep, s.
    pub swing: f64,
    /// Points nearer to the ground than this belong to the support polygon, m.
    pub reach: f64,
    /// Time between the points of the path, s.
    pub path: f64,
    /// Share of the weight above which a contact's friction counts.
    pub friction_load: f64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            fall_height: 0.5,
            support: 0.05,
            support_time: 0.05,
            loaded: 1e-3,
            short: 0.05,
            swing: 0.1,
            reach: 5e-3,
            path: 0.5,
            friction_load: 0.01,
        }
    }
}
