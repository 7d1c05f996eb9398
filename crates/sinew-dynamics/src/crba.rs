//! The mass matrix by composite rigid bodies.
//!
//! With everything in world axes about one point, composite inertia (Featherstone 2008, ch. 6) is plain addition towards
//! the root. For each joint the momentum of the bodies it carries, `f, n` per unit velocity, is projected on the joint
//! itself and on all joints between it and the world; other entries are zero.
//!
//! **Tree-packed rows.** Row `i` of the lower triangle is stored as the dense vector of its entries for the degrees of
//! freedom on the path from the root to `i`, the diagonal last. A row of an ancestor covers a prefix of the same path,
//! so the factorisation works on contiguous prefixes, without index lists.

use crate::data::{Composite, Data, Pose};
use crate::kinematics::{forward_kinematics, world_axis};
use crate::model::{Link, LinkKind, Model, WORLD};
use crate::spatial::{Mat3, Sym3, Vec3};

/// Computes the mass matrix `M(q)`, armature included, into `data`.
///
/// Read it with [`Data::mass_matrix`], factorise it with [`factor_mass_matrix`](crate::factor_mass_matrix).
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn crba(model: &Model, data: &mut Data, q: &[f64]) {
    forward_kinematics(model, data, q);
    composites(model, data);
    let origin = data.poses.first().map_or(Vec3::zeros(), |p| p.pos);
    for (i, link) in model.links.iter().enumerate() {
        let pose = &data.poses[i];
        let (first, second) = data.composites[i].about(&(pose.pos - origin));
        let mass = data.composites[i].mass;
        match link.kind {
            LinkKind::Free => {
                let n = second * &pose.rot;
                let diagonal = pose.rot.tr_mul(&n);
                for k in 0..3 {
                    let row = &mut data.mass[link.row_start(k)..][..k + 1];
                    row.fill(0.0);
                    row[k] = mass + link.armature;
                    let f = pose.rot.column(k).cross(&first);
                    let row = &mut data.mass[link.row_start(3 + k)..][..3 + k + 1];
                    row[..3].copy_from_slice(f.as_slice());
                    for c in 0..=k {
                        row[3 + c] = diagonal[(c, k)];
                    }
                    row[3 + k] += link.armature;
                }
            }
            LinkKind::Ball => {
                let n = second * &pose.rot;
                let diagonal = pose.rot.tr_mul(&n);
                for k in 0..3 {
                    let row = &mut data.mass[link.row_start(k) + link.depth..][..k + 1];
                    for c in 0..=k {
                        row[c] = diagonal[(c, k)];
                    }
                    row[k] += link.armature;
                }
                let column = |k: usize| -> Vec3 { pose.rot.column(k).into() };
                let f = [0, 1, 2].map(|k| column(k).cross(&first));
                let n = [0, 1, 2].map(|k| n.column(k).into());
                climb(model, &data.poses, &mut data.mass, i, f, n);
            }
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                data.mass[link.row + link.depth] = mass + link.armature;
                climb(model, &data.poses, &mut data.mass, i, [axis * mass], [first.cross(&axis)]);
            }
            _ => {
                let axis = world_axis(link, &pose.rot);
                let n = second * axis;
                data.mass[link.row + link.depth] = axis.dot(&n) + link.armature;
                climb(model, &data.poses, &mut data.mass, i, [axis.cross(&first)], [n]);
            }
        }
    }
}

/// Writes the entries of link `i`'s rows for all joints between it and the world.
///
/// `f`, `n`: linear momentum, and angular momentum about the link's origin, per unit velocity of each of its axes.
#[inline(always)]
fn climb<const C: usize>(
    model: &Model,
    poses: &[Pose],
    mass: &mut [f64],
    i: usize,
    f: [Vec3; C],
    mut n: [Vec3; C],
) {
    let link = &model.links[i];
    let starts: [usize; C] = core::array::from_fn(|k| link.row_start(k));
    let (mut below, mut at) = (i, link.parent);
    while at != WORLD {
        // move the moments to the next joint's centre
        let arm = poses[below].arm;
        for k in 0..C {
            n[k] += arm.cross(&f[k]);
        }
        let (on, pose) = (&model.links[at], &poses[at]);
        for k in 0..C {
            let row = &mut mass[starts[k] + on.depth..];
            write_projection(on, &pose.rot, &f[k], &n[k], row);
        }
        below = at;
        at = on.parent;
    }
}

#[inline(always)]
fn write_projection(on: &Link, rot: &Mat3, f: &Vec3, n: &Vec3, row: &mut [f64]) {
    match on.kind {
        LinkKind::Free => {
            row[..3].copy_from_slice(f.as_slice());
            row[3..6].copy_from_slice(rot.tr_mul(n).as_slice());
        }
        LinkKind::Ball => row[..3].copy_from_slice(rot.tr_mul(n).as_slice()),
        LinkKind::Slide => row[0] = world_axis(on, rot).dot(f),
        _ => row[0] = world_axis(on, rot).dot(n),
    }
}

/// Composite inertias of all links about the first link's origin, for the frames in `data`.
#[inline(always)]
pub(crate) fn composites(model: &Model, data: &mut Data) {
    let n = model.links.len();
    let (poses, composites) = (&data.poses[..n], &mut data.composites[..n]);
    let origin = poses.first().map_or(Vec3::zeros(), |p| p.pos);
    for (i, link) in model.links.iter().enumerate() {
        composites[i] = Composite::of(link, &poses[i], &origin);
    }
    for (i, link) in model.links.iter().enumerate().rev() {
        if link.parent != WORLD {
            let carried = composites[i];
            composites[link.parent] += carried;
        }
    }
}

impl Composite {
    /// A link's own inertia about `origin`.
    #[inline(always)]
    pub(crate) fn of(link: &Link, pose: &Pose, origin: &Vec3) -> Composite {
        let inertia = &link.inertia;
        if inertia.mass == 0.0 {
            return Composite::default();
        }
        let c = pose.rot * inertia.com + (pose.pos - origin);
        let mut second = inertia.about_com.rotated(&pose.rot);
        second.add_point(inertia.mass, &c);
        Composite { mass: inertia.mass, first: c * inertia.mass, second }
    }

    /// First and second moment about a point at `r` from the present one.
    #[inline(always)]
    pub(crate) fn about(&self, r: &Vec3) -> (Vec3, Sym3) {
        // J − 2(r·h')1 + r h'ᵀ + h' rᵀ with h' = h − m r/2
        let h = self.first - r * (0.5 * self.mass);
        let (x, y, z) = (2.0 * r.x * h.x, 2.0 * r.y * h.y, 2.0 * r.z * h.z);
        let j = &self.second;
        let second = Sym3 {
            xx: j.xx - (y + z),
            yy: j.yy - (x + z),
            zz: j.zz - (x + y),
            xy: j.xy + (r.x * h.y + h.x * r.y),
            xz: j.xz + (r.x * h.z + h.x * r.z),
            yz: j.yz + (r.y * h.z + h.y * r.z),
        };
        (self.first - r * self.mass, second)
    }
}

impl core::ops::AddAssign for Composite {
    #[inline(always)]
    fn add_assign(&mut self, o: Composite) {
        self.mass += o.mass;
        self.first += o.first;
        self.second += o.second;
    }
}

impl Data {
    /// Writes the mass matrix of the last [`crba`] as a dense `nv`×`nv` matrix, both triangles.
    ///
    /// # Panics
    /// If `out` does not have `nv²` numbers.
    pub fn mass_matrix(&self, model: &Model, out: &mut [f64]) {
        let nv = model.nv();
        assert_eq!(out.len(), nv * nv, "the mass matrix is nv×nv");
        out.fill(0.0);
        for (i, (row, path)) in model.rows(&self.mass).enumerate() {
            for (x, &j) in row.iter().zip(path) {
                out[i * nv + j] = *x;
                out[j * nv + i] = *x;
            }
        }
    }
}
