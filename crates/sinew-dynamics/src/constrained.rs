//! Forward dynamics with points or whole bodies held: the KKT system of contact.
//!
//! ```text
//! M a + h = τ + Jᵀ λ,     J a + J̇ v = a*
//! ```
//! `λ` and `a` follow from one Cholesky factorisation of `J M⁻¹ Jᵀ`, which [`OperationalSpace`] computes from the factor
//! of `M`, and one sweep outwards. A damping `μ` on its diagonal makes redundant constraints solvable (the force of least
//! size is found as `μ → 0`).

use crate::data::Data;
use crate::factor::Singular;
use crate::model::{BodyId, Model, WORLD};
use crate::operational::OperationalSpace;
use crate::spatial::Vec3;

/// The held part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A point: three rows, linear.
    Point,
    /// The whole body: six rows, linear at the point, then angular.
    Body,
}

/// A constraint on the acceleration of a body, in world axes.
///
/// ```
/// use sinew_dynamics::{BodyId, Constraint, Held};
/// use sinew_dynamics::spatial::Vec3;
/// let mut hand = Constraint::point(BodyId(3), Vec3::zeros());
/// hand.acceleration[2] = 1.0; // pulled up at 1 m/s²
/// assert_eq!(hand.held, Held::Point);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The body.
    pub body: BodyId,
    /// The point in the body's frame.
    pub point: Vec3,
    /// Point or whole body.
    pub held: Held,
    /// Desired acceleration: linear, angular; zero to hold.
    pub acceleration: [f64; 6],
}

impl Constraint {
    /// Holds a point of a body.
    pub fn point(body: BodyId, point: Vec3) -> Constraint {
        Constraint { body, point, held: Held::Point, acceleration: [0.0; 6] }
    }

    /// Holds a whole body; forces are reported at `point`.
    pub fn body(body: BodyId, point: Vec3) -> Constraint {
        Constraint { body, point, held: Held::Body, acceleration: [0.0; 6] }
    }

    pub(crate) fn rows(&self) -> usize {
        match self.held {
            Held::Point => 3,
            Held::Body => 6,
        }
    }
}

/// Why constrained dynamics have no solution.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_dynamics::{BodyId, Constraint, ConstraintError, Constraints, Data, characters, constrained_dynamics};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let pelvis = Constraint::body(BodyId(0), Vec3::zeros());
/// let mut twice = Constraints::new(&human, vec![pelvis, pelvis]);
/// let (q, zero) = (human.neutral(), vec![0.0; human.nv()]);
/// let refused = constrained_dynamics(&human, &mut data, &mut twice, &q, &zero, &zero).unwrap_err();
/// assert!(matches!(refused, ConstraintError::Redundant { row: 6 }));
/// twice.damping = 1e-9; // shares the force between the two
/// assert!(constrained_dynamics(&human, &mut data, &mut twice, &q, &zero, &zero).is_ok());
/// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstraintError {
    /// The body itself is singular.
    #[error(transparent)]
    Singular(#[from] Singular),
    /// A row depends on those before it.
    #[error("constraint row {row} depends on those before it; drop it, or give the set a small damping")]
    Redundant {
        /// Index of the row, counted over all constraints.
        row: usize,
    },
}

/// Constraints and the workspace to solve with them.
///
/// ```
/// use sinew_dynamics::spatial::{Inertia, Vec3};
/// use sinew_dynamics::{BodySpec, Constraint, Constraints, Data, JointSpec, Model, ModelSpec, constrained_dynamics};
/// let mut spec = ModelSpec::new("crate");
/// let cube = Inertia::solid_box(3.0, Vec3::repeat(0.5));
/// spec.bodies.push(BodySpec::new("cube", None, cube).with_joint(JointSpec::free("root")));
/// let model = Model::new(spec)?;
/// let mut data = Data::new(&model);
/// let held = Constraint::body(model.body("cube").unwrap(), Vec3::zeros());
/// let mut constraints = Constraints::new(&model, vec![held]);
/// let q = model.neutral();
/// let solution = constrained_dynamics(&model, &mut data, &mut constraints, &q, &[0.0; 6], &[0.0; 6])?;
/// assert!((solution.force[2] - 3.0 * 9.81).abs() < 1e-12); // it bears the weight
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Constraints {
    pub(crate) list: Vec<Constraint>,
    /// Added to the diagonal of the Delassus matrix, 1/kg; zero by default.
    pub damping: f64,
    /// The rows of all constraints, one group each.
    pub(crate) space: OperationalSpace,
    pub(crate) rows: usize,
    /// Cholesky factor of the Delassus matrix, row-major, with reciprocals on the diagonal.
    pub(crate) delassus: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) derivatives: crate::constrained_derivatives::Workspace,
}

/// Accelerations and constraint forces.
#[derive(Clone, Copy, Debug)]
pub struct Constrained<'d> {
    /// Joint accelerations, nv.
    pub acceleration: &'d [f64],
    /// Forces of the constraints on the bodies, world axes, row after row: force (3), and moment (3) for whole bodies.
    pub force: &'d [f64],
}

impl Constraints {
    /// A set of constraints on the bodies of `model`.
    pub fn new(model: &Model, list: Vec<Constraint>) -> Constraints {
        let rows = list.iter().map(Constraint::rows).sum();
        let space = OperationalSpace::with_room(model, list.len());
        Constraints {
            list,
            damping: 0.0,
            space,
            rows,
            delassus: vec![0.0; rows * rows],
            force: vec![0.0; rows],
            derivatives: crate::constrained_derivatives::Workspace::new(rows, model.nv()),
        }
    }

    /// The constraints.
    pub fn list(&self) -> &[Constraint] {
        &self.list
    }

    /// Number of rows of all constraints together.
    pub fn rows(&self) -> usize {
        self.rows
    }
}

/// Accelerations for generalised forces `tau` at `(q, v)` while the constraints hold, and the forces that hold them.
///
/// ```
/// use sinew_dynamics::{Data, characters, Constraint, Constraints, Role, Side, constrained_dynamics, spatial::Vec3};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let feet = Side::BOTH.map(|side| human.role(Role::Foot(side)).unwrap());
/// let held = feet.map(|foot| Constraint::body(foot, Vec3::zeros())).to_vec();
/// let mut constraints = Constraints::new(&human, held);
///
/// let limp = vec![0.0; human.nv()];
/// let solution = constrained_dynamics(&human, &mut data, &mut constraints, &q, &v, &limp)?;
/// assert_eq!(solution.force.len(), 12); // force and moment at each foot
/// assert!(solution.force[2] > 0.0 && solution.force[8] > 0.0); // both push up while the body sags
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn constrained_dynamics<'d>(
    model: &Model,
    data: &'d mut Data,
    constraints: &'d mut Constraints,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<Constrained<'d>, ConstraintError> {
    crate::factored_mass_matrix(model, data, q)?;
    let mut acceleration = core::mem::take(&mut data.acceleration);
    acceleration.copy_from_slice(tau);
    for (x, h) in acceleration.iter_mut().zip(crate::bias_force(model, data, q, v)) {
        *x -= h;
    }
    data.half_solve_mass_matrix(model, &mut acceleration);
    let done = hold(model, data, constraints, &mut acceleration);
    data.acceleration = acceleration;
    done?;
    Ok(Constrained { acceleration: &data.acceleration, force: &constraints.force })
}

/// From `L⁻ᵀ(τ − h)` in `x` to the constrained acceleration in `x`, and the forces.
fn hold(
    model: &Model,
    data: &Data,
    constraints: &mut Constraints,
    x: &mut [f64],
) -> Result<(), ConstraintError> {
    let Constraints { list, damping, space, rows, delassus, force, .. } = constraints;
    let rows = *rows;
    space.clear();
    // right-hand side: a* − J̇ v − J a_free
    force.fill(0.0);
    for c in list.iter() {
        let point = data.body_placement(model, c.body).act(&c.point);
        match c.held {
            Held::Point => space.add_point(model, data, c.body, &point),
            Held::Body => space.add_body(model, data, c.body, &point),
        };
    }
    space.add_velocities(model, data, x, force);
    for (c, group) in list.iter().zip(&space.groups) {
        let wanted = missing_acceleration(model, data, c);
        for (f, w) in force[group.first_row..].iter_mut().zip(&wanted[..group.rows]) {
            *f = w - *f;
        }
    }
    delassus.copy_from_slice(space.inverse_inertia(model, data));
    for r in 0..rows {
        delassus[r * (rows + 1)] += *damping;
    }
    factor_in_place(delassus, rows).map_err(|row| ConstraintError::Redundant { row })?;
    solve_in_place(delassus, rows, force);
    space.add_impulses(model, force, x);
    data.finish_solve_mass_matrix(model, x);
    Ok(())
}

/// `a* − J̇ v` of a constraint, from the accelerations that inverse dynamics left for zero joint acceleration.
fn missing_acceleration(model: &Model, data: &Data, c: &Constraint) -> [f64; 6] {
    let mut out = c.acceleration;
    let (link, _) = *model.frame(c.body);
    if link != WORLD {
        let point = data.body_placement(model, c.body).act(&c.point);
        // gravity is in them as an upward acceleration of the base
        let linear = data.point_acceleration(model, c.body, &point) + model.gravity();
        let angular = data.accelerations[link].angular;
        for r in 0..3 {
            out[r] -= linear[r];
            out[3 + r] -= angular[r];
        }
    }
    out
}

/// Cholesky factorisation in place of the lower triangle of a row-major matrix; the diagonal holds reciprocals.
fn factor_in_place(a: &mut [f64], n: usize) -> Result<(), usize> {
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let s: f64 = row[..j].iter().zip(other).map(|(x, y)| x * y).sum();
            row[j] = (row[j] - s) * other[j];
        }
        let s: f64 = row[..i].iter().map(|x| x * x).sum();
        let d = row[i] - s;
        if !(d > 1e-14 * row[i].abs()) {
            return Err(i);
        }
        row[i] = 1.0 / d.sqrt();
    }
    Ok(())
}

/// Solves with the factor of [`factor_in_place`].
fn solve_in_place(a: &[f64], n: usize, b: &mut [f64]) {
    for i in 0..n {
        let row = &a[i * n..i * n + i + 1];
        let s: f64 = row[..i].iter().zip(&b[..i]).map(|(x, y)| x * y).sum();
        b[i] = (b[i] - s) * row[i];
    }
    for i in (0..n).rev() {
        let row = &a[i * n..i * n + i + 1];
        b[i] *= row[i];
        let x = b[i];
        for (b, l) in b[..i].iter_mut().zip(row) {
            *b -= l * x;
        }
    }
}
