//! The compiled form that the algorithms run on: a tree of links with one joint each.
//!
//! A body with several joints becomes a chain of links, all but the last without mass; a welded body becomes part of the
//! link that carries it. The link's frame has its origin at the joint's centre.

use crate::spatial::{Inertia, Mat3, Vec3};

/// Parent index of links that hang from the world.
pub(crate) const WORLD: usize = usize::MAX;

/// A joint's kind with the axis sorted out: rotations about frame axes are cheaper than about a general one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LinkKind {
    Free,
    Ball,
    HingeX,
    HingeY,
    HingeZ,
    Hinge,
    Slide,
}

/// One moving link.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) kind: LinkKind,
    /// Index of the parent link, or [`WORLD`].
    pub(crate) parent: usize,
    /// Index of the first link of its tree. Composites are kept about that link's origin, so that trees far apart do
    /// not cost each other digits.
    pub(crate) root: usize,
    /// First configuration and velocity index.
    pub(crate) q: usize,
    pub(crate) v: usize,
    /// Number of degrees of freedom.
    pub(crate) nv: usize,
    /// Number of degrees of freedom of all links between this one and the world.
    pub(crate) depth: usize,
    /// Start of this link's first row in tree-packed matrices; row `k` of the link starts at
    /// `row + k·depth + k(k+1)/2` and has `depth + k + 1` entries.
    pub(crate) row: usize,
    /// Joint frame in the parent link's frame at the reference.
    pub(crate) rot: Mat3,
    /// Whether `rot` is exactly the identity.
    pub(crate) aligned: bool,
    pub(crate) pos: Vec3,
    /// Unit axis in the link's frame (hinge, slide), else zero.
    pub(crate) axis: Vec3,
    /// −1 for a hinge against a frame axis, else 1.
    pub(crate) sense: f64,
    /// Coordinate at the reference.
    pub(crate) reference: f64,
    /// Inertia of all bodies carried, in the link's frame.
    pub(crate) inertia: Inertia,
    /// Whether that is nothing at all, as in the inner links of a chain of joints.
    pub(crate) hollow: bool,
    /// Armature, the same for all degrees of freedom of the link.
    pub(crate) armature: f64,
}

impl Link {
    /// Start of row `k` of this link in tree-packed matrices.
    #[inline(always)]
    pub(crate) fn row_start(&self, k: usize) -> usize {
        self.row + k * self.depth + k * (k + 1) / 2
    }
}
