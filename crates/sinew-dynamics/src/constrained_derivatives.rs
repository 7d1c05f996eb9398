//! Derivatives of forward dynamics with points or bodies held.
//!
//! Differentiating `M a + h − Jᵀ λ = τ` and `J a + J̇ v = a*` gives the same KKT system for the derivatives,
//! ```text
//! M da − Jᵀ dλ = dτ − ∂(M a + h − Jᵀ λ),     J da = −∂(J a + J̇ v)
//! ```
//! at fixed `a` and `λ`. The forces `λ` keep their direction in the world when the body turns, unlike the wrenches that
//! inverse dynamics carries along, so each rotation axis `s` on the path adds the wrench `s × λ` at the held point. The
//! accelerations of held points are differentiated in closed form: seen from the parent of joint `i`, everything beyond
//! it turns as one, so position `ρ` from the joint, relative velocity `u` and relative acceleration `b` of the point all
//! change by `s ×`:
//! ```text
//! ∂A/∂q_i = ([α]× + [ω]×²)(s × ρ) + 2 ω × (s × u) + s × b           α, ω: of the parent
//! ∂A/∂v_i = 2 s × (V − ν) + ((ω + ω_i) × s) × ρ                     V, ν: velocity of the point, of the joint's centre
//! ```
//! The sparse solves of [`aba_derivatives`](crate::aba_derivatives) are interrupted half-way to add the constraint
//! forces, so that no further pass over the tree is needed.

use crate::constrained::{Constrained, ConstraintError, Constraints, Held, constrained_dynamics};
use crate::data::{Data, Pose, Twist};
use crate::kinematics::{vec3_at, world_axis};
use crate::model::{Link, LinkKind, Model, WORLD};
use crate::operational::OperationalSpace;
use crate::rnea_derivatives::Carrier;
use crate::solve_columns::{HALF, LANES, Lane, Twice};
use crate::spatial::Vec3;

/// Accelerations, forces, and their derivatives; matrices are column-major, column `k` for coordinate `k`.
#[derive(Clone, Copy, Debug)]
pub struct ConstrainedDerivatives<'d> {
    /// The solution itself.
    pub solution: Constrained<'d>,
    /// Accelerations (nv rows) by a tangent of `q`, by `v` and by `τ`.
    pub dq: &'d [f64],
    /// See `dq`.
    pub dv: &'d [f64],
    /// See `dq`.
    pub dtau: &'d [f64],
    /// Constraint forces (one row per constraint row) by a tangent of `q`, by `v` and by `τ`.
    pub force_dq: &'d [f64],
    /// See `force_dq`.
    pub force_dv: &'d [f64],
    /// See `force_dq`.
    pub force_dtau: &'d [f64],
}

/// Buffers: rows×nv derivatives of held accelerations and of forces, and lanes of right-hand sides.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    held: [Vec<f64>; 2],
    force: [Vec<f64>; 3],
    lanes: Vec<Lane>,
}

impl Workspace {
    pub(crate) fn new(rows: usize, nv: usize) -> Workspace {
        let matrix = || vec![0.0; rows * nv];
        Workspace {
            held: [matrix(), matrix()],
            force: [matrix(), matrix(), matrix()],
            lanes: vec![Lane::default(); rows],
        }
    }
}

/// Solves [`constrained_dynamics`] and differentiates the solution. With damping, the derivatives are those of the damped
/// solution.
///
/// ```
/// use sinew_dynamics::{Data, characters, Constraint, Constraints, Role, Side, constrained_dynamics_derivatives, spatial::Vec3};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let foot = human.role(Role::Foot(Side::Left)).unwrap();
/// let mut constraints = Constraints::new(&human, vec![Constraint::body(foot, Vec3::zeros())]);
/// let tau = vec![0.0; human.nv()];
/// let d = constrained_dynamics_derivatives(&human, &mut data, &mut constraints, &q, &v, &tau)?;
/// assert_eq!((d.dq.len(), d.force_dq.len()), (human.nv() * human.nv(), 6 * human.nv()));
/// assert!(d.dq[..3 * human.nv()].iter().all(|x| x.abs() < 1e-8)); // wherever it stands, it moves alike
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn constrained_dynamics_derivatives<'d>(
    model: &Model,
    data: &'d mut Data,
    constraints: &'d mut Constraints,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<ConstrainedDerivatives<'d>, ConstraintError> {
    constrained_dynamics(model, data, constraints, q, v, tau)?;
    let a = core::mem::take(&mut data.acceleration);
    crate::rnea::outward(model, data, q, v, |at| vec3_at(&a, at), |at| a[at]);
    data.acceleration = a;
    carry_forces(model, data, constraints);
    crate::rnea_derivatives::differentiate(model, data, v);
    straighten_forces(model, data, constraints);
    differentiate_held(model, data, constraints);

    data.blocks.regroup(model, &data.factor, &data.inverse_diagonal);
    let Data { blocks, inverse_diagonal, lanes, dtau_dq, dtau_dv, da_dq, da_dv, inverse_mass, .. } =
        &mut *data;
    let Workspace { held, force, lanes: rhs } = &mut constraints.derivatives;
    let set = Set { model, space: &constraints.space, delassus: &constraints.delassus, inverse_diagonal };
    let [force_q, force_v, force_tau] = force;
    let rows = rhs.len();
    blocks.solve_derivatives(model, lanes, [dtau_dq, dtau_dv], [da_dq, da_dv], |first, lanes| {
        let columns = first * rows..(first + HALF).min(model.nv()) * rows;
        for (half, held) in held.iter().enumerate() {
            load(&held[columns.clone()], rhs, half * HALF);
        }
        set.add_forces(lanes, rhs);
        store(rhs, 0, &mut force_q[columns.clone()]);
        store(rhs, HALF, &mut force_v[columns]);
    });
    let hold = |first: usize, lanes: &mut [Lane]| {
        rhs.fill(Lane::default());
        set.add_forces(lanes, rhs);
        store(rhs, 0, &mut force_tau[first * rows..(first + LANES).min(model.nv()) * rows]);
    };
    blocks.invert(model, lanes, inverse_mass, Some(hold));
    let [force_dq, force_dv, force_dtau] = &constraints.derivatives.force;
    Ok(ConstrainedDerivatives {
        solution: Constrained { acceleration: &data.acceleration, force: &constraints.force },
        dq: &data.da_dq,
        dv: &data.da_dv,
        dtau: &data.inverse_mass,
        force_dq,
        force_dv,
        force_dtau,
    })
}

/// Applied half-way through the solves: turns free accelerations into constrained ones.
struct Set<'a> {
    model: &'a Model,
    space: &'a OperationalSpace,
    delassus: &'a [f64],
    inverse_diagonal: &'a [f64],
}

impl Set<'_> {
    /// `x ← x + D⁻¹ Y dλ` with `dλ = (J M⁻¹ Jᵀ)⁻¹ (b − Yᵀ x)`; `b = −∂(J a + J̇ v)` is overwritten by `dλ`.
    fn add_forces(&self, x: &mut [Lane], b: &mut [Lane]) {
        for g in &self.space.groups {
            let Some(end) = g.end else { continue };
            let block = &mut b[g.first_row..g.first_row + g.rows];
            for (y, &j) in self.space.columns[g.start..].iter().zip(self.model.path(end)) {
                for (lane, y) in block.iter_mut().zip(y) {
                    lane.subtract(&Twice::new(*y), &x[j]);
                }
            }
        }
        self.solve(b);
        for g in &self.space.groups {
            let Some(end) = g.end else { continue };
            let block = &b[g.first_row..g.first_row + g.rows];
            for (y, &j) in self.space.columns[g.start..].iter().zip(self.model.path(end)) {
                let d = -self.inverse_diagonal[j];
                for (lane, y) in block.iter().zip(y) {
                    x[j].subtract(&Twice::new(d * y), lane);
                }
            }
        }
    }

    /// Solves with the Cholesky factor of the Delassus matrix.
    fn solve(&self, b: &mut [Lane]) {
        let n = b.len();
        for i in 0..n {
            let (before, here) = b.split_at_mut(i);
            let row = &self.delassus[i * n..i * n + i + 1];
            for (l, y) in row.iter().zip(&*before) {
                here[0].subtract(&Twice::new(*l), y);
            }
            here[0] = here[0].scaled(&Twice::new(row[i]));
        }
        for i in (0..n).rev() {
            let (before, here) = b.split_at_mut(i);
            let row = &self.delassus[i * n..i * n + i + 1];
            here[0] = here[0].scaled(&Twice::new(row[i]));
            for (l, y) in row.iter().zip(before) {
                y.subtract(&Twice::new(*l), &here[0]);
            }
        }
    }
}

/// Negated columns into lanes from `at` on.
fn load(columns: &[f64], lanes: &mut [Lane], at: usize) {
    for (c, column) in columns.chunks_exact(lanes.len()).enumerate() {
        lanes.iter_mut().zip(column).for_each(|(lane, x)| lane.0[at + c] = -x);
    }
}

/// Columns out of lanes from `at` on.
fn store(lanes: &[Lane], at: usize, columns: &mut [f64]) {
    for (c, column) in columns.chunks_exact_mut(lanes.len()).enumerate() {
        lanes.iter().zip(column).for_each(|(lane, x)| *x = lane.0[at + c]);
    }
}

/// Force and moment of a constraint.
fn force_of(constraints: &Constraints, k: usize) -> (Vec3, Vec3) {
    let group = &constraints.space.groups[k];
    let f = &constraints.force[group.first_row..group.first_row + group.rows];
    let moment = if f.len() == 6 { Vec3::from_column_slice(&f[3..]) } else { Vec3::zeros() };
    (Vec3::from_column_slice(&f[..3]), moment)
}

/// Takes the constraint forces off the wrenches that the joints must provide.
fn carry_forces(model: &Model, data: &mut Data, constraints: &Constraints) {
    for (k, c) in constraints.list.iter().enumerate() {
        let (link, _) = *model.frame(c.body);
        if link != WORLD {
            let arm = data.body_placement(model, c.body).act(&c.point) - data.poses[link].pos;
            let (force, moment) = force_of(constraints, k);
            let wrench = &mut data.wrenches[link];
            wrench.force -= force;
            wrench.moment -= moment + arm.cross(&force);
        }
    }
}

/// Corrects for forces that do not turn with the body: column `i` gains `Jᵀ (s_i × λ)`.
fn straighten_forces(model: &Model, data: &mut Data, constraints: &Constraints) {
    let nv = model.nv();
    for (k, c) in constraints.list.iter().enumerate() {
        let (force, moment) = force_of(constraints, k);
        let point = data.body_placement(model, c.body).act(&c.point);
        let mut dq = core::mem::take(&mut data.dtau_dq);
        data.each_link(model, c.body, |link, pose| {
            each_axis(link, pose, |i, axis| {
                let Motion::Turn(s) = axis else { return };
                let (f, n) = (s.cross(&force), s.cross(&moment));
                data.each_link(model, c.body, |on, pose| {
                    crate::jacobian::columns(on, pose, &point, |j, linear, angular| {
                        dq[i * nv + j] += linear.dot(&f) + angular.dot(&n);
                    });
                });
            });
        });
        data.dtau_dq = dq;
    }
}

/// How a degree of freedom moves what it carries.
enum Motion {
    Turn(Vec3),
    Shift(Vec3),
}

/// Visits the degrees of freedom of a link; a free joint's translation changes no acceleration and is left out.
fn each_axis(link: &Link, pose: &Pose, mut visit: impl FnMut(usize, Motion)) {
    let first = match link.kind {
        LinkKind::Free => link.v + 3,
        LinkKind::Ball => link.v,
        LinkKind::Slide => return visit(link.v, Motion::Shift(world_axis(link, &pose.rot))),
        _ => return visit(link.v, Motion::Turn(world_axis(link, &pose.rot))),
    };
    (0..3).for_each(|k| visit(first + k, Motion::Turn(pose.rot.column(k).into())));
}

/// Derivatives of the accelerations of the held points and bodies, at fixed joint accelerations.
fn differentiate_held(model: &Model, data: &Data, constraints: &mut Constraints) {
    let Constraints { list, space, rows, derivatives, .. } = constraints;
    let [by_q, by_v] = &mut derivatives.held;
    for (k, c) in list.iter().enumerate() {
        let (end, _) = *model.frame(c.body);
        if end == WORLD {
            continue;
        }
        let point = data.body_placement(model, c.body).act(&c.point);
        let twist = &data.velocities[end];
        let at_point = Moving {
            position: point,
            velocity: twist.linear + twist.angular.cross(&(point - data.poses[end].pos)),
            // the fictitious acceleration against gravity cancels between point and joint
            acceleration: data.point_acceleration(model, c.body, &point),
            spin: twist.angular,
            turn: data.accelerations[end].angular,
        };
        let write = |out: &mut [f64], dof: usize, linear: Vec3, angular: Vec3| {
            let at = dof * *rows + space.groups[k].first_row;
            out[at..at + 3].copy_from_slice(linear.as_slice());
            if c.held == Held::Body {
                out[at + 3..at + 6].copy_from_slice(angular.as_slice());
            }
        };
        let mut at = end;
        while at != WORLD {
            let link = &model.links[at];
            let (pose, carrier) = (&data.poses[at], &data.carriers[at]);
            let alpha =
                if link.parent == WORLD { Vec3::zeros() } else { data.accelerations[link.parent].angular };
            let centre = Twist { linear: data.accelerations[at].linear, angular: alpha };
            each_axis(link, pose, |dof, motion| match motion {
                Motion::Turn(s) => {
                    let (linear, angular) = at_point.by_turn(carrier, pose, &centre, &s);
                    write(by_q, dof, linear, angular);
                    let (linear, angular) = at_point.by_turn_rate(carrier, pose, &s);
                    write(by_v, dof, linear, angular);
                }
                Motion::Shift(x) => {
                    write(by_q, dof, carrier.e * x, Vec3::zeros());
                    write(by_v, dof, carrier.w.cross(&x) * 2.0, Vec3::zeros());
                }
            });
            at = link.parent;
        }
    }
}

/// Motion of a held point and its body.
struct Moving {
    position: Vec3,
    velocity: Vec3,
    acceleration: Vec3,
    spin: Vec3,
    turn: Vec3,
}

impl Moving {
    /// Change of the accelerations when the joint turns about `s`.
    #[inline(always)]
    fn by_turn(&self, on: &Carrier, pose: &Pose, centre: &Twist, s: &Vec3) -> (Vec3, Vec3) {
        let rho = self.position - pose.pos;
        // motion relative to the joint's parent
        let u = self.velocity - on.velocity - on.w.cross(&rho);
        let b = self.acceleration - centre.linear - on.e * rho - on.w.cross(&u) * 2.0;
        let linear = on.e * s.cross(&rho) + on.w.cross(&s.cross(&u)) * 2.0 + s.cross(&b);
        let spin = self.spin - on.w;
        let turn = self.turn - centre.angular - on.w.cross(&spin);
        (linear, on.w.cross(&s.cross(&spin)) + s.cross(&turn))
    }

    /// Change of the accelerations when the joint turns faster about `s`.
    #[inline(always)]
    fn by_turn_rate(&self, on: &Carrier, pose: &Pose, s: &Vec3) -> (Vec3, Vec3) {
        let rho = self.position - pose.pos;
        let x = on.w_sum.cross(s);
        (s.cross(&(self.velocity - on.velocity)) * 2.0 + x.cross(&rho), s.cross(&self.spin) + x)
    }
}
