//! Orientation in MJCF's five forms, and frames within frames.
//!
//! `quat` (w x y z), `axisangle` (axis, angle), `euler` (angles about the axes of `eulerseq` in turn), `xyaxes` (x axis
//! and a vector that with it spans the x-y plane), `zaxis` (the least rotation that takes z there).

use super::settings::Compiler;
use super::tree::Node;
use super::value::Layers;
use crate::format::FormatError;
use crate::spatial::{Mat3, Quat, Vec3, rotation};
use nalgebra::Quaternion;

const FORMS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// Shortest vector that has a direction.
const SHORTEST: f64 = 1e-14;

/// The orientation of an element: the form in the last layer that has one, or the identity.
pub(super) fn orientation(at: &Layers<'_>, compiler: &Compiler) -> Result<Quat, FormatError> {
    for &node in at.nodes().iter().rev() {
        let mut forms = FORMS.into_iter().filter(|f| node.attribute(f).is_some());
        let Some(form) = forms.next() else { continue };
        if let Some(second) = forms.next() {
            return Err(node.error(format!(
                "orientation is given twice, as {form} and as {second}; one of them must go"
            )));
        }
        return read(node, form, compiler);
    }
    Ok(Quat::identity())
}

fn read(node: Node<'_>, form: &str, compiler: &Compiler) -> Result<Quat, FormatError> {
    let at = Layers::of(node);
    let directed =
        |v: Vec3| unit(v).ok_or_else(|| node.error(format!("{form} has an axis without direction")));
    Ok(match form {
        "quat" => {
            let q = at.numbers("quat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
            unit_quat(q).ok_or_else(|| node.error("quat=\"0 0 0 0\" is no orientation"))?
        }
        "axisangle" => {
            let [x, y, z, angle] = at.numbers("axisangle")?.unwrap_or_default();
            about(&directed(Vec3::new(x, y, z))?, compiler.angle(angle))
        }
        "euler" => {
            let angles: [f64; 3] = at.numbers("euler")?.unwrap_or_default();
            let mut q = Quat::identity();
            for (letter, angle) in compiler.eulerseq.into_iter().zip(angles) {
                let mut axis = Vec3::zeros();
                axis[usize::from(letter.to_ascii_lowercase() - b'x')] = 1.0;
                let turn = about(&axis, compiler.angle(angle));
                // axes that turn with the body multiply on the right, fixed ones on the left
                q = if letter.is_ascii_lowercase() { q * turn } else { turn * q };
            }
            q
        }
        "xyaxes" => {
            let [a, b, c, d, e, f] = at.numbers("xyaxes")?.unwrap_or_default();
            let x = directed(Vec3::new(a, b, c))?;
            let y = Vec3::new(d, e, f);
            let y = directed(y - x * x.dot(&y))?;
            let r = Mat3::from_columns(&[x, y, x.cross(&y)]);
            let q = rotation::from_matrix(&r);
            // of the two quaternions the one that MuJoCo takes: it is the state of a free body
            let leading = match (r.trace() > 0.0, r.diagonal().imax()) {
                (true, _) => q.w,
                (false, k) => q.imag()[k],
            };
            if leading < 0.0 { Quat::new_unchecked(-q.into_inner()) } else { q }
        }
        _ => along(&directed(at.vector("zaxis")?.unwrap_or_default())?),
    })
}

/// The unit quaternion `w x y z`; one that is unit already keeps its bits.
pub(super) fn unit_quat(wxyz: [f64; 4]) -> Option<Quat> {
    let [w, x, y, z] = wxyz;
    let squared = w * w + x * x + y * y + z * z;
    if (squared - 1.0).abs() < 1e-14 {
        return Some(Quat::new_unchecked(Quaternion::new(w, x, y, z)));
    }
    // against overflow and underflow, bring the largest to 1 first
    let largest = wxyz.into_iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    (largest > SHORTEST).then(|| Quat::new_normalize(Quaternion::new(w, x, y, z) / largest))
}

/// The unit vector in a direction; one that is unit already keeps its bits.
pub(super) fn unit(v: Vec3) -> Option<Vec3> {
    let length = v.norm();
    if (length - 1.0).abs() <= 1e-15 {
        return Some(v);
    }
    (length > SHORTEST).then(|| v / length)
}

/// The rotation about a unit axis.
fn about(axis: &Vec3, angle: f64) -> Quat {
    let v = axis * libm::sin(0.5 * angle);
    Quat::new_normalize(Quaternion::new(libm::cos(0.5 * angle), v.x, v.y, v.z))
}

/// The least rotation that takes z to a unit vector; half a turn about x when that is −z.
pub(super) fn along(z: &Vec3) -> Quat {
    let axis = Vec3::z().cross(z);
    let sine = axis.norm();
    if sine < SHORTEST {
        return if z.z > 0.0 { Quat::identity() } else { about(&Vec3::x(), core::f64::consts::PI) };
    }
    about(&(axis / sine), libm::atan2(sine, z.z))
}

/// A `<frame>`: where the elements inside it have their origin and axes, in the body.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) pos: Vec3,
    pub(super) quat: Quat,
}

impl Frame {
    /// Position and orientation of an element.
    pub(super) fn read(at: &Layers<'_>, compiler: &Compiler) -> Result<Frame, FormatError> {
        Ok(Frame { pos: at.vector("pos")?.unwrap_or_default(), quat: orientation(at, compiler)? })
    }

    /// The same frame seen from outside the frames around it, if there are any.
    pub(super) fn inside(self, around: Option<Frame>) -> Frame {
        match around {
            None => self,
            Some(outer) => Frame {
                pos: outer.pos + outer.turn(&self.pos),
                quat: Quat::new_normalize((outer.quat * self.quat).into_inner()),
            },
        }
    }

    /// A vector of this frame in the axes around it.
    pub(super) fn turn(&self, v: &Vec3) -> Vec3 {
        rotation::to_matrix(&self.quat) * v
    }
}
