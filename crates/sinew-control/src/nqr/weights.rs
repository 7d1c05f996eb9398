//! The published weights (tables 1 and 2 of the paper), for any body: by the part that a joint moves.

use crate::spacetime::POINTS;
use sinew_dynamics::{JointKind, Model, Role, Side};

/// Weights of a degree of freedom: error of place, of speed; control error R, control size P; adaptation W.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    place: f64,
    speed: f64,
    error: f64,
    size: f64,
    adapt: f64,
}

const fn part(place: f64, speed: f64, error: f64, size: f64, adapt: f64) -> Part {
    Part { place, speed: speed * 1e-2, error: error * 1e-7, size: size * 1e-5, adapt }
}

const TRUNK: Part = part(5.0, 4.0, 1.0, 0.40, 0.64);
const ANKLE: Part = part(8.0, 4.0, 0.20, 0.30, 0.090);
const KNEE: Part = part(10.0, 6.0, 0.40, 0.30, 0.20);
const HIP: Part = part(11.0, 8.0, 0.60, 0.30, 0.38);
const SHOULDER: Part = part(2.0, 2.0, 1.0, 0.60, 0.67);
const ELBOW: Part = part(2.0, 2.0, 1.0, 0.50, 0.54);
const HEIGHT: [f64; 2] = [10.0, 0.12];
const LOCATION: [f64; 2] = [4.0, 0.12];
const ORIENTATION: [f64; 2] = [12.0, 0.08];
/// P of planned forces, 1/N².
const FORCE: f64 = 0.060e-5;
/// Adaptation: location and height of the torso, of each shoulder.
pub(super) const TORSO: [f64; 3] = [6.0, 6.0, 0.010];
pub(super) const SHOULDERS: [f64; 3] = [0.50, 0.50, 0.0010];

/// The weights of a body.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Q: places, then speeds; 2 nv.
    pub(super) state: Vec<f64>,
    /// R and P per degree of freedom; those of the root are not used.
    pub(super) error: Vec<f64>,
    pub(super) size: Vec<f64>,
    /// P of the three components of a force.
    pub(super) force: [f64; POINTS],
    /// W per degree of freedom.
    pub(super) adapt: Vec<f64>,
}

impl Weights {
    pub(super) fn of(model: &Model) -> Weights {
        let nv = model.nv();
        let mut out = Weights {
            state: vec![0.0; 2 * nv],
            error: vec![0.0; nv],
            size: vec![0.0; nv],
            force: [FORCE; POINTS],
            adapt: vec![0.0; nv],
        };
        for joint in model.joints() {
            if joint.kind == JointKind::Free {
                let rows = [LOCATION, LOCATION, HEIGHT, ORIENTATION, ORIENTATION, ORIENTATION];
                for (d, [place, speed]) in rows.into_iter().enumerate() {
                    (out.state[joint.v + d], out.state[nv + joint.v + d]) = (place, speed);
                }
                continue;
            }
            let is =
                |role: fn(Side) -> Role| Side::BOTH.iter().any(|s| model.role(role(*s)) == Some(joint.body));
            let part = if is(Role::Foot) || is(Role::Toe) {
                ANKLE
            } else if is(Role::Shin) {
                KNEE
            } else if is(Role::Thigh) {
                HIP
            } else if is(Role::UpperArm) {
                SHOULDER
            } else if is(Role::LowerArm) || is(Role::Hand) {
                ELBOW
            } else {
                TRUNK
            };
            for d in joint.v..joint.v + joint.kind.nv() {
                (out.state[d], out.state[nv + d]) = (part.place, part.speed);
                (out.error[d], out.size[d], out.adapt[d]) = (part.error, part.size, part.adapt);
            }
        }
        out
    }
}
