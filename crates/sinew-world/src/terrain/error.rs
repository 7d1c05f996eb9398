//! Errors of terrains.

/// Why a terrain was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// A number of a piece is out of range.
    #[error("piece {piece} ({kind}): {what} is {value}, but has to be {wanted}")]
    Number {
        /// Index of the piece.
        piece: usize,
        /// Kind of the piece.
        kind: &'static str,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it has to be.
        wanted: &'static str,
    },
    /// A heightfield has the wrong number of heights.
    #[error("piece {piece} (heightfield): {found} heights for {columns} columns and {rows} rows")]
    Heights {
        /// Index of the piece.
        piece: usize,
        /// Heights given.
        found: usize,
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
    },
    /// A difficulty outside 0 to 1.
    #[error("the difficulty is {0}, but has to be from 0 (easy) to 1 (hard)")]
    Difficulty(f64),
}
