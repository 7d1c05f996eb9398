//! Between two configurations, and the warp that lets a motion begin somewhere else.
//!
//! The pose algebra of Lee, Kim, Lee 2010 (see [`Pose`](crate::Pose)) on configurations of a model: hinges and slides add,
//! rotations multiply. Equation 6 of the paper, `M(t) = M'(t) ⊗ (P ⊘ M'(0))^{r(t)}`, is [`Warp`]: a motion `M'` is bent to
//! begin in the pose `P` and returns to itself as `r` falls from 1 to 0. The root's displacement is in the root's own axes.
//!
//! Cost: two exponentials per rotation; no allocation after [`Warp::new`].

use crate::layout::{Layout, quat_at, vec3_at, write_quat, write_vec3};
use sinew_dynamics::Model;
use sinew_dynamics::spatial::{Quat, rotation};

/// `out` between `a` (`weight` 0) and `b` (1): numbers on a line, rotations on the shortest arc.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::edit::blend;
/// let human = characters::load("human")?;
/// let (a, mut b) = (human.neutral(), human.neutral());
/// (b[0], b[3], b[6]) = (2.0, 0.0, 1.0); // two metres ahead, facing back
/// let mut half = human.neutral();
/// blend(&human, &a, &b, 0.5, &mut half);
/// assert!((half[0] - 1.0).abs() < 1e-15 && (half[6] - half[3]).abs() < 1e-15); // a quarter turn
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
///
/// # Panics
/// If a slice has not `nq` numbers.
pub fn blend(model: &Model, a: &[f64], b: &[f64], weight: f64, out: &mut [f64]) {
    assert!([a.len(), b.len(), out.len()] == [model.nq(); 3], "a, b and out must have nq numbers");
    for joint in model.joints() {
        let (numbers, turns) = match joint.kind {
            sinew_dynamics::JointKind::Free => (3, true),
            sinew_dynamics::JointKind::Ball => (0, true),
            _ => (1, false),
        };
        for k in joint.q..joint.q + numbers {
            out[k] = a[k] + weight * (b[k] - a[k]);
        }
        if turns {
            let at = joint.q + numbers;
            write_quat(out, at, &arc(&quat_at(a, at), &quat_at(b, at), weight));
        }
    }
}

/// On the shortest arc from `a` to `b`.
pub(crate) fn arc(a: &Quat, b: &Quat, weight: f64) -> Quat {
    let turned = a * rotation::exp(&(rotation::log(&(a.inverse() * b)) * weight));
    Quat::new_normalize(turned.into_inner())
}

/// The displacement from one pose to another, to be faded out over a motion.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::edit::Warp;
/// let human = characters::load("human")?;
/// let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
/// let (start, mut bent) = (human.neutral(), human.neutral());
/// bent[knee] = 0.4;
/// let mut warp = Warp::new(&human);
/// warp.set(&bent, &start); // begin bent instead of straight
/// let mut q = start.clone();
/// warp.apply(0.5, &mut q);
/// assert!((q[knee] - 0.2).abs() < 1e-15);
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug)]
pub struct Warp {
    layout: Layout,
    /// `log(P ⊘ M'(0))`.
    by: Vec<f64>,
}

impl Warp {
    /// No displacement yet.
    pub fn new(model: &Model) -> Warp {
        Warp { layout: Layout::new(model), by: vec![0.0; model.nv()] }
    }

    /// Takes the displacement `wanted ⊘ start`.
    pub fn set(&mut self, wanted: &[f64], start: &[f64]) {
        for &(q, v) in &self.layout.numbers {
            self.by[v] = wanted[q] - start[q];
        }
        for &(q, v) in &self.layout.turns {
            let turn = rotation::log(&(quat_at(start, q).inverse() * quat_at(wanted, q)));
            write_vec3(&mut self.by, v, &turn);
        }
        if let Some((q, v)) = self.layout.root {
            let inwards = quat_at(start, q + 3).inverse() * vec3_at(&self.by, v);
            write_vec3(&mut self.by, v, &inwards);
        }
    }

    /// `log(P ⊘ M'(0))` in the order of `v`; the root's translation in the root's own axes.
    pub fn displacement(&self) -> &[f64] {
        &self.by
    }

    /// Displaces `q` by the power `r` of the displacement.
    pub fn apply(&self, r: f64, q: &mut [f64]) {
        let root = self
            .layout
            .root
            .map(|(at, v)| (at, vec3_at(q, at) + quat_at(q, at + 3) * vec3_at(&self.by, v) * r));
        for &(at, v) in &self.layout.numbers {
            q[at] += r * self.by[v];
        }
        if let Some((at, moved)) = root {
            write_vec3(q, at, &moved);
        }
        for &(at, v) in &self.layout.turns {
            let turned = quat_at(q, at) * rotation::exp(&(vec3_at(&self.by, v) * r));
            write_quat(q, at, &Quat::new_normalize(turned.into_inner()));
        }
    }
}
