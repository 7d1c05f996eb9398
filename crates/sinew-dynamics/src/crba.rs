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
use crate::spatial::{Inertia, Mat3, Sym3, Vec3};

/// Computes the mass matrix `M(q)`, armature included: `nv`×`nv`, both triangles.
///
/// Factorise it with [`factor_mass_matrix`](crate::factor_mass_matrix).
///
/// ```
/// use sinew_dynamics::{Data, characters, crba};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let m = crba(&human, &mut data, &human.neutral());
/// assert!((m[0] - human.mass()).abs() < 1e-12); // pushing the root moves everything
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn crba<'d>(model: &Model, data: &'d mut Data, q: &[f64]) -> &'d [f64] {
    assemble::<true>(model, data, q);
    &data.dense_mass
}

/// Computes the mass matrix in tree-packed rows, and as a dense matrix if `DENSE`.
pub(crate) fn assemble<const DENSE: bool>(model: &Model, data: &mut Data, q: &[f64]) {
    forward_kinematics(model, data, q);
    assemble_placed::<DENSE>(model, data);
}

/// The same for the frames in `data`.
pub(crate) fn assemble_placed<const DENSE: bool>(model: &Model, data: &mut Data) {
    composites(model, data);
    let Data { poses, composites, mass: packed, dense_mass, .. } = data;
    let mut out = Entries::<DENSE> { packed, dense: dense_mass, nv: model.nv() };
    for (i, link) in model.links.iter().enumerate() {
        let pose = &poses[i];
        let (first, second) = composites[i].about(&(pose.pos - poses[link.root].pos));
        let mass = composites[i].mass;
        match link.kind {
            LinkKind::Free | LinkKind::Ball => {
                let turning = if link.kind == LinkKind::Free { 3 } else { 0 };
                let axes = [0, 1, 2].map(|k| Vec3::from(pose.rot.column(k)));
                let n = axes.map(|axis| second * axis);
                let f = axes.map(|axis| axis.cross(&first));
                out.put_own(link, turning, turned(&pose.rot, &n));
                if link.kind == LinkKind::Free {
                    out.put_own(link, 0, [[mass, 0.0, 0.0], [0.0, mass, 0.0], [0.0, 0.0, mass]]);
                    out.put(link, 3, 0, link.v, f.map(Into::into));
                } else {
                    climb(model, poses, &mut out, i, f, n);
                }
            }
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                out.put_own(link, 0, [[mass]]);
                climb(model, poses, &mut out, i, [axis * mass], [first.cross(&axis)]);
            }
            _ => {
                let axis = world_axis(link, &pose.rot);
                let n = second * axis;
                out.put_own(link, 0, [[axis.dot(&n)]]);
                climb(model, poses, &mut out, i, [axis.cross(&first)], [n]);
            }
        }
    }
}

/// Vectors in the axes of a link.
#[inline(always)]
fn turned<const C: usize>(rot: &Mat3, x: &[Vec3; C]) -> [[f64; 3]; C] {
    x.map(|x| rot.tr_mul(&x).into())
}

/// Where entries of the mass matrix go. Those outside the tree's pattern stay zero from the beginning.
struct Entries<'d, const DENSE: bool> {
    packed: &'d mut [f64],
    dense: &'d mut [f64],
    nv: usize,
}

/// The `N` numbers of a slice from `at` on.
#[inline(always)]
fn window<const N: usize>(x: &mut [f64], at: usize) -> &mut [f64; N] {
    x[at..].first_chunk_mut().expect("N entries")
}

impl<const DENSE: bool> Entries<'_, DENSE> {
    /// Writes entries of the rows from the `k`th of a link on, in columns before them: from position `at` of their path,
    /// where degree of freedom `dof` stands.
    #[inline(always)]
    fn put<const R: usize, const C: usize>(
        &mut self,
        link: &Link,
        k: usize,
        at: usize,
        dof: usize,
        rows: [[f64; C]; R],
    ) {
        for r in 0..R {
            *window(self.packed, link.row_start(k + r) + at) = rows[r];
        }
        if DENSE {
            let (above, here) = self.dense.split_at_mut((link.v + k) * self.nv);
            for r in 0..R {
                *window(here, r * self.nv + dof) = rows[r];
            }
            for c in 0..C {
                *window(above, (dof + c) * self.nv + link.v + k) = rows.map(|row| row[c]);
            }
        }
    }

    /// Writes a block on the diagonal, armature added, at the rows from the `k`th of a link on.
    #[inline(always)]
    fn put_own<const R: usize>(&mut self, link: &Link, k: usize, mut rows: [[f64; R]; R]) {
        for r in 0..R {
            rows[r][r] += link.armature;
            let at = link.row_start(k + r) + link.depth + k;
            self.packed[at..=at + r].copy_from_slice(&rows[r][..=r]);
        }
        if DENSE {
            let v = link.v + k;
            for r in 0..R {
                // both triangles from the lower one
                let row = core::array::from_fn(|c| if c < r { rows[r][c] } else { rows[c][r] });
                *window::<R>(self.dense, (v + r) * self.nv + v) = row;
            }
        }
    }
}

/// Writes the entries of link `i`'s rows for all joints between it and the world.
///
/// `f`, `n`: linear momentum, and angular momentum about the link's origin, per unit velocity of each of its axes.
#[inline(always)]
fn climb<const R: usize, const DENSE: bool>(
    model: &Model,
    poses: &[Pose],
    out: &mut Entries<'_, DENSE>,
    i: usize,
    f: [Vec3; R],
    mut n: [Vec3; R],
) {
    let link = &model.links[i];
    let (mut arm, mut at) = (poses[i].arm, link.parent);
    while at != WORLD {
        // move the moments to the next joint's centre
        for k in 0..R {
            n[k] += arm.cross(&f[k]);
        }
        let (on, pose) = (&model.links[at], &poses[at]);
        match on.kind {
            LinkKind::Free => {
                out.put(link, 0, on.depth, on.v, f.map(Into::into));
                out.put(link, 0, on.depth + 3, on.v + 3, turned(&pose.rot, &n));
            }
            LinkKind::Ball => out.put(link, 0, on.depth, on.v, turned(&pose.rot, &n)),
            LinkKind::Slide => {
                let axis = world_axis(on, &pose.rot);
                out.put(link, 0, on.depth, on.v, f.map(|f| [axis.dot(&f)]));
            }
            _ => {
                let axis = world_axis(on, &pose.rot);
                out.put(link, 0, on.depth, on.v, n.map(|n| [axis.dot(&n)]));
            }
        }
        (arm, at) = (pose.arm, on.parent);
    }
}

/// Composite inertias of all links about the origin of their tree's first, for the frames in `data`.
#[inline(always)]
pub(crate) fn composites(model: &Model, data: &mut Data) {
    let n = model.links.len();
    let (poses, composites) = (&data.poses[..n], &mut data.composites[..n]);
    for (i, link) in model.links.iter().enumerate() {
        composites[i] = Composite::of(link, &poses[i], &poses[link.root].pos);
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
        if link.hollow {
            return Composite::default();
        }
        let c = pose.rot * inertia.com + (pose.pos - origin);
        let mut second = inertia.about_com.rotated(&pose.rot);
        second.add_point(inertia.mass, &c);
        Composite { mass: inertia.mass, first: c * inertia.mass, second }
    }

    /// An inertia given in the world, about `origin`.
    pub(crate) fn fixed(inertia: &Inertia, origin: &Vec3) -> Composite {
        let c = inertia.com - origin;
        let mut second = inertia.about_com;
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
