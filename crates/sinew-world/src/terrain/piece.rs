//! The pieces that a terrain is composed of, and the solids that they are made of.
//!
//! A piece is the user's description, such as stairs of twelve steps. For collision it consists of half-spaces and boxes, or a
//! heightfield. Boxes reach [`THICKNESS`] below the lowest level of their piece, so that nothing can slip under them and
//! pieces that stand on a plane are sunk into it.

use super::error::TerrainError;
use super::heightfield::Heightfield;
use super::solid::Solid;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};

/// How far solids reach below the lowest level of their piece, m.
pub(super) const THICKNESS: f64 = 2.0;

/// A piece of terrain with its friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its form.
    pub ground: Ground,
    /// Coefficient of friction.
    pub friction: f64,
}

/// The form of a piece. Lengths in m, angles in rad; a heading is the direction of travel, about z from x.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// Everything below a level.
    Plane {
        /// Height of the level.
        height: f64,
    },
    /// Everything below an inclined plane.
    Slope {
        /// A point of the plane.
        through: Vec3,
        /// Direction in which it rises.
        heading: f64,
        /// Angle with the level, under 90°.
        pitch: f64,
    },
    /// A strip that rises or falls evenly.
    Ramp {
        /// Middle of the edge at which it begins.
        start: Vec3,
        /// Direction of travel.
        heading: f64,
        /// Length as seen from above.
        length: f64,
        /// Width.
        width: f64,
        /// Rise over the length; negative: it falls.
        rise: f64,
    },
    /// A flight of stairs.
    Stairs {
        /// Middle of the foot of the first riser (of its head, when the stairs go down).
        start: Vec3,
        /// Direction of travel.
        heading: f64,
        /// Width.
        width: f64,
        /// Depth of a tread.
        run: f64,
        /// Height of a riser; negative: the stairs go down.
        rise: f64,
        /// Number of steps.
        steps: usize,
        /// Extra depth of the last tread.
        landing: f64,
    },
    /// A step up (or down) onto a level platform.
    Ledge {
        /// Middle of the foot of the step.
        start: Vec3,
        /// Direction of travel.
        heading: f64,
        /// Length of the platform.
        length: f64,
        /// Width.
        width: f64,
        /// Height of the step; negative: down.
        height: f64,
    },
    /// Separate level stones.
    Stones {
        /// Middle of the top of each.
        tops: Vec<Vec3>,
        /// Half sizes in x and y.
        half: [f64; 2],
        /// How far they reach down.
        depth: f64,
    },
    /// A box anywhere.
    Box {
        /// Half sizes.
        half: Vec3,
        /// Where.
        at: Placement,
    },
    /// Heights on a grid.
    Heightfield(Heightfield),
}

impl Piece {
    /// A piece with this friction.
    pub fn new(ground: Ground, friction: f64) -> Piece {
        Piece { ground, friction }
    }

    /// Checks all numbers; `index` is for the message.
    pub(super) fn check(&self, index: usize) -> Result<(), TerrainError> {
        let kind = self.ground.kind();
        let number = |what, value, wanted, good: bool| {
            if good { Ok(()) } else { Err(TerrainError::Number { piece: index, kind, what, value, wanted }) }
        };
        let finite = |what, value: f64| number(what, value, "finite", value.is_finite());
        let point = |p: &Vec3| finite("x", p.x).and(finite("y", p.y)).and(finite("z", p.z));
        let positive =
            |what, value: f64| number(what, value, "positive and finite", value > 0.0 && value.is_finite());
        number(
            "friction",
            self.friction,
            "at least 0 and finite",
            self.friction >= 0.0 && self.friction.is_finite(),
        )?;
        match &self.ground {
            Ground::Plane { height } => finite("height", *height),
            Ground::Slope { through, heading, pitch } => {
                point(through)?;
                finite("heading", *heading)?;
                number("pitch", *pitch, "between -1.5 and 1.5 rad", pitch.abs() <= 1.5)
            }
            Ground::Ramp { start, heading, length, width, rise } => {
                point(start)?;
                finite("heading", *heading)?;
                positive("length", *length)?;
                positive("width", *width)?;
                finite("rise", *rise)
            }
            Ground::Stairs { start, heading, width, run, rise, steps, landing } => {
                point(start)?;
                finite("heading", *heading)?;
                positive("width", *width)?;
                positive("run", *run)?;
                finite("rise", *rise)?;
                number("landing", *landing, "at least 0 and finite", *landing >= 0.0 && landing.is_finite())?;
                number("number of steps", *steps as f64, "from 1 to 10000", (1..=10_000).contains(steps))
            }
            Ground::Ledge { start, heading, length, width, height } => {
                point(start)?;
                finite("heading", *heading)?;
                positive("length", *length)?;
                positive("width", *width)?;
                finite("height", *height)
            }
            Ground::Stones { tops, half, depth } => {
                tops.iter().try_for_each(point)?;
                positive("half size in x", half[0])?;
                positive("half size in y", half[1])?;
                positive("depth", *depth)
            }
            Ground::Box { half, at } => {
                positive("half size in x", half.x)?;
                positive("half size in y", half.y)?;
                positive("half size in z", half.z)?;
                point(&at.pos)?;
                // rounding of a rotation is far below this
                let skew = (at.rot.transpose() * at.rot - Placement::identity().rot).amax();
                number("orientation's error", skew, "that of a rotation", skew < 1e-6)
            }
            Ground::Heightfield(field) => field.check(index),
        }
    }

    /// The half-spaces and boxes of the piece; a heightfield has none.
    pub(super) fn solids(&self, index: usize, out: &mut Vec<Solid>) {
        let mut strip =
            |start: &Vec3, heading: f64, from: f64, to: f64, width: f64, top: f64, bottom: f64| {
                let at = Placement::new(rotation::exp(&(Vec3::z() * heading)), *start);
                let centre = at.act(&Vec3::new(0.5 * (from + to), 0.0, 0.0));
                let half = Vec3::new(0.5 * (to - from), 0.5 * width, 0.5 * (top - bottom));
                let pos = Vec3::new(centre.x, centre.y, 0.5 * (top + bottom));
                out.push(Solid::block(index, half, Placement { rot: at.rot, pos }));
            };
        match &self.ground {
            Ground::Plane { height } => {
                let pos = Vec3::new(0.0, 0.0, *height);
                out.push(Solid::half_space(index, Placement { pos, ..Placement::identity() }));
            }
            Ground::Slope { through, heading, pitch } => {
                out.push(Solid::half_space(index, tilted(through, *heading, *pitch)));
            }
            Ground::Ramp { start, heading, length, width, rise } => {
                let pitch = libm::atan2(*rise, *length);
                let along = (length * length + rise * rise).sqrt();
                let at = tilted(start, *heading, pitch);
                // the top face of a box that lies under the slope
                let thick = THICKNESS + rise.abs();
                let half = Vec3::new(0.5 * along, 0.5 * width, 0.5 * thick);
                let pos = at.act(&Vec3::new(half.x, 0.0, -half.z));
                out.push(Solid::block(index, half, Placement { pos, ..at }));
            }
            Ground::Stairs { start, heading, width, run, rise, steps, landing } => {
                let bottom = start.z + rise.min(0.0) * *steps as f64 - THICKNESS;
                for step in 0..*steps {
                    let from = run * step as f64;
                    let extra = if step + 1 == *steps { *landing } else { 0.0 };
                    let top = start.z + rise * (step + 1) as f64;
                    strip(start, *heading, from, from + run + extra, *width, top, bottom);
                }
            }
            Ground::Ledge { start, heading, length, width, height } => {
                let bottom = start.z + height.min(0.0) - THICKNESS;
                strip(start, *heading, 0.0, *length, *width, start.z + height, bottom);
            }
            Ground::Stones { tops, half, depth } => {
                for top in tops {
                    let half = Vec3::new(half[0], half[1], 0.5 * depth);
                    let pos = top - Vec3::z() * half.z;
                    out.push(Solid::block(index, half, Placement { pos, ..Placement::identity() }));
                }
            }
            Ground::Box { half, at } => out.push(Solid::block(index, *half, *at)),
            Ground::Heightfield(_) => {}
        }
    }
}

/// The frame of an inclined plane: x rises along the heading, z is its normal.
fn tilted(through: &Vec3, heading: f64, pitch: f64) -> Placement {
    let turn = rotation::exp(&(Vec3::z() * heading)) * rotation::exp(&(Vec3::y() * -pitch));
    Placement::new(turn, *through)
}

impl Ground {
    /// The word for it in messages.
    fn kind(&self) -> &'static str {
        match self {
            Ground::Plane { .. } => "plane",
            Ground::Slope { .. } => "slope",
            Ground::Ramp { .. } => "ramp",
            Ground::Stairs { .. } => "stairs",
            Ground::Ledge { .. } => "ledge",
            Ground::Stones { .. } => "stones",
            Ground::Box { .. } => "box",
            Ground::Heightfield(_) => "heightfield",
        }
    }
}
