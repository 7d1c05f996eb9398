//! Solves with the factored mass matrix for many right-hand sides at once.
//!
//! Columns are taken [`LANES`] at a time, interleaved, and the rows of one joint together: an entry of the factor is used
//! for a whole lane, an entry of the solution for all degrees of freedom of a joint.
//!
//! Work that is known beforehand is left out. Right-hand sides with the tree's sparsity are zero outside the path and the
//! subtree of their joint, so the sweep inwards visits only those; three columns of `∂τ/∂q` go together with the same
//! three of `∂τ/∂v`, which have the same zeros. Nothing depends on where a free root is, nor on its linear velocity: those
//! columns stay zero. The inverse is symmetric: rows before a column are copied from earlier columns, not computed.

use crate::model::{Link, LinkKind, Model};

/// Columns that are solved at once.
pub(crate) const LANES: usize = 6;
/// Columns of each derivative among them.
pub(crate) const HALF: usize = LANES / 2;

/// One entry of [`LANES`] columns; aligned so that pairs of them can be operands in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(16))]
pub(crate) struct Lane(pub(crate) [f64; LANES]);

/// An entry of the factor, twice: it multiplies pairs of a lane without being spread first.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(crate) struct Twice([f64; 2]);

impl Twice {
    #[inline(always)]
    pub(crate) fn new(x: f64) -> Twice {
        Twice([x, x])
    }
}

impl Lane {
    /// `self − l y`.
    #[inline(always)]
    pub(crate) fn subtract(&mut self, l: &Twice, y: &Lane) {
        for c in 0..LANES {
            self.0[c] -= l.0[c % 2] * y.0[c];
        }
    }

    /// All entries times `l`.
    #[inline(always)]
    pub(crate) fn scaled(&self, l: &Twice) -> Lane {
        Lane(core::array::from_fn(|c| self.0[c] * l.0[c % 2]))
    }
}

/// The factor `L, D` of the mass matrix, laid out for sweeps joint by joint, and the sweeps.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// For each link its own lower triangle row by row, then the entries of its rows for every degree of freedom on its
    /// path. A link takes the same space as in tree-packed rows.
    l: Vec<Twice>,
    /// `−D⁻¹`: derivatives of forward dynamics are `−M⁻¹` times those of inverse dynamics.
    minus_inverse_diagonal: Vec<Twice>,
    /// Columns of derivatives that are solved together, and of the inverse.
    derivatives: Vec<Columns>,
    inverse: Vec<Columns>,
}

/// Columns that are solved together.
#[derive(Clone, Debug)]
struct Columns {
    first: usize,
    end: usize,
    /// Links with rows that are not zero on the way inwards, leaves first.
    links: Vec<usize>,
}

impl Columns {
    /// All columns from `first` on, `width` at a time; they are not zero in rows of joints that are `related` to theirs.
    fn split(
        model: &Model,
        first: usize,
        width: usize,
        related: impl Fn(&Link, &Link) -> bool,
    ) -> Vec<Columns> {
        let columns = |first: usize| {
            let end = (first + width).min(model.nv());
            let theirs = |l: &&Link| l.v < end && l.v + l.nv > first;
            let near = |i: &usize| model.links.iter().filter(theirs).any(|l| related(&model.links[*i], l));
            Columns { first, end, links: (0..model.links.len()).rev().filter(near).collect() }
        };
        (first..model.nv()).step_by(width).map(columns).collect()
    }
}

impl Blocks {
    pub(crate) fn new(model: &Model) -> Blocks {
        let carries = |a: &Link, b: &Link| model.path(b.v).contains(&a.v);
        // nothing depends on where a free root is, nor on its linear velocity
        let first = match model.links.first() {
            Some(root) if root.kind == LinkKind::Free => 3,
            _ => 0,
        };
        Blocks {
            l: vec![Twice::default(); model.packed],
            minus_inverse_diagonal: vec![Twice::default(); model.nv()],
            derivatives: Columns::split(model, first, HALF, |a, b| carries(a, b) || carries(b, a)),
            inverse: Columns::split(model, 0, LANES, carries),
        }
    }

    /// Copies a factor from tree-packed rows.
    pub(crate) fn regroup(&mut self, model: &Model, packed: &[f64], inverse_diagonal: &[f64]) {
        for link in &model.links {
            let (n, depth) = (link.nv, link.depth);
            let (own, on_path) =
                self.l[link.row..][..n * depth + n * (n + 1) / 2].split_at_mut(n * (n + 1) / 2);
            for k in 0..n {
                let row = packed[link.row_start(k)..][..depth + k + 1].split_at(depth);
                row.0.iter().enumerate().for_each(|(t, x)| on_path[t * n + k] = Twice::new(*x));
                own[k * (k + 1) / 2..].iter_mut().zip(row.1).for_each(|(to, x)| *to = Twice::new(*x));
            }
        }
        for (to, x) in self.minus_inverse_diagonal.iter_mut().zip(inverse_diagonal) {
            *to = Twice::new(-*x);
        }
    }

    /// A joint's part: its own lower triangle of `T` entries, and per degree of freedom on its path the index of that and
    /// the entries of the joint's `N` rows.
    #[inline(always)]
    fn of<'a, const N: usize, const T: usize>(
        &'a self,
        model: &'a Model,
        link: &Link,
    ) -> (&'a [Twice; T], impl Iterator<Item = (usize, &'a [Twice; N])>) {
        let (own, rest) = self.l[link.row..].split_first_chunk().expect("T entries");
        let path = &model.path(link.v)[..link.depth];
        (own, path.iter().copied().zip(rest.as_chunks().0))
    }

    /// `−D⁻¹ L⁻ᵀ` on the rows of one joint.
    #[inline(always)]
    fn inward(&self, model: &Model, link: &Link, x: &mut [Lane]) {
        match link.nv {
            1 => self.inward_of::<1, 1>(model, link, x),
            3 => self.inward_of::<3, 6>(model, link, x),
            _ => self.inward_of::<6, 21>(model, link, x),
        }
    }

    /// `L⁻¹` on the rows of one joint.
    #[inline(always)]
    fn outward(&self, model: &Model, link: &Link, x: &mut [Lane]) {
        match link.nv {
            1 => self.outward_of::<1, 1>(model, link, x),
            3 => self.outward_of::<3, 6>(model, link, x),
            _ => self.outward_of::<6, 21>(model, link, x),
        }
    }

    #[inline(always)]
    fn inward_of<const N: usize, const T: usize>(&self, model: &Model, link: &Link, x: &mut [Lane]) {
        let (above, rows) = x.split_at_mut(link.v);
        let rows: &mut [Lane; N] = rows.first_chunk_mut().expect("rows of the joint");
        let mut b = *rows;
        let (own, on_path) = self.of::<N, T>(model, link);
        for k in (1..N).rev() {
            let y = b[k];
            for c in 0..k {
                b[c].subtract(&own[k * (k + 1) / 2 + c], &y);
            }
        }
        for (j, l) in on_path {
            let mut y = above[j];
            for k in 0..N {
                y.subtract(&l[k], &b[k]);
            }
            above[j] = y;
        }
        let minus_inverse_diagonal = &self.minus_inverse_diagonal[link.v..link.v + N];
        for k in 0..N {
            rows[k] = b[k].scaled(&minus_inverse_diagonal[k]);
        }
    }

    #[inline(always)]
    fn outward_of<const N: usize, const T: usize>(&self, model: &Model, link: &Link, x: &mut [Lane]) {
        let (above, rows) = x.split_at_mut(link.v);
        let rows: &mut [Lane; N] = rows.first_chunk_mut().expect("rows of the joint");
        let mut b = *rows;
        let (own, on_path) = self.of::<N, T>(model, link);
        for (j, l) in on_path {
            let y = above[j];
            for k in 0..N {
                b[k].subtract(&l[k], &y);
            }
        }
        for k in 1..N {
            for c in 0..k {
                let y = b[c];
                b[k].subtract(&own[k * (k + 1) / 2 + c], &y);
            }
        }
        *rows = b;
    }

    /// `−M⁻¹ b` for all columns `b` of the two derivatives in `from`, which are dense matrices with the tree's sparsity.
    ///
    /// Half-way, when the first half of the lanes holds `−D⁻¹ L⁻ᵀ b` for the columns of one from `first` on, the other
    /// half for those of the other, `between(first, lanes)` may change them. Columns that are zero are not written.
    pub(crate) fn solve_derivatives(
        &self,
        model: &Model,
        lanes: &mut [Lane],
        from: [&[f64]; 2],
        to: [&mut [f64]; 2],
        mut between: impl FnMut(usize, &mut [Lane]),
    ) {
        let nv = model.nv();
        let [to_q, to_v] = to;
        for Columns { first, end, links } in &self.derivatives {
            let columns = first * nv..end * nv;
            load(from.map(|m| &m[columns.clone()]), lanes);
            links.iter().for_each(|i| self.inward(model, &model.links[*i], lanes));
            between(*first, lanes);
            model.links.iter().for_each(|link| self.outward(model, link, lanes));
            store(lanes, [&mut to_q[columns.clone()], &mut to_v[columns]]);
        }
    }

    /// Computes `M⁻¹`, both triangles.
    ///
    /// Half-way, when the lanes hold `D⁻¹ L⁻ᵀ` of the columns from `first` on, `between(first, lanes)` may change them,
    /// if the result stays symmetric.
    pub(crate) fn invert(
        &self,
        model: &Model,
        lanes: &mut [Lane],
        inverse: &mut [f64],
        mut between: Option<impl FnMut(usize, &mut [Lane])>,
    ) {
        let nv = model.nv();
        for Columns { first, end, links } in &self.inverse {
            let (first, end) = (*first, *end);
            lanes.fill(Lane::default());
            for (c, lane) in lanes[first..end].iter_mut().enumerate() {
                lane.0[c] = -1.0;
            }
            // rows of joints before these columns are in earlier columns, and of use only half-way
            let done = model.links.iter().take_while(|l| l.v + l.nv <= first).count();
            let used = if between.is_some() { 0 } else { done };
            for i in links.iter().take_while(|i| **i >= used) {
                self.inward(model, &model.links[*i], lanes);
            }
            if let Some(between) = &mut between {
                between(first, lanes);
            }
            let known = model.links.get(done).map_or(0, |l| l.v);
            for (lane, column) in lanes[..known].iter_mut().zip(inverse.chunks_exact(nv)) {
                lane.0[..end - first].copy_from_slice(&column[first..end]);
            }
            model.links[done..].iter().for_each(|link| self.outward(model, link, lanes));
            let (_, columns) = inverse.split_at_mut(first * nv);
            let (here, after) = columns.split_at_mut((end - first) * nv);
            for (c, column) in here.chunks_exact_mut(nv).enumerate() {
                lanes[first..].iter().zip(&mut column[first..]).for_each(|(lane, x)| *x = lane.0[c]);
            }
            for (lane, column) in lanes[end..].iter().zip(after.chunks_exact_mut(nv)) {
                column[first..end].copy_from_slice(&lane.0[..end - first]);
            }
        }
    }
}

/// Interleaves columns of two matrices; lanes without a column are zero.
#[inline(always)]
fn load(columns: [&[f64]; 2], lanes: &mut [Lane]) {
    let nv = lanes.len();
    if columns[0].len() < HALF * nv {
        lanes.fill(Lane::default());
        for (m, columns) in columns.iter().enumerate() {
            for (c, column) in columns.chunks_exact(nv).enumerate() {
                lanes.iter_mut().zip(column).for_each(|(lane, x)| lane.0[m * HALF + c] = *x);
            }
        }
        return;
    }
    let columns: [&[f64]; LANES] = core::array::from_fn(|c| &columns[c / HALF][c % HALF * nv..][..nv]);
    for (k, lane) in lanes.iter_mut().enumerate() {
        lane.0 = columns.map(|x| x[k]);
    }
}

/// The reverse of [`load`].
#[inline(always)]
fn store(lanes: &[Lane], columns: [&mut [f64]; 2]) {
    for (m, columns) in columns.into_iter().enumerate() {
        for (c, column) in columns.chunks_exact_mut(lanes.len()).enumerate() {
            lanes.iter().zip(column).for_each(|(lane, x)| *x = lane.0[m * HALF + c]);
        }
    }
}
