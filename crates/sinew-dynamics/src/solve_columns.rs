//! Solves with the factored mass matrix for many right-hand sides at once.
//!
//! Columns are taken [`LANES`] at a time, interleaved, and the rows of one joint together: an entry of the factor is used
//! for a whole lane, an entry of the solution for all degrees of freedom of a joint. Rows that are still zero on the way
//! inwards, as they are for right-hand sides with the tree's sparsity, are passed over.

use crate::model::{Link, Model};

/// Columns that are solved at once.
pub(crate) const LANES: usize = 6;

/// One entry of [`LANES`] columns.
pub(crate) type Lane = [f64; LANES];

/// `x ← x − l y`.
#[inline(always)]
pub(crate) fn subtract(x: &mut Lane, l: f64, y: &Lane) {
    for c in 0..LANES {
        x[c] -= l * y[c];
    }
}

/// Overwrites each column `b` of a dense matrix by `sign · M⁻¹ b`.
///
/// `blocks` is the factor as [`regroup`] lays it out.
///
/// Half-way, when the lanes hold `sign · D⁻¹ L⁻ᵀ b` of the columns from `first` on, `between(first, lanes)` may change them.
pub(crate) fn solve_columns(
    model: &Model,
    blocks: &[f64],
    inverse_diagonal: &[f64],
    lanes: &mut [Lane],
    sign: f64,
    columns: &mut [f64],
    mut between: impl FnMut(usize, &mut [Lane]),
) {
    let nv = model.nv();
    for (nth, block) in columns.chunks_mut(LANES * nv.max(1)).enumerate() {
        load(block, lanes);
        for link in model.links.iter().rev() {
            match link.nv {
                1 => inward::<1>(model, link, blocks, inverse_diagonal, lanes, sign),
                3 => inward::<3>(model, link, blocks, inverse_diagonal, lanes, sign),
                _ => inward::<6>(model, link, blocks, inverse_diagonal, lanes, sign),
            }
        }
        between(nth * LANES, lanes);
        for link in &model.links {
            match link.nv {
                1 => outward::<1>(model, link, blocks, lanes),
                3 => outward::<3>(model, link, blocks, lanes),
                _ => outward::<6>(model, link, blocks, lanes),
            }
        }
        store(lanes, block);
    }
}

/// Copies tree-packed rows so that the rows of one joint lie side by side: for each degree of freedom on the path its
/// entry in every row of the joint, then the joint's own lower triangle row by row. The space of a link is the same.
pub(crate) fn regroup(model: &Model, packed: &[f64], blocks: &mut [f64]) {
    for link in &model.links {
        let (n, depth) = (link.nv, link.depth);
        let mut own = link.row + n * depth;
        for k in 0..n {
            let row = &packed[link.row_start(k)..][..depth + k + 1];
            for (t, x) in row[..depth].iter().enumerate() {
                blocks[link.row + t * n + k] = *x;
            }
            blocks[own..own + k + 1].copy_from_slice(&row[depth..]);
            own += k + 1;
        }
    }
}

/// Interleaves columns; lanes beyond the last column are zero.
fn load(block: &[f64], lanes: &mut [Lane]) {
    let nv = lanes.len();
    if block.len() < LANES * nv {
        lanes.fill([0.0; LANES]);
        for (c, column) in block.chunks_exact(nv).enumerate() {
            lanes.iter_mut().zip(column).for_each(|(lane, x)| lane[c] = *x);
        }
        return;
    }
    let columns: [&[f64]; LANES] = core::array::from_fn(|c| &block[c * nv..(c + 1) * nv]);
    for (k, lane) in lanes.iter_mut().enumerate() {
        *lane = columns.map(|x| x[k]);
    }
}

fn store(lanes: &[Lane], block: &mut [f64]) {
    for (c, column) in block.chunks_exact_mut(lanes.len()).enumerate() {
        lanes.iter().zip(column).for_each(|(lane, x)| *x = lane[c]);
    }
}

/// A joint's part of the factor: per degree of freedom on its path the entries of its rows, and its own lower triangle.
#[inline(always)]
fn parts<'a, const N: usize>(link: &Link, blocks: &'a [f64]) -> (&'a [[f64; N]], &'a [f64]) {
    let (on_path, own) = blocks[link.row..].split_at(N * link.depth);
    (on_path.as_chunks::<N>().0, &own[..N * (N + 1) / 2])
}

/// `L⁻ᵀ`, then `D⁻¹`, for one joint.
#[inline(always)]
fn inward<const N: usize>(
    model: &Model,
    link: &Link,
    blocks: &[f64],
    inverse_diagonal: &[f64],
    lanes: &mut [Lane],
    sign: f64,
) {
    let mut b: [Lane; N] = core::array::from_fn(|k| lanes[link.v + k]);
    if b == [[0.0; LANES]; N] {
        return;
    }
    let (on_path, own) = parts::<N>(link, blocks);
    for k in (1..N).rev() {
        let y = b[k];
        for c in 0..k {
            subtract(&mut b[c], own[k * (k + 1) / 2 + c], &y);
        }
    }
    for (l, &j) in on_path.iter().zip(model.path(link.v)) {
        let x = &mut lanes[j];
        for k in 0..N {
            subtract(x, l[k], &b[k]);
        }
    }
    for k in 0..N {
        let d = inverse_diagonal[link.v + k] * sign;
        lanes[link.v + k] = b[k].map(|x| x * d);
    }
}

/// `L⁻¹` for one joint.
#[inline(always)]
fn outward<const N: usize>(model: &Model, link: &Link, blocks: &[f64], lanes: &mut [Lane]) {
    let (on_path, own) = parts::<N>(link, blocks);
    let mut b: [Lane; N] = core::array::from_fn(|k| lanes[link.v + k]);
    for (l, &j) in on_path.iter().zip(model.path(link.v)) {
        let x = lanes[j];
        for k in 0..N {
            subtract(&mut b[k], l[k], &x);
        }
    }
    for k in 1..N {
        for c in 0..k {
            let y = b[c];
            subtract(&mut b[k], own[k * (k + 1) / 2 + c], &y);
        }
    }
    lanes[link.v..link.v + N].copy_from_slice(&b);
}
