//! The mirror image of a motion: left becomes right.
//!
//! The mirror is the plane y = 0 of the world. With `H = diag(1, −1, 1)`, a turn `R` of a part, measured in the axes of the
//! reference pose, becomes `H R H` of its counterpart. In the joints' own axes, with `B` the orientation of a body in the
//! reference pose and `C = B'ᵀ H B` for the body `B` and its counterpart `B'`,
//! ```text
//! ball    R' = C R C⁻¹,   ω' = −C ω         (C turns hands: its determinant is −1)
//! hinge   θ' = ±θ,  + when −H a and the counterpart's axis agree
//! slide   x' = ±x,  + when  H a and the counterpart's axis agree
//! root    p' = H p
//! ```
//! Counterparts are the bodies that play the same role on the other side, what lies between them and the trunk, and what
//! hangs from them in the same order. Everything else is its own counterpart.

use crate::layout::{quat_at, vec3_at, write_quat, write_vec3};
use crate::{Clip, FootContacts};
use sinew_dynamics::spatial::{Mat3, Quat, Vec3, rotation};
use sinew_dynamics::{JointKind, Model, Role};

/// What a joint gives to its counterpart.
#[derive(Clone, Copy, Debug)]
enum Image {
    /// Orientation of the body in the reference pose.
    Free {
        b: Mat3,
    },
    Ball {
        turn: Mat3,
    },
    Number {
        sign: f64,
        from: f64,
        to: f64,
    },
}

/// The mirror of a body.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::edit::Mirror;
/// let human = characters::load("human")?;
/// let at = |name| human.joints()[human.joint(name).unwrap().0].q;
/// let mut q = human.neutral();
/// (q[1], q[at("knee_l")]) = (0.3, 0.8);
/// let mut image = human.neutral();
/// Mirror::new(&human).configuration(&q, &mut image);
/// assert_eq!((image[1], image[at("knee_r")], image[at("knee_l")]), (-0.3, 0.8, 0.0));
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mirror {
    pairs: Vec<Pair>,
}

/// `(q, v)` of a joint, `(q, v)` of its counterpart, and the map between them.
#[derive(Clone, Copy, Debug)]
struct Pair {
    from: (usize, usize),
    to: (usize, usize),
    image: Image,
}

impl Mirror {
    /// Pairs the joints of a model. Joints without a fitting counterpart are mirrored in place.
    pub fn new(model: &Model) -> Mirror {
        let other = counterparts(model);
        let placements = model.spec().reference_placements();
        let flip = flip();
        let mut pairs = Vec::with_capacity(model.joints().len());
        for joint in model.joints() {
            let kin = other[joint.body.0];
            let same = |j: &&sinew_dynamics::JointInfo| j.body.0 == kin && j.nth == joint.nth;
            let alike = |j: &&sinew_dynamics::JointInfo| {
                core::mem::discriminant(&j.kind) == core::mem::discriminant(&joint.kind)
            };
            let to = model.joints().iter().find(same).filter(alike).unwrap_or(joint);
            let (b, b_to) = (placements[joint.body.0].rot, placements[to.body.0].rot);
            let turn = b_to.transpose() * flip * b;
            let reference = |j: &sinew_dynamics::JointInfo| model.bodies()[j.body.0].joints[j.nth].reference;
            let image = match (joint.kind, to.kind) {
                (JointKind::Hinge { axis: a }, JointKind::Hinge { axis: b_axis }) => {
                    let agree = -(turn * a).dot(&b_axis);
                    Image::Number { sign: agree.signum(), from: reference(joint), to: reference(to) }
                }
                (JointKind::Slide { axis: a }, JointKind::Slide { axis: b_axis }) => {
                    let agree = (turn * a).dot(&b_axis);
                    Image::Number { sign: agree.signum(), from: reference(joint), to: reference(to) }
                }
                (JointKind::Free, _) => Image::Free { b },
                _ => Image::Ball { turn },
            };
            pairs.push(Pair { from: (joint.q, joint.v), to: (to.q, to.v), image });
        }
        Mirror { pairs }
    }

    /// Mirror image of a configuration.
    ///
    /// # Panics
    /// If a slice is too short.
    pub fn configuration(&self, q: &[f64], out: &mut [f64]) {
        for &Pair { from: (from, _), to: (to, _), image } in &self.pairs {
            match image {
                Image::Number { sign, from: a, to: b } => out[to] = b + sign * (q[from] - a),
                Image::Ball { turn } => write_quat(out, to, &turned(&turn, &quat_at(q, from))),
                Image::Free { b } => {
                    write_vec3(out, to, &flipped(&vec3_at(q, from)));
                    // D = R Bᵀ is measured from the reference pose, and so is its image: R' = H D H B
                    let d = rotation::to_matrix(&quat_at(q, from + 3)) * b.transpose();
                    let flip = flip();
                    write_quat(out, to + 3, &rotation::from_matrix(&(flip * d * flip * b)));
                }
            }
        }
    }

    /// Mirror image of a velocity or an acceleration.
    ///
    /// # Panics
    /// If a slice is too short.
    pub fn velocity(&self, v: &[f64], out: &mut [f64]) {
        for &Pair { from: (_, from), to: (_, to), image } in &self.pairs {
            match image {
                Image::Number { sign, .. } => out[to] = sign * v[from],
                Image::Ball { turn } => write_vec3(out, to, &-(turn * vec3_at(v, from))),
                Image::Free { b } => {
                    write_vec3(out, to, &flipped(&vec3_at(v, from)));
                    write_vec3(out, to + 3, &-(b.transpose() * flip() * b * vec3_at(v, from + 3)));
                }
            }
        }
    }

    /// Mirror image of a clip; contacts change sides.
    pub fn clip(&self, clip: &Clip) -> Clip {
        let mut q = vec![0.0; clip.as_slice().len()];
        let nq = clip.model().nq();
        for (frame, out) in clip.frames().zip(q.chunks_exact_mut(nq)) {
            self.configuration(frame, out);
        }
        let contacts = clip.contacts.clone().map(FootContacts::swapped);
        let mut image = clip.with_frames(clip.rate, q, contacts);
        image.provenance.add("mirrored");
        image
    }
}

/// `H`.
fn flip() -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(1.0, -1.0, 1.0))
}

fn flipped(x: &Vec3) -> Vec3 {
    Vec3::new(x.x, -x.y, x.z)
}

/// `C R C⁻¹` of a rotation.
fn turned(c: &Mat3, r: &Quat) -> Quat {
    // axis angles are axial vectors: the image of q = (w, v) is (w, −C v)
    let v = -(c * Vec3::new(r.i, r.j, r.k));
    Quat::new_normalize(nalgebra::Quaternion::new(r.w, v.x, v.y, v.z))
}

/// For each body, its counterpart on the other side, or itself.
fn counterparts(model: &Model) -> Vec<usize> {
    let bodies = model.bodies();
    let mut other: Vec<usize> = (0..bodies.len()).collect();
    let mut pair = |a: usize, b: usize| (other[a], other[b]) = (b, a);
    for role in Role::all().filter(|r| r.mirrored() != *r) {
        let mut at = model.role(role).zip(model.role(role.mirrored())).map(|(a, b)| (a.0, b.0));
        while let Some((a, b)) = at.filter(|(a, b)| a != b) {
            pair(a, b);
            at = bodies[a].parent.zip(bodies[b].parent);
        }
    }
    // what hangs from paired bodies, in the same order
    for a in 0..bodies.len() {
        let Some(parent) = bodies[a].parent.filter(|p| other[a] == a && other[*p] != *p) else { continue };
        let children = |of: usize| (0..bodies.len()).filter(move |c| bodies[*c].parent == Some(of));
        let nth = children(parent).position(|c| c == a);
        if let Some(b) = nth.and_then(|n| children(other[parent]).nth(n)) {
            (other[a], other[b]) = (b, a);
        }
    }
    other
}
