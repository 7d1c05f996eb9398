//! The inverse inertia that points, bodies and joints of a character show to the outside: `J M⁻¹ Jᵀ`.
//!
//! With `M = Lᵀ D L` and `Y = L⁻ᵀ Jᵀ` it is `Yᵀ D⁻¹ Y`. A column of `Y` is non-zero only on the path from its body to the
//! root, so it is computed and stored there alone, and two columns meet only on the part of their paths that they share.
//! Solvers of contacts and grips work on it: they need the velocity of what they hold, its inverse inertia, and at the
//! end one sweep that gives all joints the impulses found.

use crate::data::Data;
use crate::jacobian::columns;
use crate::model::{BodyId, Model, WORLD};
use crate::spatial::Vec3;

/// Up to six rows at one degree of freedom.
pub(crate) type Rows = [f64; 6];

/// Rows that belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) first_row: usize,
    pub(crate) rows: usize,
    /// Place in `columns`, and the last degree of freedom of the path; `None` for things that cannot move.
    pub(crate) start: usize,
    pub(crate) end: Option<usize>,
}

/// Chosen points, bodies and degrees of freedom of one character, and the inverse inertia between them.
///
/// Filled anew at every step; keeps its memory, and clones have as much.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_dynamics::{Data, OperationalSpace, Role, Side, characters, crba, factor_mass_matrix};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// crba(&human, &mut data, &human.neutral());
/// factor_mass_matrix(&human, &mut data)?;
/// let foot = human.role(Role::Foot(Side::Left)).unwrap();
/// let sole = data.body_placement(&human, foot).pos;
/// let mut space = OperationalSpace::default();
/// space.add_body(&human, &data, foot, &sole);
/// let inverse = space.inverse_inertia(&human, &data); // 6×6
/// assert!(1.0 / inverse[0] < human.mass()); // a foot is pushed more easily than the whole body
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct OperationalSpace {
    pub(crate) groups: Vec<Group>,
    pub(crate) columns: Vec<Rows>,
    rows: usize,
    inverse: Vec<f64>,
}

impl Clone for OperationalSpace {
    fn clone(&self) -> OperationalSpace {
        OperationalSpace {
            groups: with_its_room(&self.groups),
            columns: with_its_room(&self.columns),
            rows: self.rows,
            inverse: with_its_room(&self.inverse),
        }
    }
}

fn with_its_room<T: Copy>(of: &Vec<T>) -> Vec<T> {
    let mut copy = Vec::with_capacity(of.capacity());
    copy.extend_from_slice(of);
    copy
}

impl OperationalSpace {
    /// With capacity for a number of points, bodies or degrees of freedom of a model; it grows when more are needed.
    pub fn with_room(model: &Model, groups: usize) -> OperationalSpace {
        let longest = (0..model.nv()).map(|dof| model.path(dof).len()).max().unwrap_or(0);
        OperationalSpace {
            groups: Vec::with_capacity(groups),
            columns: Vec::with_capacity(groups * longest),
            rows: 0,
            inverse: Vec::with_capacity(36 * groups * groups),
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.columns.clear();
        self.rows = 0;
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Adds the point of `body` that is at `point` in the world: three rows, world axes. Returns the first.
    ///
    /// Needs the frames and the factor of the mass matrix in `data`.
    pub fn add_point(&mut self, model: &Model, data: &Data, body: BodyId, point: &Vec3) -> usize {
        self.add(model, data, body, point, 3)
    }

    /// Adds a body: six rows, linear at `point` and angular, world axes. Returns the first.
    ///
    /// Needs the frames and the factor of the mass matrix in `data`.
    pub fn add_body(&mut self, model: &Model, data: &Data, body: BodyId, point: &Vec3) -> usize {
        self.add(model, data, body, point, 6)
    }

    /// Adds one degree of freedom: one row. Returns it.
    pub fn add_dof(&mut self, model: &Model, data: &Data, dof: usize) -> usize {
        let y = self.push(1, Some(dof), model.path(dof).len());
        y[model.path(dof).len() - 1][0] = 1.0;
        inward::<1>(model, data, model.path(dof), y);
        self.rows - 1
    }

    fn add(&mut self, model: &Model, data: &Data, body: BodyId, point: &Vec3, rows: usize) -> usize {
        let link = model.frame(body).0;
        let end = (link != WORLD).then(|| model.links[link].v + model.links[link].nv - 1);
        let path = end.map_or(&[] as &[usize], |dof| model.path(dof));
        let y = self.push(rows, end, path.len());
        let mut depth = path.len();
        data.each_link(model, body, |link, pose| {
            depth -= link.nv;
            columns(link, pose, point, |dof, u, w| {
                y[depth + dof - link.v] = [u.x, u.y, u.z, w.x, w.y, w.z];
            });
        });
        if rows == 6 {
            inward::<6>(model, data, path, y)
        } else {
            inward::<3>(model, data, path, y)
        }
        self.rows - rows
    }

    /// Makes room for a group and returns its columns, zero.
    fn push(&mut self, rows: usize, end: Option<usize>, path: usize) -> &mut [Rows] {
        let start = self.columns.len();
        self.groups.push(Group { first_row: self.rows, rows, start, end });
        self.rows += rows;
        self.columns.resize(start + path, [0.0; 6]);
        &mut self.columns[start..]
    }

    /// Computes `J M⁻¹ Jᵀ`: rows × rows, both triangles.
    pub fn inverse_inertia(&mut self, model: &Model, data: &Data) -> &[f64] {
        let n = self.rows;
        self.inverse.clear();
        self.inverse.resize(n * n, 0.0);
        for (k, a) in self.groups.iter().enumerate() {
            for b in &self.groups[..=k] {
                // most groups are points: blocks of 3×3
                if a.rows <= 3 && b.rows <= 3 {
                    let block = self.block::<3>(model, data, a, b);
                    store(&mut self.inverse, n, a, b, &block);
                } else {
                    let block = self.block::<6>(model, data, a, b);
                    store(&mut self.inverse, n, a, b, &block);
                }
            }
        }
        &self.inverse
    }

    /// What [`inverse_inertia`](OperationalSpace::inverse_inertia) computed last.
    pub fn last_inverse_inertia(&self) -> &[f64] {
        &self.inverse
    }

    /// The columns `Y = L⁻ᵀ Jᵀ` of what `row` belongs to: its first row, the degrees of freedom from the root to it, and its
    /// rows (up to six, then zeros) at each of them.
    ///
    /// They make a solver's work proportional to the depth of a body: with `D⁻¹` of [`Data::inverse_diagonal`], the velocity
    /// of the rows is `Yᵀ D⁻¹ x`, and impulses `p` on them add `Y p` to `x`.
    ///
    /// ```
    /// use sinew_dynamics::spatial::Vec3;
    /// use sinew_dynamics::{BodyId, Data, OperationalSpace, characters, factored_mass_matrix};
    /// let human = characters::load("human")?;
    /// let mut data = Data::new(&human);
    /// factored_mass_matrix(&human, &mut data, &human.neutral())?;
    /// let mut space = OperationalSpace::default();
    /// let row = space.add_point(&human, &data, BodyId(0), &Vec3::zeros());
    /// let (first, path, columns) = space.columns_of(&human, row);
    /// assert_eq!((first, path.len(), columns.len()), (row, 6, 6)); // the root alone moves it
    /// let inverse: f64 = (0..6).map(|k| columns[k][0] * columns[k][0] * data.inverse_diagonal()[path[k]]).sum();
    /// assert!((inverse - space.inverse_inertia(&human, &data)[0]).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such row.
    pub fn columns_of<'a>(&'a self, model: &'a Model, row: usize) -> (usize, &'a [usize], &'a [[f64; 6]]) {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        let g = &self.groups[self.groups.partition_point(|g| g.first_row <= row) - 1];
        let path = g.end.map_or(&[] as &[usize], |dof| model.path(dof));
        (g.first_row, path, &self.columns[g.start..g.start + path.len()])
    }

    /// The block of `J M⁻¹ Jᵀ` between two groups.
    #[inline(always)]
    fn block<const R: usize>(&self, model: &Model, data: &Data, a: &Group, b: &Group) -> [[f64; R]; R] {
        let mut block = [[0.0; R]; R];
        let (Some(end_a), Some(end_b)) = (a.end, b.end) else { return block };
        let (path_a, path_b) = (model.path(end_a), model.path(end_b));
        let columns = self.columns[a.start..].iter().zip(&self.columns[b.start..]);
        for ((i, j), (x, y)) in path_a.iter().zip(path_b).zip(columns) {
            if i != j {
                break;
            }
            let d = data.inverse_diagonal[*i];
            for r in 0..R {
                let s = x[r] * d;
                for c in 0..R {
                    block[r][c] += s * y[c];
                }
            }
        }
        block
    }

    /// Adds to `out` the velocities of all rows, for generalised momentum `x` that went through
    /// [`Data::half_solve_mass_matrix`].
    ///
    /// # Panics
    /// If the slices do not have `nv` numbers and one per row.
    pub fn add_velocities(&self, model: &Model, data: &Data, x: &[f64], out: &mut [f64]) {
        assert_eq!((x.len(), out.len()), (model.nv(), self.rows), "x, out");
        for g in &self.groups {
            let out = &mut out[g.first_row..g.first_row + g.rows];
            let Some(end) = g.end else { continue };
            for (y, &j) in self.columns[g.start..].iter().zip(model.path(end)) {
                let s = data.inverse_diagonal[j] * x[j];
                for (o, y) in out.iter_mut().zip(y) {
                    *o += y * s;
                }
            }
        }
    }

    /// Adds to the half-solved generalised momentum `x` impulses on all rows.
    ///
    /// ```
    /// use sinew_dynamics::spatial::Vec3;
    /// use sinew_dynamics::{BodyId, Data, OperationalSpace, characters, factored_mass_matrix};
    /// let human = characters::load("human")?;
    /// let mut data = Data::new(&human);
    /// factored_mass_matrix(&human, &mut data, &human.neutral())?;
    /// let mut space = OperationalSpace::default();
    /// space.add_point(&human, &data, BodyId(0), &Vec3::zeros());
    ///
    /// // a blow of 10 N·s on the body at rest
    /// let mut v = vec![0.0; human.nv()];
    /// data.half_solve_mass_matrix(&human, &mut v);
    /// space.add_impulses(&human, &[10.0, 0.0, 0.0], &mut v);
    /// data.finish_solve_mass_matrix(&human, &mut v);
    /// assert!(v[0] != 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the slices do not have one number per row and `nv`.
    pub fn add_impulses(&self, model: &Model, impulses: &[f64], x: &mut [f64]) {
        assert_eq!((impulses.len(), x.len()), (self.rows, model.nv()), "impulses, x");
        for g in &self.groups {
            let p = &impulses[g.first_row..g.first_row + g.rows];
            let Some(end) = g.end else { continue };
            for (y, &j) in self.columns[g.start..].iter().zip(model.path(end)) {
                x[j] += y.iter().zip(p).map(|(y, p)| y * p).sum::<f64>();
            }
        }
    }
}

/// Writes a block and its mirror image.
#[inline(always)]
fn store<const R: usize>(out: &mut [f64], n: usize, a: &Group, b: &Group, block: &[[f64; R]; R]) {
    for r in 0..a.rows {
        for c in 0..b.rows {
            out[(a.first_row + r) * n + b.first_row + c] = block[r][c];
            out[(b.first_row + c) * n + a.first_row + r] = block[r][c];
        }
    }
}

/// `Y = L⁻ᵀ Jᵀ` in place on one path, for `R` rows.
#[inline(always)]
fn inward<const R: usize>(model: &Model, data: &Data, path: &[usize], y: &mut [Rows]) {
    let starts = model.row_starts();
    for t in (1..path.len()).rev() {
        let (above, here) = y.split_at_mut(t);
        let b = &here[0];
        for (x, l) in above.iter_mut().zip(&data.factor[starts[path[t]]..]) {
            for r in 0..R {
                x[r] -= l * b[r];
            }
        }
    }
}
