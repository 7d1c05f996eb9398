//! Forward dynamics by articulated bodies.
//!
//! Featherstone's algorithm in world axes, each link about its own joint centre. The articulated inertia is the map
//! `[f; n] = [A B; Bᵀ C] [a; α] + [f₀; n₀]` from the acceleration of the link's origin to the wrench on it.
//!
//! A **ball** joint transmits the moment `τ` and nothing else, so eliminating its three degrees of freedom leaves only a
//! 3×3 translational inertia `A − B C⁻¹ Bᵀ` for the parent: no 6×6 matrix is ever formed, and none is rotated. Hinges and
//! slides subtract a matrix of rank one. Cost: linear in the number of links.

use crate::data::{Data, Twist};
use crate::factor::Singular;
use crate::kinematics::{vec3_at, world_axis};
use crate::model::{LinkKind, Model, WORLD};
use crate::spatial::{Mat3, Sym3, Vec3, skew};

/// Articulated inertia and bias wrench of a link about its origin, and what the outward pass needs of its elimination.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Articulated {
    pub(crate) a: Sym3,
    pub(crate) b: Mat3,
    pub(crate) c: Sym3,
    pub(crate) force: Vec3,
    pub(crate) moment: Vec3,
    /// Acceleration of the origin, and angular acceleration, that velocities alone produce relative to the parent's.
    pub(crate) drift: Twist,
    /// Ball: `D⁻¹Bᵀ`.
    gain: Mat3,
    /// Ball: `D⁻¹`.
    inverse: Sym3,
    /// Ball: `D⁻¹(τ − n₀)`; hinge and slide: `B s`, `C s` and the like, in `push` and `turn`.
    push: Vec3,
    turn: Vec3,
    /// Hinge and slide: `1/D` and `(τ − s·n₀)/D`.
    inverse_scalar: f64,
    offset: f64,
}

/// Accelerations for generalised forces `tau` at `(q, v)`: `M(q)⁻¹ (tau − h(q, v))`.
///
/// ```
/// # use sinew_dynamics::{BodySpec, Data, JointSpec, Model, ModelSpec, aba};
/// # use sinew_dynamics::spatial::{Inertia, Vec3};
/// let mut spec = ModelSpec::new("ball");
/// spec.bodies.push(
///     BodySpec::new("ball", None, Inertia::solid_box(2.0, Vec3::repeat(0.1))).with_joint(JointSpec::free("root")),
/// );
/// let model = Model::new(spec)?;
/// let mut data = Data::new(&model);
/// let fall = aba(&model, &mut data, &model.neutral(), &[0.0; 6], &[0.0; 6])?;
/// assert!((fall[2] + 9.81).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn aba<'d>(
    model: &Model,
    data: &'d mut Data,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<&'d [f64], Singular> {
    assert_eq!(tau.len(), model.nv(), "tau must have nv numbers");
    crate::kinematics::forward_spins(model, data, q, v);
    own_inertias(model, data, v);
    eliminate(model, data, tau, |_| false)?;
    accelerate(model, data, |_| false);
    Ok(&data.out)
}

/// Rigid inertia, bias wrench and velocity-product acceleration of each link by itself.
#[inline(always)]
pub(crate) fn own_inertias(model: &Model, data: &mut Data, v: &[f64]) {
    for (i, link) in model.links.iter().enumerate() {
        let (pose, w) = (&data.poses[i], data.velocities[i].angular);
        let art = &mut data.articulated[i];
        let inertia = &link.inertia;
        if link.hollow {
            (art.a, art.b, art.c) = Default::default();
            (art.force, art.moment) = Default::default();
        } else {
            let m = inertia.mass;
            let c = pose.rot * inertia.com;
            art.a = Sym3::diagonal(m, m, m);
            art.b = skew(&(c * -m));
            art.c = inertia.about_com.rotated(&pose.rot);
            art.c.add_point(m, &c);
            art.force = w.cross(&w.cross(&c)) * m;
            art.moment = w.cross(&(art.c * w));
        }
        let w_p = if link.parent == WORLD { Vec3::zeros() } else { data.velocities[link.parent].angular };
        let mut drift = Twist { angular: Vec3::zeros(), linear: w_p.cross(&w_p.cross(&pose.arm)) };
        match link.kind {
            LinkKind::Free => drift = Twist::default(),
            LinkKind::Slide => drift.linear += w_p.cross(&world_axis(link, &pose.rot)) * (2.0 * v[link.v]),
            // the joint's own spin turns with the parent: ω_p × (ω − ω_p)
            _ => drift.angular = w_p.cross(&w),
        }
        art.drift = drift;
    }
}

/// From the leaves inwards: eliminates each joint and adds the rest to the parent.
#[inline(always)]
pub(crate) fn eliminate(
    model: &Model,
    data: &mut Data,
    tau: &[f64],
    prescribed: impl Fn(usize) -> bool,
) -> Result<(), Singular> {
    for (i, link) in model.links.iter().enumerate().rev() {
        let pose = &data.poses[i];
        let (above, rest) = data.articulated.split_at_mut(i);
        let art = &mut rest[0];
        let stuck = Singular { dof: link.v };
        if prescribed(i) {
            if link.parent != WORLD {
                let Articulated { a, b, c, force, moment, drift, .. } = *art;
                above[link.parent].add_articulated(&pose.arm, &a, &b, &c, &force, &moment, &drift);
            }
            continue;
        }
        match link.kind {
            LinkKind::Free => {
                // solve for the root's acceleration; armature resists motion relative to the world, not to free fall
                let (f, n) = (vec3_at(tau, link.v), pose.rot * vec3_at(tau, link.v + 3));
                let s = Sym3::diagonal(link.armature, link.armature, link.armature);
                art.inverse = (art.c + s).inverse().ok_or(stuck)?;
                art.gain = art.inverse * &art.b.transpose();
                let push = art.inverse * (n - art.moment);
                let schur = art.a + s - Sym3::from_lower(&(art.b * art.gain));
                let rhs = f - art.force - art.b * push - model.gravity() * link.armature;
                art.push = schur.inverse().ok_or(stuck)? * rhs;
                art.turn = push - art.gain * art.push;
                continue;
            }
            LinkKind::Ball => {
                let torque = pose.rot * vec3_at(tau, link.v);
                let sigma = link.armature;
                let s = Sym3::diagonal(sigma, sigma, sigma);
                art.inverse = (art.c + s).inverse().ok_or(stuck)?;
                art.gain = art.inverse * &art.b.transpose();
                art.push = art.inverse * (torque - art.moment);
                let a = art.a - Sym3::from_lower(&(art.b * art.gain));
                let force = art.force + art.b * art.push;
                if link.parent == WORLD {
                    continue;
                }
                if sigma == 0.0 {
                    let force = force + a * art.drift.linear;
                    above[link.parent].add_point_mass(&pose.arm, &a, &force, &torque);
                } else {
                    let b = art.gain.transpose() * sigma;
                    let c = s - art.inverse.scaled(sigma * sigma);
                    let moment = torque - art.push * sigma;
                    let drift = art.drift;
                    above[link.parent].add_articulated(&pose.arm, &a, &b, &c, &force, &moment, &drift);
                }
            }
            _ => {
                let axis = world_axis(link, &pose.rot);
                let (push, turn, own, bias) = if link.kind == LinkKind::Slide {
                    let (push, turn) = (art.a * axis, art.b.tr_mul(&axis));
                    (push, turn, axis.dot(&push), axis.dot(&art.force))
                } else {
                    let (push, turn) = (art.b * axis, art.c * axis);
                    (push, turn, axis.dot(&turn), axis.dot(&art.moment))
                };
                let d = own + link.armature;
                if !(d > f64::MIN_POSITIVE) {
                    return Err(stuck);
                }
                let inverse = 1.0 / d;
                (art.push, art.turn, art.inverse_scalar) = (push, turn, inverse);
                art.offset = (tau[link.v] - bias) * inverse;
                if link.parent == WORLD {
                    continue;
                }
                let a = art.a - Sym3::outer(&push, inverse);
                let b = art.b - push * (turn * inverse).transpose();
                let c = art.c - Sym3::outer(&turn, inverse);
                let (force, moment) = (art.force + push * art.offset, art.moment + turn * art.offset);
                let drift = art.drift;
                above[link.parent].add_articulated(&pose.arm, &a, &b, &c, &force, &moment, &drift);
            }
        }
    }
    Ok(())
}

impl Articulated {
    /// Adds a child of which only a translational inertia is left, its joint centre at `arm`.
    #[inline(always)]
    fn add_point_mass(&mut self, arm: &Vec3, a: &Sym3, force: &Vec3, moment: &Vec3) {
        // with K = [arm]×: A += a, B −= a K, C −= K a K
        let ak = times_skew(a, arm);
        self.a += *a;
        self.b -= ak;
        self.c = self.c - skew_times_lower(arm, &ak);
        self.force += force;
        self.moment += moment + arm.cross(force);
    }

    /// Adds a child's articulated inertia about its joint centre at `arm`, which accelerates by `drift` relative to the
    /// link.
    #[inline(always)]
    fn add_articulated(
        &mut self,
        arm: &Vec3,
        a: &Sym3,
        b: &Mat3,
        c: &Sym3,
        force: &Vec3,
        moment: &Vec3,
        drift: &Twist,
    ) {
        let force = force + *a * drift.linear + b * drift.angular;
        let moment = moment + b.tr_mul(&drift.linear) + *c * drift.angular;
        // with K = [arm]×: B' = b − a K, C' = c + K b − (K b)ᵀ-like terms − K a K
        let ak = times_skew(a, arm);
        let kb = skew(arm) * b;
        self.a += *a;
        self.b += b - ak;
        let symmetric = Sym3::from_lower(&(kb + kb.transpose()));
        self.c = self.c + *c + symmetric - skew_times_lower(arm, &ak);
        self.force += force;
        self.moment += moment + arm.cross(&force);
    }
}

/// `S [k]×`.
#[inline(always)]
fn times_skew(s: &Sym3, k: &Vec3) -> Mat3 {
    // row r of S times [k]×: (row × k)
    let row = |x: f64, y: f64, z: f64| (y * k.z - z * k.y, z * k.x - x * k.z, x * k.y - y * k.x);
    let (a, b, c) = (row(s.xx, s.xy, s.xz), row(s.xy, s.yy, s.yz), row(s.xz, s.yz, s.zz));
    Mat3::new(a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2)
}

/// Lower triangle of `[k]× M`, known to be symmetric.
#[inline(always)]
fn skew_times_lower(k: &Vec3, m: &Mat3) -> Sym3 {
    Sym3 {
        xx: k.y * m.m31 - k.z * m.m21,
        xy: k.z * m.m11 - k.x * m.m31,
        xz: k.x * m.m21 - k.y * m.m11,
        yy: k.z * m.m12 - k.x * m.m32,
        yz: k.x * m.m22 - k.y * m.m12,
        zz: k.x * m.m23 - k.y * m.m13,
    }
}

/// From the root outwards: accelerations of links and joints.
#[inline(always)]
pub(crate) fn accelerate(model: &Model, data: &mut Data, prescribed: impl Fn(usize) -> bool) {
    let base = Twist { angular: Vec3::zeros(), linear: -model.gravity() };
    for (i, link) in model.links.iter().enumerate() {
        let (pose, art) = (&data.poses[i], &data.articulated[i]);
        let parent = if link.parent == WORLD { base } else { data.accelerations[link.parent] };
        // acceleration of the joint's centre, and angular acceleration were the joint not to accelerate
        let mut lin = parent.linear + parent.angular.cross(&pose.arm) + art.drift.linear;
        let mut ang = parent.angular + art.drift.angular;
        match link.kind {
            _ if prescribed(i) => {
                if link.kind == LinkKind::Free {
                    (lin, ang) = (base.linear + art.drift.linear, art.drift.angular);
                }
            }
            LinkKind::Free => {
                (lin, ang) = (art.push, art.turn);
                data.out[link.v..link.v + 3].copy_from_slice((lin + model.gravity()).as_slice());
                data.out[link.v + 3..link.v + 6].copy_from_slice(pose.rot.tr_mul(&ang).as_slice());
            }
            LinkKind::Ball => {
                let mut turned = art.push - art.gain * lin;
                if link.armature != 0.0 {
                    turned += art.inverse * ang * link.armature;
                }
                data.out[link.v..link.v + 3].copy_from_slice(pose.rot.tr_mul(&(turned - ang)).as_slice());
                ang = turned;
            }
            _ => {
                let x = art.offset - (art.push.dot(&lin) + art.turn.dot(&ang)) * art.inverse_scalar;
                let axis = world_axis(link, &pose.rot);
                if link.kind == LinkKind::Slide {
                    lin += axis * x
                } else {
                    ang += axis * x
                }
                data.out[link.v] = x;
            }
        }
        data.accelerations[i] = Twist { angular: ang, linear: lin };
    }
}
