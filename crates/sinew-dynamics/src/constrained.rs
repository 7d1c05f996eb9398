//! Forward dynamics with points or whole bodies held: the KKT system of contact.
//!
//! ```text
//! M a + h = τ + Jᵀ λ,     J a + J̇ v = a*
//! ```
//! With `M = Lᵀ D L` and `Y = L⁻ᵀ Jᵀ`, the Delassus matrix is `J M⁻¹ Jᵀ = Yᵀ D⁻¹ Y`, and `λ` and `a` follow from one
//! Cholesky factorisation of it and one sweep outwards. A column of `Y` is non-zero only on the path from the held body to
//! the root, so it is computed and stored there alone. A damping `μ` on the diagonal makes redundant constraints solvable
//! (the force of least size is found as `μ → 0`).

use crate::data::Data;
use crate::factor::Singular;
use crate::model::{BodyId, Model, WORLD};
use crate::spatial::Vec3;

/// What is held of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A point: three rows, linear.
    Point,
    /// The whole body: six rows, linear at the point, then angular.
    Body,
}

/// A constraint on the acceleration of a body, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The body.
    pub body: BodyId,
    /// The point in the body's frame.
    pub point: Vec3,
    /// Point or whole body.
    pub held: Held,
    /// Acceleration that is asked for: linear, angular; zero to hold.
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

/// Up to six rows of a constraint at one degree of freedom.
pub(crate) type Rows = [f64; 6];

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
    /// Start of each constraint's path in `columns`.
    pub(crate) starts: Vec<usize>,
    /// `Y`: for every constraint and every degree of freedom on its path, its rows.
    pub(crate) columns: Vec<Rows>,
    pub(crate) first_row: Vec<usize>,
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
        let (mut starts, mut first_row) = (vec![0], vec![0]);
        for c in &list {
            starts.push(starts[starts.len() - 1] + path_of(model, c.body).len());
            first_row.push(first_row[first_row.len() - 1] + c.rows());
        }
        let rows = first_row[list.len()];
        let columns = vec![[0.0; 6]; starts[list.len()]];
        Constraints {
            list,
            damping: 0.0,
            starts,
            columns,
            first_row,
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

/// Degrees of freedom from the root to a body.
pub(crate) fn path_of(model: &Model, body: BodyId) -> &[usize] {
    match model.frame(body).0 {
        WORLD => &[],
        link => model.path(model.links[link].v + model.links[link].nv - 1),
    }
}

/// Accelerations for generalised forces `tau` at `(q, v)` while the constraints hold, and the forces that hold them.
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
    crate::crba(model, data, q);
    crate::factor_mass_matrix(model, data)?;
    let mut acceleration = core::mem::take(&mut data.acceleration);
    acceleration.copy_from_slice(tau);
    for (x, h) in acceleration.iter_mut().zip(crate::bias_force(model, data, q, v)) {
        *x -= h;
    }
    data.solve_transposed(model, &mut acceleration);
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
    let Constraints { list, damping, starts, columns, first_row, rows, delassus, force, .. } = constraints;
    for (k, c) in list.iter().enumerate() {
        let path = path_of(model, c.body);
        let y = &mut columns[starts[k]..starts[k + 1]];
        half_solve(model, data, c, path, y);
        // right-hand side: a* − J̇ v − J a_free
        let mut rhs = missing_acceleration(model, data, c);
        for (y, &j) in y.iter().zip(path) {
            let s = data.inverse_diagonal[j] * x[j];
            for r in 0..6 {
                rhs[r] -= y[r] * s;
            }
        }
        force[first_row[k]..first_row[k + 1]].copy_from_slice(&rhs[..c.rows()]);
        // row blocks of the Delassus matrix: paths share a prefix
        for m in 0..=k {
            let other = &columns[starts[m]..starts[m + 1]];
            let mut block = [[0.0; 6]; 6];
            let shared = path.iter().zip(path_of(model, list[m].body)).take_while(|(a, b)| a == b).count();
            for ((a, b), &j) in columns[starts[k]..][..shared].iter().zip(other).zip(path) {
                let d = data.inverse_diagonal[j];
                for r in 0..6 {
                    let s = a[r] * d;
                    for c in 0..6 {
                        block[r][c] += s * b[c];
                    }
                }
            }
            for r in 0..c.rows() {
                let at = (first_row[k] + r) * *rows + first_row[m];
                delassus[at..at + list[m].rows()].copy_from_slice(&block[r][..list[m].rows()]);
            }
        }
    }
    for r in 0..*rows {
        delassus[r * (*rows + 1)] += *damping;
    }
    factor_in_place(delassus, *rows).map_err(|row| ConstraintError::Redundant { row })?;
    solve_in_place(delassus, *rows, force);
    for (k, c) in list.iter().enumerate() {
        let lambda = &force[first_row[k]..first_row[k + 1]];
        for (y, &j) in columns[starts[k]..starts[k + 1]].iter().zip(path_of(model, c.body)) {
            x[j] += y.iter().zip(lambda).map(|(y, l)| y * l).sum::<f64>();
        }
    }
    for (x, d) in x.iter_mut().zip(&data.inverse_diagonal) {
        *x *= d;
    }
    data.solve_lower(model, x);
    Ok(())
}

/// `Y = L⁻ᵀ Jᵀ` on the path of one constraint.
#[inline(always)]
fn half_solve(model: &Model, data: &Data, c: &Constraint, path: &[usize], y: &mut [Rows]) {
    let point = data.body_placement(model, c.body).act(&c.point);
    let mut depth = path.len();
    let whole = c.held == Held::Body;
    data.each_link(model, c.body, |link, pose| {
        depth -= link.nv;
        crate::jacobian::columns(link, pose, &point, |dof, linear, angular| {
            let angular = if whole { angular } else { Vec3::zeros() };
            y[depth + dof - link.v] = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        });
    });
    let starts = model.row_starts();
    for t in (1..path.len()).rev() {
        let (above, here) = y.split_at_mut(t);
        let b = &here[0];
        for (x, l) in above.iter_mut().zip(&data.factor[starts[path[t]]..]) {
            for r in 0..6 {
                x[r] -= l * b[r];
            }
        }
    }
}

/// `a* − J̇ v` of a constraint, from the accelerations that inverse dynamics left for zero joint acceleration.
fn missing_acceleration(model: &Model, data: &Data, c: &Constraint) -> Rows {
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
