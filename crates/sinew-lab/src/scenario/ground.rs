//! The ground of a scenario. A character begins at the origin, on level ground, and the ground changes some way ahead along x.

use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_world::terrain::{Course, Ground, Piece, TerrainError};
use sinew_world::{Path, Platform, Terrain};

/// The ground under a character. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundPlan {
    /// Level everywhere.
    Flat {
        /// Coefficient of friction; the less of both sides of a contact counts.
        friction: f64,
    },
    /// Level, then a slope.
    Slope {
        /// Where it begins.
        start: f64,
        /// Angle with the level, rad; negative: downhill.
        pitch: f64,
        /// Coefficient of friction.
        friction: f64,
    },
    /// Level, then stairs, then level.
    Stairs {
        /// Where they begin.
        start: f64,
        /// Depth of a tread.
        run: f64,
        /// Height of a riser; negative: down.
        rise: f64,
        /// Number of steps.
        steps: usize,
        /// Coefficient of friction.
        friction: f64,
    },
    /// Level, then low platforms to step onto and off again.
    Ledges {
        /// Where the first one begins.
        start: f64,
        /// Height of each over the level; negative: trenches.
        height: f64,
        /// Length of each, and of the level between two.
        length: f64,
        /// How many.
        count: usize,
        /// Coefficient of friction.
        friction: f64,
    },
    /// A platform of 1 m × 1 m that oscillates under the feet, over ground out of reach.
    Platform {
        /// Amplitude along each axis.
        amplitude: Vec3,
        /// Frequency, Hz.
        frequency: f64,
        /// Coefficient of friction.
        friction: f64,
    },
    /// A generated course; its details depend on the scenario's seed.
    Course {
        /// What it is made of.
        course: Course,
        /// From 0 to 1.
        difficulty: f64,
    },
}

impl Default for GroundPlan {
    fn default() -> GroundPlan {
        GroundPlan::Flat { friction: 1.0 }
    }
}

/// Width of strips, and length of level parts and of slopes downhill, m.
const WIDE: f64 = 50.0;

impl GroundPlan {
    /// The ground itself.
    ///
    /// ```
    /// use sinew_lab::scenario::GroundPlan;
    /// let down = GroundPlan::Stairs { start: 1.0, run: 0.3, rise: -0.1, steps: 4, friction: 0.8 };
    /// let terrain = down.build(1)?;
    /// assert_eq!(terrain.height(0.0, 0.0), 0.0);
    /// assert!((terrain.height(3.0, 0.0) + 0.4).abs() < 1e-12);
    /// # Ok::<(), sinew_world::terrain::TerrainError>(())
    /// ```
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn build(&self, seed: u64) -> Result<Terrain, TerrainError> {
        let plane = Ground::Plane { height: 0.0 };
        let x = |x: f64| Vec3::new(x, 0.0, 0.0);
        let (pieces, friction) = match *self {
            GroundPlan::Flat { friction } => (vec![plane], friction),
            GroundPlan::Slope { start, pitch, friction } if pitch >= 0.0 => {
                (vec![plane, Ground::Slope { through: x(start), heading: 0.0, pitch }], friction)
            }
            GroundPlan::Slope { start, pitch, friction } => {
                let rise = WIDE * libm::tan(pitch);
                let ramp = Ground::Ramp { start: x(start), heading: 0.0, length: WIDE, width: WIDE, rise };
                (vec![platform(start), ramp], friction)
            }
            GroundPlan::Stairs { start, run, rise, steps, friction } => {
                let base = if rise >= 0.0 { plane } else { platform(start) };
                let (start, width, landing) = (x(start), WIDE, WIDE);
                let stairs = Ground::Stairs { start, heading: 0.0, width, run, rise, steps, landing };
                (vec![base, stairs], friction)
            }
            GroundPlan::Ledges { start, height, length, count, friction } => {
                let at = |k: usize| start + 2.0 * length * k as f64;
                // around trenches, the level ground consists of platforms on their floor
                let (floor, first) = if height >= 0.0 { (plane, 0) } else { (Ground::Plane { height }, 1) };
                let block = |from: f64, to: f64, top: f64| {
                    let half = Vec3::new(0.5 * (to - from), 0.5 * WIDE, 1.0);
                    let pos = Vec3::new(0.5 * (from + to), 0.0, top - half.z);
                    Ground::Box { half, at: Placement { pos, ..Placement::identity() } }
                };
                let mut pieces = vec![floor];
                if height >= 0.0 {
                    pieces.extend((0..count).map(|k| block(at(k), at(k) + length, height)));
                } else {
                    pieces.push(platform(start));
                    pieces.extend((first..count).map(|k| block(at(k) - length, at(k), 0.0)));
                    pieces.push(block(at(count) - length, at(count) + WIDE, 0.0));
                }
                (pieces, friction)
            }
            // the platform itself is not part of the terrain
            GroundPlan::Platform { friction, .. } => (vec![Ground::Plane { height: -1.0 }], friction),
            GroundPlan::Course { course, difficulty } => return Terrain::generate(course, difficulty, seed),
        };
        Terrain::new(pieces.into_iter().map(|ground| Piece::new(ground, friction)).collect())
    }
}

impl GroundPlan {
    /// The moving platform under the feet, if there is one; its top is at height 0 in the middle of its motion.
    pub fn platform(&self) -> Option<Platform> {
        let GroundPlan::Platform { amplitude, frequency, friction } = *self else { return None };
        let half = Vec3::new(0.5, 0.5, 0.05);
        let path = Path::Harmonic { centre: Vec3::z() * -half.z, amplitude, frequency, phase: 0.0 };
        Some(Platform { name: "platform".to_owned(), shape: Shape::Box { half }, path, friction })
    }
}

/// Level ground at height 0 that ends at `x = end`.
fn platform(end: f64) -> Ground {
    let half = Vec3::new(0.5 * WIDE, 0.5 * WIDE, 1.0);
    let pos = Vec3::new(end - half.x, 0.0, -half.z);
    Ground::Box { half, at: Placement { pos, ..Placement::identity() } }
}
