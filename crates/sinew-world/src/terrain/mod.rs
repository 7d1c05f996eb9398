//! The ground that characters walk on: static pieces, each with its friction.
//!
//! A [`Terrain`] is a list of [`Piece`]s: planes, slopes, ramps, stairs, ledges, stepping stones, boxes, heightfields. The
//! solid is their union. It answers what controllers and viewers ask (height and normal under a vertical line, shapes to
//! draw) and what the contact solver asks (where a shape touches it).
//!
//! A foot that slides over the seam of two boxes of one height must not be stopped by the buried side of the second. Each
//! solid is collided by itself, and a touch counts only when it is one of the union (see `seams`); heightfields have rules
//! of their own, to the same end (see `field_touch`).
//!
//! Cost: boxes are sorted along x, so that a shape meets only those beside it; a plane costs what its pair costs.

mod error;
mod field_touch;
mod generate;
mod heightfield;
mod piece;
mod reduce;
mod seams;
mod solid;

pub use error::TerrainError;
pub use generate::Course;
pub use heightfield::Heightfield;
pub use piece::{Ground, Piece};

use crate::collide::{Bounds, Manifold, Touch, touch};
use field_touch::touch_field;
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};
use solid::{SEAM, Solid, Top};

/// A place where a shape touches the terrain, or comes nearer than a margin; the normal points towards the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundTouch {
    /// Where, how deep, and between which features.
    pub touch: Touch,
    /// Coefficient of friction of the piece.
    pub friction: f64,
    /// Index of the piece.
    pub piece: usize,
}

/// Static ground.
///
/// ```
/// use sinew_dynamics::{Shape, spatial::{Placement, Vec3}};
/// use sinew_world::terrain::{Ground, Piece, Terrain};
/// let stairs = Ground::Stairs {
///     start: Vec3::new(1.0, 0.0, 0.0), heading: 0.0, width: 2.0, run: 0.3, rise: 0.15, steps: 5, landing: 1.0,
/// };
/// let terrain = Terrain::new(vec![
///     Piece::new(Ground::Plane { height: 0.0 }, 0.8),
///     Piece::new(stairs, 0.6),
/// ])?;
/// assert!((terrain.height(1.4, 0.0) - 0.3).abs() < 1e-12);
/// assert_eq!(terrain.normal(1.4, 0.0), Vec3::z());
/// // a ball in the corner of plane and first riser touches both
/// let mut touches = Vec::new();
/// let at = Placement { pos: Vec3::new(0.95, 0.0, 0.05), ..Placement::identity() };
/// terrain.touch(&Shape::Sphere { radius: 0.05 }, &at, 0.001, &mut touches);
/// assert_eq!(touches.iter().map(|t| t.friction).collect::<Vec<_>>(), [0.8, 0.6]);
/// # Ok::<(), sinew_world::terrain::TerrainError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    pieces: Vec<Piece>,
    /// Half-spaces, then boxes in the order of their least x.
    solids: Vec<Solid>,
    half_spaces: usize,
    /// For every box the greatest x of all boxes up to it.
    reach: Vec<f64>,
    /// Indices of the pieces that are heightfields.
    fields: Vec<usize>,
}

impl Terrain {
    /// Composes pieces.
    ///
    /// # Errors
    /// When a number of a piece is out of range.
    pub fn new(pieces: Vec<Piece>) -> Result<Terrain, TerrainError> {
        for (index, piece) in pieces.iter().enumerate() {
            piece.check(index)?;
        }
        let mut all = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            piece.solids(index, &mut all);
        }
        let (mut solids, mut boxes): (Vec<Solid>, Vec<Solid>) =
            all.into_iter().partition(|s| matches!(s.shape, Shape::Plane { .. }));
        let half_spaces = solids.len();
        boxes.sort_by(|s, t| s.bounds.low.x.total_cmp(&t.bounds.low.x));
        solids.append(&mut boxes);
        let mut farthest = f64::NEG_INFINITY;
        let reach = solids[half_spaces..].iter().map(|s| {
            farthest = farthest.max(s.bounds.high.x);
            farthest
        });
        let reach = reach.collect();
        let is_field = |index: &usize| matches!(pieces[*index].ground, Ground::Heightfield(_));
        let fields = (0..pieces.len()).filter(is_field).collect();
        Ok(Terrain { pieces, solids, half_spaces, reach, fields })
    }

    /// A level plane at height 0 with friction 1, so that the other side of a contact decides.
    pub fn flat() -> Terrain {
        Terrain::new(vec![Piece::new(Ground::Plane { height: 0.0 }, 1.0)]).expect("a valid piece")
    }

    /// The same ground with this coefficient of friction everywhere. The less of both sides of a contact counts: for more than 1
    /// the ground and the soles must both have it.
    ///
    /// ```
    /// use sinew_world::Terrain;
    /// assert_eq!(Terrain::flat().with_friction(2.0).pieces()[0].friction, 2.0);
    /// ```
    ///
    /// # Panics
    /// When it is negative or not finite.
    #[must_use]
    pub fn with_friction(mut self, friction: f64) -> Terrain {
        assert!(friction >= 0.0 && friction.is_finite(), "friction {friction} must be 0 or more");
        self.pieces.iter_mut().for_each(|piece| piece.friction = friction);
        self
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Height of the top surface under a vertical line, m; minus infinity where there is no ground.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        self.top(x, y).0
    }

    /// Unit normal of the top surface under a vertical line; upwards where there is no ground.
    pub fn normal(&self, x: f64, y: f64) -> Vec3 {
        self.top(x, y).1
    }

    fn top(&self, x: f64, y: f64) -> Top {
        let mut best = (f64::NEG_INFINITY, Vec3::z());
        let mut consider = |top: Top| {
            if top.0 > best.0 {
                best = top;
            }
        };
        for index in self.near(x - SEAM, x + SEAM) {
            let solid = &self.solids[index];
            if y >= solid.bounds.low.y - SEAM && y <= solid.bounds.high.y + SEAM {
                solid.top(x, y).into_iter().for_each(&mut consider);
            }
        }
        self.fields().for_each(|field| consider(field.top(x, y)));
        best
    }

    /// Whether nothing of the terrain comes near a box; only a single solid is asked.
    pub(crate) fn is_clear_of(&self, bounds: &Bounds) -> bool {
        self.solids.len() == 1 && self.fields.is_empty() && self.solids[0].is_beyond(bounds)
    }

    /// Appends to `out` where a shape touches the terrain or comes nearer than `margin` (m), at most eight places.
    ///
    /// Nothing is allocated once `out` has room.
    pub fn touch(&self, shape: &Shape, at: &Placement, margin: f64, out: &mut Vec<GroundTouch>) {
        let begin = out.len();
        let bounds = Bounds::of(shape, at).grown(margin);
        if self.is_clear_of(&bounds) {
            return;
        }
        let alone = self.solids.len() == 1 && self.fields.is_empty();
        let mut found = Manifold::new();
        for index in self.near(bounds.low.x, bounds.high.x) {
            let solid = &self.solids[index];
            if !bounds.meets(&solid.bounds) || solid.is_beyond(&bounds) {
                continue;
            }
            touch(shape, at, &solid.shape, &solid.at, margin, &mut found);
            if alone {
                let piece = solid.piece;
                let friction = self.pieces[piece].friction;
                out.extend(found.iter().map(|t| GroundTouch { touch: *t, friction, piece }));
                return;
            }
            let mut all = true;
            for t in found.iter() {
                let counts = self.counts(t, Some(index));
                all &= counts;
                if counts {
                    self.push(*t, index, solid.piece, begin, out);
                }
            }
            if !all {
                seams::touch_faces(solid, shape, at, margin, &mut |t| {
                    if self.counts(&t, Some(index)) {
                        self.push(t, index, solid.piece, begin, out);
                    }
                });
            }
        }
        for (number, &piece) in self.fields.iter().enumerate() {
            if let Ground::Heightfield(field) = &self.pieces[piece].ground {
                touch_field(field, shape, at, &bounds, margin, &mut |t| {
                    if self.counts(&t, None) {
                        self.push(t, self.solids.len() + number, piece, begin, out);
                    }
                });
            }
        }
        if out.len() - begin > reduce::KEPT {
            reduce::spread(out, begin);
        }
    }

    /// What a viewer draws: the half-spaces and boxes, each with its place. Heightfields are [`Terrain::fields`].
    pub fn drawing(&self) -> impl Iterator<Item = (Shape, Placement)> + '_ {
        self.solids.iter().map(|s| (s.shape.clone(), s.at))
    }

    /// The heightfields; [`Heightfield::mesh`] gives their triangles.
    pub fn fields(&self) -> impl Iterator<Item = &Heightfield> {
        self.fields.iter().filter_map(|&piece| match &self.pieces[piece].ground {
            Ground::Heightfield(field) => Some(field),
            _ => None,
        })
    }

    /// All half-spaces, and the boxes between two x.
    fn near(&self, low: f64, high: f64) -> impl Iterator<Item = usize> + '_ {
        let boxes = &self.solids[self.half_spaces..];
        let end = boxes.partition_point(|s| s.bounds.low.x <= high);
        // the reach grows along the list: everything before the first that reaches `low` ends before it
        let start = self.reach[..end].partition_point(|x| *x < low);
        (0..self.half_spaces).chain(self.half_spaces + start..self.half_spaces + end)
    }

    fn push(&self, mut t: Touch, number: usize, piece: usize, begin: usize, out: &mut Vec<GroundTouch>) {
        // features of different solids get different numbers
        t.feature ^= (number as u32).wrapping_mul(0x9e37_79b9);
        reduce::add(GroundTouch { touch: t, friction: self.pieces[piece].friction, piece }, begin, out);
    }
}
