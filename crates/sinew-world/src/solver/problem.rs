//! The data of one step's problem.
//!
//! The solver works in coordinates in which every actor is a unit mass. With the factor `M = Lᵀ D L` of the mass matrix,
//! `w = D^½ L Δv` holds all that the step's forces and impulses add to the velocities, and its square is twice their
//! kinetic energy. A constraint on rows `J` becomes `Z = D^-½ L⁻ᵀ Jᵀ`: impulses `p` add `Z p` to `w`, and change the
//! velocity of a constraint by `Zᵀ` of that. `Z` is non-zero only on the path from the body to the root, a dozen entries,
//! so nothing here costs more than a walk along a limb, however many constraints there are; `J M⁻¹ Jᵀ = ZᵀZ` is never
//! formed beyond each constraint's own block.

use super::islands::Item;
use super::law::Law;
use crate::actor::Actor;
use sinew_dynamics::spatial::{Mat3, Vec3};
use sinew_dynamics::{Model, OperationalSpace};

/// The data of one actor in the problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) space: OperationalSpace,
    /// Velocities of the rows at the beginning of the step.
    pub(crate) velocity: Vec<f64>,
    /// The actor's torque law, if it has one.
    pub(crate) law: Law,
}

/// Three rows of a side: a point's velocity, or a body's angular velocity, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) side: usize,
    pub(crate) row: usize,
}

/// The two sides of a constraint: one end and the ground, or two ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) a: End,
    pub(crate) b: Option<End>,
}

/// Where a constraint's columns of `Z` are stored.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chain {
    start: u32,
    end: u32,
}

impl Chain {
    #[inline(always)]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A contact between an actor's body and terrain, a platform or another body.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) pair: Pair,
    /// Columns: normal towards `a`, and two tangents.
    pub(crate) frame: Mat3,
    pub(crate) mu: f64,
    /// Velocity of the ground, in the frame; the normal part holds what is wanted besides.
    pub(crate) bias: Vec3,
    /// Impulse on `a`, in the frame.
    pub(crate) impulse: Vec3,
    pub(crate) own: Own,
}

/// Data that [`Problem::prepare`] computes for a contact or tie.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Own {
    pub(crate) chain: Chain,
    /// Change of velocity in this step that is wanted, in the frame.
    pub(crate) wanted: Vec3,
    /// Inverse inertia in the frame, compliance included, and its inverse.
    pub(crate) matrix: Mat3,
    pub(crate) inverse: Mat3,
    /// Compliance: velocity that an impulse costs.
    pub(crate) soft: f64,
}

/// A scalar row with bounds on its impulse: a joint's limit or dry friction.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pub(crate) side: usize,
    /// Rows (of degrees of freedom) and weights.
    pub(crate) rows: [(usize, f64); 3],
    /// The same by degree of freedom.
    pub(crate) dofs: [(usize, f64); 3],
    /// Where its impulse is remembered: degree of freedom, and lower limit, upper limit or dry friction.
    pub(crate) memory: (usize, usize),
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) bias: f64,
    pub(crate) impulse: f64,
    pub(crate) own: OwnRow,
}

/// Data that [`Problem::prepare`] computes for a bounded row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OwnRow {
    pub(crate) chain: Chain,
    pub(crate) wanted: f64,
    /// Inertia, compliance included.
    pub(crate) inverse: f64,
    pub(crate) soft: f64,
}

/// Three rows that keep a given velocity: the points of a grip, or the orientations of a weld.
#[derive(Clone, Debug)]
pub(crate) struct Tie {
    pub(crate) pair: Pair,
    pub(crate) bias: Vec3,
    pub(crate) impulse: Vec3,
    pub(crate) own: Own,
}

/// All constraints of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) sides: Vec<Side>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) bounded: Vec<Bounded>,
    pub(crate) ties: Vec<Tie>,
    /// Whether rows have their velocities without impulses.
    pub(crate) has_rows: bool,
    /// First degree of freedom of each side among those of all, and their number.
    pub(crate) first: Vec<usize>,
    /// `D^-½` of all sides.
    scale: Vec<f64>,
    /// `w` without impulses, and with them.
    pub(crate) free: Vec<f64>,
    pub(crate) w: Vec<f64>,
    /// Columns of contacts and ties: degrees of freedom (ascending in a chain) and three rows each.
    dofs: Vec<u32>,
    columns: Vec<[f64; 3]>,
    /// Columns of bounded rows.
    row_dofs: Vec<u32>,
    row_columns: Vec<f64>,
}

/// Compliance of each constraint as a share of its own inverse inertia: it determines how redundant constraints share a load.
/// Under a body's weight it gives way by about 1e-10 m/s.
pub(crate) const SOFTNESS: f64 = 1e-8;

/// Contacts per actor for which memory is reserved from the start.
pub(crate) const CONTACTS: usize = 64;

impl Problem {
    /// Reserves memory for one more actor with some contacts; further contacts make the buffers grow.
    pub(crate) fn reserve(&mut self, model: &Model) {
        let (nv, rows) = (model.nv(), CONTACTS * model.nv());
        self.sides.push(Side { space: OperationalSpace::with_room(model, CONTACTS + nv), ..Side::default() });
        if let Some(side) = self.sides.last_mut() {
            side.velocity.reserve(3 * (CONTACTS + nv));
        }
        self.contacts.reserve(CONTACTS);
        self.bounded.reserve(2 * nv);
        self.first.reserve(self.sides.len() + 1);
        [&mut self.scale, &mut self.free, &mut self.w]
            .into_iter()
            .for_each(|x| x.reserve(self.first.capacity() * nv));
        self.dofs.reserve(rows);
        self.columns.reserve(rows);
        self.row_dofs.reserve(2 * nv * nv);
        self.row_columns.reserve(2 * nv * nv);
    }

    /// Removes all constraints.
    pub(crate) fn clear(&mut self) {
        self.has_rows = false;
        self.contacts.clear();
        self.bounded.clear();
        self.ties.clear();
        for side in &mut self.sides {
            side.space.clear();
            side.velocity.clear();
        }
        self.free.clear();
        self.w.clear();
    }

    /// Clears the warm start.
    pub(crate) fn forget(&mut self) {
        self.contacts.iter_mut().for_each(|c| c.impulse = Vec3::zeros());
        self.bounded.iter_mut().for_each(|b| b.impulse = 0.0);
        self.ties.iter_mut().for_each(|t| t.impulse = Vec3::zeros());
    }

    /// For solvers that work on rows: gives them their velocities without impulses, and the inverse inertia between them, unless they
    /// have them.
    pub(crate) fn prepare_rows(&mut self, actors: &[Actor]) {
        if std::mem::replace(&mut self.has_rows, true) {
            return;
        }
        for (actor, side) in actors.iter().zip(&mut self.sides) {
            let Side { space, velocity, .. } = side;
            space.inverse_inertia(&actor.model, &actor.data);
            space.add_velocities(&actor.model, &actor.data, &actor.work.momentum, velocity);
        }
    }

    /// Whether nothing acts.
    pub(crate) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.bounded.is_empty() && self.ties.is_empty()
    }

    /// Takes another momentum of a side, half solved, with the impulses as they are.
    pub(crate) fn set_free(&mut self, side: usize, momentum: &[f64]) {
        let all = self.first[side]..self.first[side + 1];
        let Problem { free, w, scale, .. } = self;
        let both = free[all.clone()].iter_mut().zip(&mut w[all.clone()]);
        for (((free, w), s), x) in both.zip(&scale[all]).zip(momentum) {
            *w += x * s - *free;
            *free = x * s;
        }
    }

    /// Completes all constraints and applies their starting impulses. The actors hold their half-solved momentum.
    pub(crate) fn prepare(&mut self, actors: &[Actor]) {
        self.first.clear();
        self.scale.clear();
        self.free.clear();
        for actor in actors {
            self.first.push(self.scale.len());
            self.scale.extend(actor.data.inverse_diagonal().iter().map(|d| d.sqrt()));
            let scale = &self.scale[self.free.len()..];
            self.free.extend(actor.work.momentum.iter().zip(scale).map(|(x, s)| x * s));
        }
        self.first.push(self.scale.len());
        self.w.clone_from(&self.free);
        self.dofs.clear();
        self.columns.clear();
        self.row_dofs.clear();
        self.row_columns.clear();
        for k in 0..self.ties.len() {
            let Tie { pair, bias, impulse, .. } = self.ties[k];
            let own = self.own(actors, &pair, None, &bias);
            self.push(own.chain, &impulse);
            self.ties[k].own = own;
        }
        for k in 0..self.bounded.len() {
            let own = self.own_row(actors, k);
            self.push_row(own.chain, self.bounded[k].impulse);
            self.bounded[k].own = own;
        }
        for k in 0..self.contacts.len() {
            let Contact { pair, frame, bias, impulse, .. } = self.contacts[k];
            let own = self.own(actors, &pair, Some(&frame), &bias);
            self.push(own.chain, &impulse);
            self.contacts[k].own = own;
        }
    }

    /// Columns, inertia and wanted velocity of a pair, in a frame.
    fn own(&mut self, actors: &[Actor], pair: &Pair, frame: Option<&Mat3>, bias: &Vec3) -> Own {
        let turn = |x: Vec3| frame.map_or(x, |f| f.tr_mul(&x));
        let start = self.dofs.len();
        let mut moving = self.at(&pair.a);
        match &pair.b {
            None => self.add_end(actors, &pair.a, 1.0, 0),
            Some(b) => {
                moving -= self.at(b);
                self.add_ends(actors, &pair.a, b);
            }
        }
        for column in &mut self.columns[start..] {
            *column = turn(Vec3::from(*column)).into();
        }
        let mut m = [0.0; 6];
        for [x, y, z] in &self.columns[start..] {
            m[0] += x * x;
            m[1] += x * y;
            m[2] += x * z;
            m[3] += y * y;
            m[4] += y * z;
            m[5] += z * z;
        }
        let soft = SOFTNESS * (m[0] + m[3] + m[5]) / 3.0;
        let matrix = Mat3::new(m[0] + soft, m[1], m[2], m[1], m[3] + soft, m[4], m[2], m[4], m[5] + soft);
        let chain = Chain { start: start as u32, end: self.dofs.len() as u32 };
        let inverse = matrix.try_inverse().unwrap_or_else(Mat3::zeros);
        Own { chain, wanted: bias - turn(moving), matrix, inverse, soft }
    }

    /// Columns of both ends, the second with opposite sign.
    fn add_ends(&mut self, actors: &[Actor], a: &End, b: &End) {
        if a.side != b.side {
            // in order of the degrees of freedom
            let ends = if a.side < b.side { [(a, 1.0), (b, -1.0)] } else { [(b, -1.0), (a, 1.0)] };
            ends.into_iter().for_each(|(end, sign)| self.add_end(actors, end, sign, 0));
            return;
        }
        // the paths share their beginning; then the branch of lower numbers comes first
        let (model, space) = (&*actors[a.side].model, &self.sides[a.side].space);
        let (first_a, path_a, columns_a) = space.columns_of(model, a.row);
        let (first_b, path_b, columns_b) = space.columns_of(model, b.row);
        let shared = path_a.iter().zip(path_b).take_while(|(i, j)| i == j).count();
        let (from_a, from_b) = (a.row - first_a, b.row - first_b);
        let offset = self.first[a.side];
        for (k, dof) in path_a[..shared].iter().enumerate() {
            let scale = self.scale[offset + dof];
            let column = [0, 1, 2].map(|r| scale * (columns_a[k][from_a + r] - columns_b[k][from_b + r]));
            self.dofs.push((offset + dof) as u32);
            self.columns.push(column);
        }
        let a_first = path_a.get(shared).is_none_or(|i| path_b.get(shared).is_none_or(|j| i < j));
        let ends = if a_first { [(a, 1.0), (b, -1.0)] } else { [(b, -1.0), (a, 1.0)] };
        ends.into_iter().for_each(|(end, sign)| self.add_end(actors, end, sign, shared));
    }

    /// Columns of one end, without the first `skip`.
    fn add_end(&mut self, actors: &[Actor], end: &End, sign: f64, skip: usize) {
        let Problem { sides, first, scale, dofs, columns, .. } = self;
        let offset = first[end.side];
        let (row, path, of) = sides[end.side].space.columns_of(&actors[end.side].model, end.row);
        let from = end.row - row;
        for (dof, y) in path.iter().zip(of).skip(skip) {
            let s = sign * scale[offset + dof];
            dofs.push((offset + dof) as u32);
            columns.push([y[from] * s, y[from + 1] * s, y[from + 2] * s]);
        }
    }

    /// Columns, inertia and wanted velocity of a bounded row.
    fn own_row(&mut self, actors: &[Actor], k: usize) -> OwnRow {
        let Problem { sides, first, scale, row_dofs, row_columns, bounded, .. } = self;
        let b = &bounded[k];
        let (model, side, offset) = (&*actors[b.side].model, &sides[b.side], first[b.side]);
        let start = row_dofs.len();
        // rows of one joint: the path of the last holds all
        let mut moving = 0.0;
        for (row, weight) in b.rows.into_iter().filter(|(_, weight)| *weight != 0.0) {
            moving += weight * side.velocity[row];
            let (_, path, columns) = side.space.columns_of(model, row);
            for (i, (dof, y)) in path.iter().zip(columns).enumerate() {
                let z = weight * y[0] * scale[offset + dof];
                match row_columns.get_mut(start + i) {
                    Some(sum) => *sum += z,
                    None => {
                        row_dofs.push((offset + dof) as u32);
                        row_columns.push(z);
                    }
                }
            }
        }
        let own: f64 = row_columns[start..].iter().map(|z| z * z).sum();
        let soft = SOFTNESS * own;
        let chain = Chain { start: start as u32, end: row_dofs.len() as u32 };
        OwnRow { chain, wanted: b.bias - moving, inverse: 1.0 / (own + soft).max(f64::MIN_POSITIVE), soft }
    }

    /// Velocity of an end at the beginning of the step.
    fn at(&self, end: &End) -> Vec3 {
        let u = &self.sides[end.side].velocity[end.row..end.row + 3];
        Vec3::new(u[0], u[1], u[2])
    }

    /// `Zᵀ w` of a contact or tie.
    #[inline(always)]
    pub(crate) fn velocity(&self, chain: Chain) -> Vec3 {
        self.velocity_in(chain, &self.w)
    }

    /// `Zᵀ x` of a contact or tie.
    #[inline(always)]
    pub(crate) fn velocity_in(&self, chain: Chain, x: &[f64]) -> Vec3 {
        let mut sum = [0.0; 3];
        for (dof, z) in self.chain(chain) {
            let x = x[*dof as usize];
            for r in 0..3 {
                sum[r] += z[r] * x;
            }
        }
        Vec3::from(sum)
    }

    /// `Zᵀ x` of a bounded row.
    #[inline(always)]
    pub(crate) fn row_velocity_in(&self, chain: Chain, x: &[f64]) -> f64 {
        self.row_chain(chain).map(|(dof, z)| z * x[*dof as usize]).sum()
    }

    /// Degrees of freedom and columns of a contact or tie.
    #[inline(always)]
    pub(crate) fn chain(&self, chain: Chain) -> impl ExactSizeIterator<Item = (&u32, &[f64; 3])> + Clone {
        self.dofs[chain.range()].iter().zip(&self.columns[chain.range()])
    }

    /// Degrees of freedom and columns of a bounded row.
    #[inline(always)]
    pub(crate) fn row_chain(&self, chain: Chain) -> impl ExactSizeIterator<Item = (&u32, &f64)> + Clone {
        self.row_dofs[chain.range()].iter().zip(&self.row_columns[chain.range()])
    }

    /// Visits the degrees of freedom that a constraint moves.
    pub(crate) fn dofs_of(&self, item: Item, visit: impl FnMut(usize)) {
        let dofs = match item {
            Item::Tie(k) => &self.dofs[self.ties[k].own.chain.range()],
            Item::Bounded(k) => &self.row_dofs[self.bounded[k].own.chain.range()],
            Item::Contact(k) => &self.dofs[self.contacts[k].own.chain.range()],
        };
        dofs.iter().map(|dof| *dof as usize).for_each(visit);
    }

    /// Applies an impulse to a contact or tie.
    #[inline(always)]
    pub(crate) fn push(&mut self, chain: Chain, p: &Vec3) {
        let Problem { dofs, columns, w, .. } = self;
        for (dof, z) in dofs[chain.range()].iter().zip(&columns[chain.range()]) {
            w[*dof as usize] += z[0] * p.x + z[1] * p.y + z[2] * p.z;
        }
    }

    /// Applies an impulse to a bounded row.
    #[inline(always)]
    pub(crate) fn push_row(&mut self, chain: Chain, p: f64) {
        if p != 0.0 {
            let Problem { row_dofs, row_columns, w, .. } = self;
            for (dof, z) in row_dofs[chain.range()].iter().zip(&row_columns[chain.range()]) {
                w[*dof as usize] += z * p;
            }
        }
    }

    /// Computes `w` anew from the impulses: sweeps leave rounding errors in it.
    pub(crate) fn refresh(&mut self) {
        self.w.copy_from_slice(&self.free);
        for k in 0..self.ties.len() {
            let (chain, p) = (self.ties[k].own.chain, self.ties[k].impulse);
            self.push(chain, &p);
        }
        for k in 0..self.bounded.len() {
            self.push_row(self.bounded[k].own.chain, self.bounded[k].impulse);
        }
        for k in 0..self.contacts.len() {
            let (chain, p) = (self.contacts[k].own.chain, self.contacts[k].impulse);
            self.push(chain, &p);
        }
    }

    /// Adds the impulses to the half-solved momentum of a side.
    pub(crate) fn add_impulses(&self, side: usize, out: &mut [f64]) {
        // without constraints there are none
        if self.w.is_empty() {
            return;
        }
        let all = self.first[side]..self.first[side + 1];
        let impulses = self.w[all.clone()].iter().zip(&self.free[all.clone()]).map(|(w, free)| w - free);
        for ((x, w), s) in out.iter_mut().zip(impulses).zip(&self.scale[all]) {
            *x += w / s;
        }
    }
}
