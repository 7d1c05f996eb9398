//! Checks whether left and right are mirror images.
//!
//! Bodies that play the same part on both sides, and those between them and the body that carries both, are compared in the
//! reference pose. The plane of symmetry is square to the mean line from right to left (to the nearest axis of the world where that is close) and
//! halves most of them. A mirror `H` takes a
//! point `x` to `H x`, a tensor `I` to `H I H`, and a turn about an axis `a` to a turn about `−H a`.

use super::{BodySpec, JointKind, ModelSpec, Role};
use crate::spatial::{Mat3, Placement, Vec3};

impl ModelSpec {
    /// Where left and right differ by more than `tolerance` (relative for masses and tensors, m for lengths, rad for angles).
    ///
    /// Empty when the sides are mirror images, or when no roles name them.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// assert!(characters::load("human")?.spec().asymmetries(1e-9).is_empty());
    /// assert!(!characters::load("asymmetric")?.spec().asymmetries(1e-9).is_empty());
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    pub fn asymmetries(&self, tolerance: f64) -> Vec<String> {
        let pairs = self.mirror_pairs();
        let placements = self.reference_placements();
        let Some(mirror) = Mirror::of(&pairs, &placements) else { return Vec::new() };
        pairs
            .iter()
            .flat_map(|&(left, right)| {
                let (l, r) = (&self.bodies[left], &self.bodies[right]);
                let compared = mirror.compare(l, &placements[left], r, &placements[right], tolerance);
                compared.into_iter().map(move |what| format!("{} and {}: {what}", l.name, r.name))
            })
            .collect()
    }

    /// Left and right bodies: those with the same part, and their carriers up to the common one.
    fn mirror_pairs(&self) -> Vec<(usize, usize)> {
        let body = |role: Role| self.roles.get(role).and_then(|name| self.body_index(name));
        let mut pairs = Vec::new();
        for role in Role::all().filter(|r| r.to_string().ends_with("left")) {
            let mut at = body(role).zip(body(role.mirrored()));
            while let Some((left, right)) = at.filter(|p| p.0 != p.1 && !pairs.contains(p)) {
                pairs.push((left, right));
                at = self.bodies[left].parent.zip(self.bodies[right].parent);
            }
        }
        pairs
    }
}

struct Mirror {
    /// `1 − 2 n nᵀ`.
    reflect: Mat3,
    /// A point of the plane.
    at: Vec3,
}

impl Mirror {
    fn of(pairs: &[(usize, usize)], placements: &[Placement]) -> Option<Mirror> {
        let across = |&(l, r): &(usize, usize)| placements[l].pos - placements[r].pos;
        let mean: Vec3 = pairs.iter().filter_map(|p| across(p).try_normalize(1e-9)).sum();
        let mut normal = mean.try_normalize(1e-9)?;
        // characters are built along the axes: one odd limb must not tilt the mirror
        if normal.amax() > 0.9 {
            let k = normal.iamax();
            normal = Vec3::ith(k, normal[k].signum());
        }
        let mut middles: Vec<f64> =
            pairs.iter().map(|&(l, r)| 0.5 * normal.dot(&(placements[l].pos + placements[r].pos))).collect();
        middles.sort_by(f64::total_cmp);
        Some(Mirror {
            reflect: Mat3::identity() - normal * normal.transpose() * 2.0,
            at: normal * middles[middles.len() / 2],
        })
    }

    fn point(&self, p: &Vec3) -> Vec3 {
        self.reflect * (p - self.at) + self.at
    }

    fn compare(
        &self,
        l: &BodySpec,
        at_l: &Placement,
        r: &BodySpec,
        at_r: &Placement,
        tolerance: f64,
    ) -> Vec<String> {
        let mut found = Vec::new();
        let mut check = |what: &str, difference: f64, unit: &str| {
            if !(difference <= tolerance) {
                found.push(format!("{what} differs by {difference:.3e}{unit}"));
            }
        };
        let (il, ir) = (l.inertia.placed(at_l), r.inertia.placed(at_r));
        check("mass", (il.mass - ir.mass).abs() / il.mass.max(ir.mass).max(f64::MIN_POSITIVE), " of itself");
        if il.mass > 0.0 && ir.mass > 0.0 {
            check("centre of mass", (self.point(&il.com) - ir.com).norm(), " m");
        }
        let (tl, tr) = (self.reflect * il.about_com.to_mat3() * self.reflect, ir.about_com.to_mat3());
        let size = tl.norm().max(tr.norm()).max(f64::MIN_POSITIVE);
        check("rotational inertia", (tl - tr).norm() / size, " of itself");
        if l.joints.len() != r.joints.len() {
            found.push(format!("{} joints and {}", l.joints.len(), r.joints.len()));
            return found;
        }
        for (jl, jr) in l.joints.iter().zip(&r.joints) {
            let centre = (self.point(&at_l.act(&jl.anchor)) - at_r.act(&jr.anchor)).norm();
            check(&format!("centre of {}", jl.name), centre, " m");
            let (image, other) = match (jl.kind, jr.kind) {
                (JointKind::Hinge { axis: a }, JointKind::Hinge { axis: b }) => {
                    (-(self.reflect * at_l.rot * a), at_r.rot * b)
                }
                (JointKind::Slide { axis: a }, JointKind::Slide { axis: b }) => {
                    (self.reflect * at_l.rot * a, at_r.rot * b)
                }
                (a, b) if core::mem::discriminant(&a) == core::mem::discriminant(&b) => continue,
                _ => {
                    check(&format!("kind of {}", jl.name), f64::INFINITY, "");
                    continue;
                }
            };
            // an axis that points the other way counts the other way
            let same = image.dot(&other) >= 0.0;
            check(&format!("axis of {}", jl.name), (image - if same { other } else { -other }).norm(), "");
            let turned = |[low, high]: [f64; 2]| if same { [low, high] } else { [-high, -low] };
            let range = match (jl.range, jr.range.map(turned)) {
                (None, None) => 0.0,
                (Some(a), Some(b)) => (a[0] - b[0]).abs().max((a[1] - b[1]).abs()),
                _ => f64::INFINITY,
            };
            check(&format!("range of {}", jl.name), range, "");
        }
        found
    }
}
