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
use crate::spatial::{Inertia, Sym3, Vec3};

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
                let n = second * &pose.rot;
                let mut diagonal = pose.rot.tr_mul(&n);
                for k in 0..3 {
                    diagonal[(k, k)] += link.armature;
                    let row = diagonal.column(k);
                    out.put(
                        link,
                        turning + k,
                        link.depth + turning,
                        link.v + turning,
                        &row.as_slice()[..k + 1],
                    );
                }
                let f = [0, 1, 2].map(|k| Vec3::from(pose.rot.column(k)).cross(&first));
                if link.kind == LinkKind::Free {
                    for k in 0..3 {
                        let mut row = [0.0; 3];
                        row[k] = mass + link.armature;
                        out.put(link, k, 0, link.v, &row[..k + 1]);
                        out.put(link, 3 + k, 0, link.v, f[k].as_slice());
                    }
                } else {
                    climb(model, poses, &mut out, i, f, [0, 1, 2].map(|k| n.column(k).into()));
                }
            }
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                out.put(link, 0, link.depth, link.v, &[mass + link.armature]);
                climb(model, poses, &mut out, i, [axis * mass], [first.cross(&axis)]);
            }
            _ => {
                let axis = world_axis(link, &pose.rot);
                let n = second * axis;
                out.put(link, 0, link.depth, link.v, &[axis.dot(&n) + link.armature]);
                climb(model, poses, &mut out, i, [axis.cross(&first)], [n]);
            }
        }
    }
}

/// Where entries of the mass matrix go. Those outside the tree's pattern stay zero from the beginning.
struct Entries<'d, const DENSE: bool> {
    packed: &'d mut [f64],
    dense: &'d mut [f64],
    nv: usize,
}

impl<const DENSE: bool> Entries<'_, DENSE> {
    /// Writes entries of row `k` of a link, from position `at` of its path, where degree of freedom `dof` stands.
    #[inline(always)]
    fn put(&mut self, link: &Link, k: usize, at: usize, dof: usize, entries: &[f64]) {
        let row = &mut self.packed[link.row_start(k) + at..][..entries.len()];
        for (x, e) in row.iter_mut().zip(entries) {
            *x = *e;
        }
        if DENSE {
            let i = link.v + k;
            for (c, e) in entries.iter().enumerate() {
                self.dense[i * self.nv + dof + c] = *e;
                self.dense[(dof + c) * self.nv + i] = *e;
            }
        }
    }
}

/// Writes the entries of link `i`'s rows for all joints between it and the world.
///
/// `f`, `n`: linear momentum, and angular momentum about the link's origin, per unit velocity of each of its axes.
#[inline(always)]
fn climb<const C: usize, const DENSE: bool>(
    model: &Model,
    poses: &[Pose],
    out: &mut Entries<'_, DENSE>,
    i: usize,
    f: [Vec3; C],
    mut n: [Vec3; C],
) {
    let link = &model.links[i];
    let (mut below, mut at) = (i, link.parent);
    while at != WORLD {
        // move the moments to the next joint's centre
        let arm = poses[below].arm;
        for k in 0..C {
            n[k] += arm.cross(&f[k]);
        }
        let (on, rot) = (&model.links[at], &poses[at].rot);
        for k in 0..C {
            match on.kind {
                LinkKind::Free => {
                    out.put(link, k, on.depth, on.v, f[k].as_slice());
                    out.put(link, k, on.depth + 3, on.v + 3, rot.tr_mul(&n[k]).as_slice());
                }
                LinkKind::Ball => out.put(link, k, on.depth, on.v, rot.tr_mul(&n[k]).as_slice()),
                LinkKind::Slide => out.put(link, k, on.depth, on.v, &[world_axis(on, rot).dot(&f[k])]),
                _ => out.put(link, k, on.depth, on.v, &[world_axis(on, rot).dot(&n[k])]),
            }
        }
        below = at;
        at = on.parent;
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
