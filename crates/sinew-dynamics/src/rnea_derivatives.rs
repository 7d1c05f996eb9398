//! Derivatives of inverse dynamics with respect to configuration and velocity.
//!
//! Closed forms over composite bodies (Singh, Russell, Wensing 2022), in world axes. With `S` the motion of a joint's axis,
//! `Ψ̇ = v_λ × S` and `Ψ̈ = a_λ × S + v_λ × Ψ̇` what the parent's motion makes of it, and for the bodies that joint `i`
//! carries the inertia `I`, the wrench `f` and the velocity-product map `B = v×* I − I v× + (I v)×̄*`:
//! ```text
//! ∂τ_j/∂q_i = S_jᵀ (S_i ×* f + B Ψ̇_i + I Ψ̈_i)     j between i and the root
//! ∂τ_i/∂q_j = S_iᵀ (B Ψ̇_j + I Ψ̈_j)                j between i and the root, or i itself
//! ∂τ_j/∂v_i = S_jᵀ (B S_i + I (Ψ̇_i + Ṡ_i))        j between i and the root, or i itself
//! ∂τ_i/∂v_j = S_iᵀ (B S_j + I (Ψ̇_j + Ṡ_j))
//! ```
//! `B` of a rigid body maps only angular motion, to the force `−2 p × ω` (p: momentum) and, about the centre of mass, the
//! moment `−2 [w]× Σ ω` (w: its angular velocity, Σ = ½ tr(J) − J: its second moment of mass). Moved to another point by
//! `r`, the moment's map gains `2 [r]×[p]×`. So a composite is mass, first and second moment, momentum, one 3×3 map and
//! the wrench, all added towards the root about one point. A free joint is a translation in world axes followed by a ball.

use crate::data::{Composite, Data, Wrench};
use crate::kinematics::{vec3_at, world_axis};
use crate::model::{LinkKind, Model, WORLD};
use crate::spatial::{Mat3, Sym3, Vec3, skew};

/// Everything that a joint carries, about a common point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried {
    body: Composite,
    momentum: Vec3,
    /// Map from angular motion to the moment of `B`.
    swirl: Mat3,
    wrench: Wrench,
}

/// What a joint's parent does to the joint's axes: `Ψ̈ = (E s; G s)` about the joint's centre for a rotation axis `s`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carrier {
    /// Angular velocity of the parent; of parent and link together.
    pub(crate) w: Vec3,
    pub(crate) w_sum: Vec3,
    /// Velocity of the joint's centre.
    pub(crate) velocity: Vec3,
    /// `[α_λ]× + [ω_λ]×²`.
    pub(crate) e: Mat3,
    /// `[a]× + 2 [ν]× [ω_λ]×`.
    g: Mat3,
}

/// Derivatives of [`rnea`](crate::rnea); `nv`×`nv`, column-major, column `k` for coordinate `k`.
#[derive(Clone, Copy, Debug)]
pub struct RneaDerivatives<'d> {
    /// With respect to a tangent of `q` (see [`Model::integrate`]).
    pub dq: &'d [f64],
    /// With respect to `v`.
    pub dv: &'d [f64],
}

/// Derivatives of the generalised forces `M(q) a + h(q, v)`; that with respect to `a` is the mass matrix.
///
/// ```
/// use sinew_dynamics::{Data, characters, rnea_derivatives};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let a = vec![0.0; human.nv()];
/// let d = rnea_derivatives(&human, &mut data, &q, &v, &a);
/// // at rest nothing changes with velocity to first order, nor with the place of the root
/// assert!(d.dv.iter().all(|x| x.abs() < 1e-12));
/// assert!(d.dq[..3 * human.nv()].iter().all(|x| *x == 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn rnea_derivatives<'d>(
    model: &Model,
    data: &'d mut Data,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> RneaDerivatives<'d> {
    assert_eq!(a.len(), model.nv(), "a must have nv numbers");
    crate::rnea::outward(model, data, q, v, |at| vec3_at(a, at), |at| a[at]);
    differentiate(model, data, v);
    RneaDerivatives { dq: &data.dtau_dq, dv: &data.dtau_dv }
}

/// Derivatives of the joint forces that balance the wrenches in `data`, which turn with their links, after the outward
/// pass of inverse dynamics.
pub(crate) fn differentiate(model: &Model, data: &mut Data, v: &[f64]) {
    gather(model, data, v);
    for (i, link) in model.links.iter().enumerate() {
        let rot = &data.poses[i].rot;
        let column = |k: usize| -> Vec3 { rot.column(k).into() };
        match link.kind {
            LinkKind::Free => turning(model, data, i, link.v + 3, [column(0), column(1), column(2)]),
            LinkKind::Ball => turning(model, data, i, link.v, [column(0), column(1), column(2)]),
            LinkKind::Slide => sliding(model, data, i, world_axis(link, rot)),
            _ => turning(model, data, i, link.v, [world_axis(link, rot)]),
        }
    }
}

/// Composites and carriers of all links, after the outward pass of inverse dynamics.
#[inline(always)]
fn gather(model: &Model, data: &mut Data, v: &[f64]) {
    for (i, link) in model.links.iter().enumerate() {
        let (pose, w) = (data.poses[i], data.velocities[i].angular);
        let (w_p, linear_p, alpha_p) = if link.parent == WORLD {
            Default::default()
        } else {
            let (twist, acc) = (&data.velocities[link.parent], &data.accelerations[link.parent]);
            (twist.angular, twist.linear, acc.angular)
        };
        // velocity of the link's origin
        let linear = match link.kind {
            LinkKind::Free => vec3_at(v, link.v),
            LinkKind::Slide => linear_p + w_p.cross(&pose.arm) + world_axis(link, &pose.rot) * v[link.v],
            _ => linear_p + w_p.cross(&pose.arm),
        };
        data.velocities[i].linear = linear;
        let spin = skew(&w_p);
        data.carriers[i] = Carrier {
            w: w_p,
            w_sum: w_p + w,
            velocity: linear,
            e: skew(&alpha_p) + spin * spin,
            g: skew(&data.accelerations[i].linear) + skew(&(linear * 2.0)) * spin,
        };
        let r = pose.pos - data.poses[link.root].pos;
        let wrench = &data.wrenches[i];
        let mut own = Carried {
            wrench: Wrench { force: wrench.force, moment: wrench.moment + r.cross(&wrench.force) },
            ..Default::default()
        };
        let inertia = &link.inertia;
        if !link.hollow {
            let arm = pose.rot * inertia.com;
            let x = r + arm;
            let about_com = inertia.about_com.rotated(&pose.rot);
            own.momentum = (linear + w.cross(&arm)) * inertia.mass;
            own.swirl =
                skew(&(w * -2.0)) * half_trace_minus(&about_com) - skew(&x) * skew(&(own.momentum * 2.0));
            let mut second = about_com;
            second.add_point(inertia.mass, &x);
            own.body = Composite { mass: inertia.mass, first: x * inertia.mass, second };
        }
        data.carried[i] = own;
    }
    for (i, link) in model.links.iter().enumerate().rev() {
        if link.parent != WORLD {
            let child = data.carried[i];
            let parent = &mut data.carried[link.parent];
            parent.body += child.body;
            parent.momentum += child.momentum;
            parent.swirl += child.swirl;
            parent.wrench.force += child.wrench.force;
            parent.wrench.moment += child.wrench.moment;
        }
    }
}

/// The second moment of mass `½ tr(J) − J` of an inertia.
#[inline(always)]
fn half_trace_minus(j: &Sym3) -> Mat3 {
    let t = 0.5 * (j.xx + j.yy + j.zz);
    Sym3 { xx: t - j.xx, yy: t - j.yy, zz: t - j.zz, xy: -j.xy, xz: -j.xz, yz: -j.yz }.to_mat3()
}

impl Carried {
    /// The same about a point at `r` from the present one.
    #[inline(always)]
    fn about(&self, r: &Vec3) -> Carried {
        let (first, second) = self.body.about(r);
        let f = self.wrench.force;
        Carried {
            body: Composite { mass: self.body.mass, first, second },
            momentum: self.momentum,
            swirl: self.swirl + skew(r) * skew(&(self.momentum * 2.0)),
            wrench: Wrench { force: f, moment: self.wrench.moment - r.cross(&f) },
        }
    }
}

/// The wrenches of one axis of joint `i`, about a joint centre that moves up the path.
#[derive(Clone, Copy)]
struct Column {
    /// `S ×* f + B Ψ̇ + I Ψ̈`.
    by_q: Wrench,
    /// `B S + I (Ψ̇ + Ṡ)`.
    by_v: Wrench,
    /// `I S`.
    inertial: Wrench,
    /// `Bᵀ S`: a pure moment, the same about every point.
    swirl: Vec3,
}

#[inline(always)]
fn turning<const C: usize>(model: &Model, data: &mut Data, i: usize, dof: usize, axes: [Vec3; C]) {
    let link = &model.links[i];
    let pose = &data.poses[i];
    let on = &data.carriers[i];
    let carried = data.carried[i].about(&(pose.pos - data.poses[link.root].pos));
    let Composite { mass, first: h, second: j } = carried.body;
    let (p2, swirl) = (carried.momentum * 2.0, &carried.swirl);
    let Wrench { force, moment } = carried.wrench;
    let columns: [Column; C] = core::array::from_fn(|k| {
        let s = &axes[k];
        let (psi, e, g) = (on.w.cross(s), on.e * s, on.g * s);
        let (x_w, x_u) = (on.w_sum.cross(s), on.velocity.cross(s) * 2.0);
        Column {
            by_q: Wrench {
                force: s.cross(&force) - p2.cross(&psi) + g * mass + e.cross(&h),
                moment: s.cross(&moment) + swirl * psi + h.cross(&g) + j * e,
            },
            by_v: Wrench {
                force: x_u * mass + x_w.cross(&h) - p2.cross(s),
                moment: swirl * s + h.cross(&x_u) + j * x_w,
            },
            inertial: Wrench { force: s.cross(&h), moment: j * *s },
            swirl: swirl.tr_mul(s),
        }
    });
    // the joint's own block
    let nv = model.nv();
    for r in 0..C {
        let z = lower_q(on, &columns[r]);
        for c in 0..C {
            data.dtau_dq[(dof + c) * nv + dof + r] = z.dot(&axes[c]);
            data.dtau_dv[(dof + c) * nv + dof + r] = axes[r].dot(&columns[c].by_v.moment);
        }
    }
    if link.kind == LinkKind::Free {
        for c in 0..C {
            write(&mut data.dtau_dq, nv, link.v, dof + c, &columns[c].by_q.force);
            write(&mut data.dtau_dv, nv, link.v, dof + c, &columns[c].by_v.force);
        }
        return;
    }
    climb(model, data, i, dof, columns);
}

#[inline(always)]
fn sliding(model: &Model, data: &mut Data, i: usize, axis: Vec3) {
    let link = &model.links[i];
    let on = &data.carriers[i];
    let carried = data.carried[i].about(&(data.poses[i].pos - data.poses[link.root].pos));
    let Composite { mass, first: h, .. } = carried.body;
    let (e, x) = (on.e * axis, on.w.cross(&axis) * 2.0);
    let column = Column {
        by_q: Wrench { force: e * mass, moment: axis.cross(&carried.wrench.force) + h.cross(&e) },
        by_v: Wrench { force: x * mass, moment: h.cross(&x) },
        inertial: Wrench { force: axis * mass, moment: h.cross(&axis) },
        swirl: carried.momentum.cross(&axis) * 2.0,
    };
    let at = link.v * (model.nv() + 1);
    data.dtau_dq[at] = column.inertial.force.dot(&e);
    data.dtau_dv[at] = axis.dot(&column.by_v.force);
    climb(model, data, i, link.v, [column]);
}

/// Row vector that gives `∂τ_i/∂q_j` when multiplied by a rotation axis of joint `j`.
#[inline(always)]
fn lower_q(on: &Carrier, column: &Column) -> Vec3 {
    let Wrench { force, moment } = &column.inertial;
    column.swirl.cross(&on.w) + on.e.tr_mul(moment) + on.g.tr_mul(force)
}

/// The same for `∂τ_i/∂v_j`.
#[inline(always)]
fn lower_v(on: &Carrier, column: &Column) -> Vec3 {
    let Wrench { force, moment } = &column.inertial;
    column.swirl + moment.cross(&on.w_sum) + force.cross(&(on.velocity * 2.0))
}

/// Writes three rows of a column.
#[inline(always)]
fn write(out: &mut [f64], nv: usize, row: usize, column: usize, x: &Vec3) {
    out[column * nv + row..][..3].copy_from_slice(x.as_slice());
}

/// Pairs the columns of joint `i` with every joint between it and the world.
#[inline(always)]
fn climb<const C: usize>(model: &Model, data: &mut Data, i: usize, dof: usize, mut columns: [Column; C]) {
    let nv = model.nv();
    let (mut below, mut at) = (i, model.links[i].parent);
    while at != WORLD {
        let arm = data.poses[below].arm;
        for c in &mut columns {
            for w in [&mut c.by_q, &mut c.by_v, &mut c.inertial] {
                w.moment += arm.cross(&w.force);
            }
        }
        let (link, pose, on) = (&model.links[at], &data.poses[at], &data.carriers[at]);
        let (dq, dv) = (&mut data.dtau_dq, &mut data.dtau_dv);
        match link.kind {
            LinkKind::Free | LinkKind::Ball => {
                let free = link.kind == LinkKind::Free;
                let v = if free { link.v + 3 } else { link.v };
                for (k, c) in columns.iter().enumerate() {
                    if free {
                        // forces do not depend on where the root is, nor on its velocity
                        write(dq, nv, link.v, dof + k, &c.by_q.force);
                        write(dv, nv, link.v, dof + k, &c.by_v.force);
                    }
                    write(dq, nv, v, dof + k, &pose.rot.tr_mul(&c.by_q.moment));
                    write(dv, nv, v, dof + k, &pose.rot.tr_mul(&c.by_v.moment));
                    let (zq, zv) = (pose.rot.tr_mul(&lower_q(on, c)), pose.rot.tr_mul(&lower_v(on, c)));
                    for r in 0..3 {
                        dq[(v + r) * nv + dof + k] = zq[r];
                        dv[(v + r) * nv + dof + k] = zv[r];
                    }
                }
            }
            LinkKind::Slide => {
                let axis = world_axis(link, &pose.rot);
                let (e, x) = (on.e * axis, on.w.cross(&axis) * 2.0);
                for (k, c) in columns.iter().enumerate() {
                    dq[(dof + k) * nv + link.v] = axis.dot(&c.by_q.force);
                    dv[(dof + k) * nv + link.v] = axis.dot(&c.by_v.force);
                    dq[link.v * nv + dof + k] = c.inertial.force.dot(&e);
                    dv[link.v * nv + dof + k] = c.inertial.force.dot(&x);
                }
            }
            _ => {
                let axis = world_axis(link, &pose.rot);
                for (k, c) in columns.iter().enumerate() {
                    dq[(dof + k) * nv + link.v] = axis.dot(&c.by_q.moment);
                    dv[(dof + k) * nv + link.v] = axis.dot(&c.by_v.moment);
                    dq[link.v * nv + dof + k] = axis.dot(&lower_q(on, c));
                    dv[link.v * nv + dof + k] = axis.dot(&lower_v(on, c));
                }
            }
        }
        (below, at) = (at, link.parent);
    }
}
