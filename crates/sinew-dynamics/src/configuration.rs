//! Adding to and subtracting configurations.
//!
//! Configurations live on a manifold: quaternions are not added entry by entry. [`Model::integrate`] moves along a
//! velocity for one unit of time and [`Model::difference`] is its inverse; both use right perturbations in body axes for
//! rotations and world axes for a free joint's position, the frames of `v` itself.

use crate::kinematics::{quat_at, vec3_at};
use crate::model::{JointKind, Model};
use crate::spatial::{Mat3, Quat, rotation};

fn write_quat(out: &mut [f64], at: usize, q: &Quat) {
    out[at..at + 4].copy_from_slice(&[q.w, q.i, q.j, q.k]);
}

/// Parts of a joint's coordinates: plain numbers that add, and a quaternion.
fn parts(kind: JointKind) -> (usize, bool) {
    match kind {
        JointKind::Free => (3, true),
        JointKind::Ball => (0, true),
        _ => (1, false),
    }
}

impl Model {
    /// The configuration in which the file draws the model: joints at their reference, a free root where its body stands.
    ///
    /// ```
    /// let human = sinew_dynamics::characters::load("human")?;
    /// let q = human.neutral();
    /// assert_eq!(q.len(), human.nq());
    /// assert_eq!(&q[3..7], &[1.0, 0.0, 0.0, 0.0]); // upright: quaternion w x y z
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq()];
        for joint in self.joints() {
            let body = &self.bodies()[joint.body.0];
            match joint.kind {
                JointKind::Free => {
                    q[joint.q..joint.q + 3].copy_from_slice(body.pos.as_slice());
                    write_quat(&mut q, joint.q + 3, &body.quat);
                }
                JointKind::Ball => q[joint.q] = 1.0,
                _ => q[joint.q] = body.joints[joint.nth].reference,
            }
        }
        q
    }

    /// `out = q ⊕ dv`: the configuration after moving with velocity `dv` for one unit of time.
    ///
    /// Quaternions stay of unit length.
    ///
    /// ```
    /// let human = sinew_dynamics::characters::load("human")?;
    /// let q = human.neutral();
    /// let mut dv = vec![0.0; human.nv()];
    /// dv[5] = 0.3; // turn left
    /// let (mut turned, mut back) = (q.clone(), dv.clone());
    /// human.integrate(&q, &dv, &mut turned);
    /// assert!((turned[6] - 0.15_f64.sin()).abs() < 1e-15); // half the angle in the quaternion
    /// human.difference(&q, &turned, &mut back);
    /// assert!((back[5] - 0.3).abs() < 1e-15);
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    ///
    /// # Panics
    /// If the slices do not have `nq`, `nv`, `nq` numbers.
    pub fn integrate(&self, q: &[f64], dv: &[f64], out: &mut [f64]) {
        assert_eq!((q.len(), dv.len(), out.len()), (self.nq(), self.nv(), self.nq()), "q, dv, out");
        for joint in self.joints() {
            let (numbers, turns) = parts(joint.kind);
            for k in 0..numbers {
                out[joint.q + k] = q[joint.q + k] + dv[joint.v + k];
            }
            if turns {
                let at = joint.q + numbers;
                let turned =
                    quat_at(q, at).quaternion() * rotation::exp(&vec3_at(dv, joint.v + numbers)).quaternion();
                write_quat(out, at, &Quat::new_normalize(turned));
            }
        }
    }

    /// `out = q1 ⊖ q0`: the velocity that leads from `q0` to `q1` in one unit of time, by the shortest rotations.
    ///
    /// # Panics
    /// If the slices do not have `nq`, `nq`, `nv` numbers.
    pub fn difference(&self, q0: &[f64], q1: &[f64], out: &mut [f64]) {
        assert_eq!((q0.len(), q1.len(), out.len()), (self.nq(), self.nq(), self.nv()), "q0, q1, out");
        for joint in self.joints() {
            let (numbers, turns) = parts(joint.kind);
            for k in 0..numbers {
                out[joint.v + k] = q1[joint.q + k] - q0[joint.q + k];
            }
            if turns {
                let at = joint.q + numbers;
                let d = rotation::log(&(quat_at(q0, at).inverse() * quat_at(q1, at)));
                out[joint.v + numbers..joint.v + numbers + 3].copy_from_slice(d.as_slice());
            }
        }
    }

    /// Jacobians of [`integrate`](Model::integrate): with respect to `q` (as a tangent at `q`) and to `dv`.
    ///
    /// Both are block diagonal, `nv`×`nv`, column-major; entries outside the blocks are set to zero.
    ///
    /// ```
    /// let human = sinew_dynamics::characters::load("human")?;
    /// let nv = human.nv();
    /// let (mut by_q, mut by_dv) = (vec![0.0; nv * nv], vec![0.0; nv * nv]);
    /// human.integrate_jacobians(&vec![0.0; nv], &mut by_q, &mut by_dv);
    /// assert!((0..nv * nv).all(|k| by_dv[k] == f64::from(k % (nv + 1) == 0))); // identity for no motion
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    ///
    /// # Panics
    /// If the slices do not have `nv`, `nv²`, `nv²` numbers.
    pub fn integrate_jacobians(&self, dv: &[f64], wrt_q: &mut [f64], wrt_dv: &mut [f64]) {
        assert_eq!(dv.len(), self.nv(), "dv must have nv numbers");
        self.block_jacobians(wrt_q, wrt_dv, 1.0, |_, at_v| {
            let phi = vec3_at(dv, at_v);
            // exp(−φ) carries a tangent at q to one at q ⊕ φ
            (rotation::to_matrix(&rotation::exp(&-phi)), rotation::right_jacobian(&phi))
        });
    }

    /// Jacobians of [`difference`](Model::difference) with respect to tangents at `q0` and at `q1`, as for
    /// [`integrate_jacobians`](Model::integrate_jacobians).
    ///
    /// # Panics
    /// If the slices do not have `nq`, `nq`, `nv²`, `nv²` numbers.
    pub fn difference_jacobians(&self, q0: &[f64], q1: &[f64], wrt_q0: &mut [f64], wrt_q1: &mut [f64]) {
        assert_eq!((q0.len(), q1.len()), (self.nq(), self.nq()), "q0, q1");
        self.block_jacobians(wrt_q0, wrt_q1, -1.0, |at_q, _| {
            let phi = rotation::log(&(quat_at(q0, at_q).inverse() * quat_at(q1, at_q)));
            let right = rotation::right_jacobian_inverse(&phi);
            // the left Jacobian is the right one at −φ, its transpose
            (-right.transpose(), right)
        });
    }

    /// Fills block-diagonal Jacobians: `sign` and 1 for numbers that add, `of(q index, v index)` for rotations.
    fn block_jacobians(
        &self,
        a: &mut [f64],
        b: &mut [f64],
        sign: f64,
        of: impl Fn(usize, usize) -> (Mat3, Mat3),
    ) {
        let nv = self.nv();
        assert_eq!((a.len(), b.len()), (nv * nv, nv * nv), "Jacobians must be nv×nv");
        a.fill(0.0);
        b.fill(0.0);
        for joint in self.joints() {
            let (numbers, turns) = parts(joint.kind);
            for k in joint.v..joint.v + numbers {
                a[k * (nv + 1)] = sign;
                b[k * (nv + 1)] = 1.0;
            }
            if turns {
                let at = joint.v + numbers;
                let (ma, mb) = of(joint.q + numbers, at);
                for c in 0..3 {
                    for r in 0..3 {
                        a[(at + c) * nv + at + r] = ma[(r, c)];
                        b[(at + c) * nv + at + r] = mb[(r, c)];
                    }
                }
            }
        }
    }

    /// Makes every quaternion of `q` of unit length; a zero one becomes the identity.
    ///
    /// The algorithms take quaternions as they are: a state from outside goes through here first.
    ///
    /// ```
    /// let human = sinew_dynamics::characters::load("human")?;
    /// let mut q = human.neutral();
    /// q[3..7].copy_from_slice(&[0.0, 0.0, 0.0, 2.0]);
    /// human.normalize(&mut q);
    /// assert_eq!(&q[3..7], &[0.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    ///
    /// # Panics
    /// If `q` has fewer than `nq` numbers.
    pub fn normalize(&self, q: &mut [f64]) {
        for joint in self.joints() {
            let (numbers, turns) = parts(joint.kind);
            if turns {
                let at = joint.q + numbers;
                let unit = Quat::try_new(quat_at(q, at).into_inner(), 1e-12).unwrap_or_default();
                write_quat(q, at, &unit);
            }
        }
    }
}
