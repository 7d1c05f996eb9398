//! Rows of numbers in and out.
//!
//! Every kernel takes one row (a vector) or many (a matrix, a state per row), as arrays or lists. Rows of a C-contiguous array of float64
//! are read where they are; anything else is copied once. Many rows are shared out over the cores, without the GIL.

use crate::error::refused;
use numpy::ndarray::ArrayViewD;
use numpy::{AllowTypeChange, PyArray1, PyArrayLikeDyn, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::borrow::Cow;

/// Numbers from Python.
pub(crate) type Given<'py> = PyArrayLikeDyn<'py, f64, AllowTypeChange>;

/// Rows of equal width.
pub(crate) struct Rows<'a> {
    numbers: Cow<'a, [f64]>,
    width: usize,
    /// Whether a matrix was given, so that a matrix is returned.
    pub(crate) many: bool,
}

impl Rows<'_> {
    pub(crate) fn count(&self) -> usize {
        self.numbers.len() / self.width.max(1)
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.width..(row + 1) * self.width]
    }
}

/// Rows of `width` finite numbers; `what` names them in errors, `of` the body that they must fit.
pub(crate) fn rows<'a>(given: &'a Given<'_>, width: usize, what: &str, of: &str) -> PyResult<Rows<'a>> {
    let view: ArrayViewD<'a, f64> = given.as_array();
    let shape = view.shape();
    let wrong = || {
        let wanted = format!("`{what}` must have {width} numbers for `{of}`, or that many in each row");
        refused(format!("{wanted}; its shape is {shape:?}"))
    };
    let many = match shape {
        [last] if *last == width => false,
        [_, last] if *last == width => true,
        _ => return Err(wrong()),
    };
    let numbers: Cow<'a, [f64]> = match view.to_slice() {
        Some(slice) => Cow::Borrowed(slice),
        None => Cow::Owned(view.iter().copied().collect()),
    };
    if let Some(place) = numbers.iter().position(|x| !x.is_finite()) {
        let (row, column) = (place / width, place % width);
        return Err(refused(format!("`{what}` holds {} at row {row}, place {column}", numbers[place])));
    }
    Ok(Rows { numbers, width, many })
}

/// Refuses rows of different number.
pub(crate) fn alike(first: &Rows<'_>, others: &[(&str, &Rows<'_>)]) -> PyResult<()> {
    for (what, other) in others {
        if other.count() != first.count() {
            let (got, wanted) = (other.count(), first.count());
            return Err(refused(format!("`{what}` has {got} rows, the others have {wanted}")));
        }
    }
    Ok(())
}

/// Fills an array with what `work` makes of each row: `shape` numbers of a row. One row gives an array of that shape, many one more axis.
pub(crate) fn each_row<'py, S: Send>(
    py: Python<'py>,
    rows: &Rows<'_>,
    shape: &[usize],
    start: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [f64]) -> Result<(), String> + Sync + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let width: usize = shape.iter().product();
    let count = rows.count();
    let mut out = vec![0.0; width * count];
    let done = py.detach(|| match count {
        0 | 1 => out
            .chunks_exact_mut(width.max(1))
            .enumerate()
            .try_for_each(|(row, out)| work(&mut start(), row, out)),
        _ => {
            // few pieces, each with a workspace of its own
            let piece = count.div_ceil(4 * rayon::current_num_threads()).max(1);
            out.par_chunks_mut(width.max(1) * piece).enumerate().try_for_each(|(nth, out)| {
                let mut state = start();
                out.chunks_exact_mut(width.max(1))
                    .enumerate()
                    .try_for_each(|(k, out)| work(&mut state, nth * piece + k, out))
            })
        }
    });
    done.map_err(refused)?;
    let mut full: Vec<usize> = if rows.many { vec![count] } else { Vec::new() };
    full.extend(shape);
    let flat = PyArray1::from_vec(py, out);
    match full.as_slice() {
        [] => Ok(flat.get_item(0)?),
        _ => Ok(flat.reshape(full)?.into_any()),
    }
}
