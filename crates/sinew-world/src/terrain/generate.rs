//! Courses made from a seed: the same numbers give the same ground, to the last bit.
//!
//! A course begins with a level start around the origin and runs along x. Difficulty 0 is nearly level, 1 is about what a
//! healthy adult can just manage.

use super::{Ground, Heightfield, Piece, Terrain, TerrainError};
use rand::{Rng, SeedableRng};
use sinew_dynamics::spatial::Vec3;

/// Friction of generated courses.
const FRICTION: f64 = 0.8;
/// The course begins here, m.
const START: f64 = 1.5;
/// Width of generated courses, m.
const WIDTH: f64 = 4.0;
/// Level of the ground beside and between the pieces, m.
const PIT: f64 = -1.0;

/// What a generated course is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Level ground.
    Flat,
    /// Ramps up and down, to 25°.
    Ramps,
    /// A flight up and a flight down, risers to 20 cm.
    Stairs,
    /// Platforms at different heights, steps to 30 cm.
    Ledges,
    /// Stones over a pit, gaps to 45 cm.
    Stones,
    /// Boxes to climb over, to 30 cm, on level ground.
    Blocks,
    /// Rough ground: a heightfield with bumps to 20 cm.
    Rough,
    /// Everything, in an order that the seed decides.
    Mixed,
}

impl Course {
    /// All kinds.
    pub const ALL: [Course; 8] = [
        Course::Flat,
        Course::Ramps,
        Course::Stairs,
        Course::Ledges,
        Course::Stones,
        Course::Blocks,
        Course::Rough,
        Course::Mixed,
    ];

    /// Names in files, in the same order.
    pub const NAMES: [&str; 8] = ["flat", "ramps", "stairs", "ledges", "stones", "blocks", "rough", "mixed"];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Course::ALL
            .iter()
            .zip(Course::NAMES)
            .find(|(course, _)| **course == self)
            .map_or("", |(_, name)| name)
    }

    /// By its name.
    ///
    /// ```
    /// use sinew_world::terrain::Course;
    /// assert!(Course::ALL.iter().all(|course| Course::named(course.name()) == Some(*course)));
    /// ```
    pub fn named(name: &str) -> Option<Course> {
        Course::NAMES.iter().position(|known| *known == name).map(|place| Course::ALL[place])
    }
}

impl Terrain {
    /// A course of about 20 m along x, with a level start around the origin.
    ///
    /// ```
    /// use sinew_world::terrain::{Course, Terrain};
    /// let stones = Terrain::generate(Course::Stones, 0.5, 7)?;
    /// assert_eq!(stones, Terrain::generate(Course::Stones, 0.5, 7)?);
    /// assert_eq!(stones.height(0.0, 0.0), 0.0);
    /// # Ok::<(), sinew_world::terrain::TerrainError>(())
    /// ```
    ///
    /// # Errors
    /// When the difficulty is not from 0 to 1.
    pub fn generate(course: Course, difficulty: f64, seed: u64) -> Result<Terrain, TerrainError> {
        if !(0.0..=1.0).contains(&difficulty) {
            return Err(TerrainError::Difficulty(difficulty));
        }
        let mut maker = Maker {
            random: rand_pcg::Pcg64::seed_from_u64(seed),
            difficulty,
            pieces: Vec::new(),
            at: Vec3::new(START, 0.0, 0.0),
        };
        match course {
            Course::Flat => maker.plane(0.0),
            Course::Rough => maker.rough(),
            Course::Blocks => {
                maker.plane(0.0);
                maker.blocks(20.0);
            }
            Course::Ramps | Course::Stairs | Course::Ledges | Course::Stones => {
                maker.start();
                while maker.at.x < 20.0 {
                    maker.section(course);
                }
                maker.platform(5.0, 0.0);
            }
            Course::Mixed => {
                maker.start();
                let kinds = [Course::Ramps, Course::Stairs, Course::Ledges, Course::Stones, Course::Blocks];
                while maker.at.x < 20.0 {
                    let kind = kinds[(maker.uniform(0.0, 1.0) * 5.0) as usize % 5];
                    maker.section(kind);
                    let rest = maker.uniform(1.0, 2.0);
                    maker.platform(rest, 0.0);
                }
                maker.platform(5.0, 0.0);
            }
        }
        Terrain::new(maker.pieces)
    }
}

struct Maker {
    random: rand_pcg::Pcg64,
    difficulty: f64,
    pieces: Vec<Piece>,
    /// The middle of the course's present end.
    at: Vec3,
}

impl Maker {
    /// A number between two, by 53 random bits.
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// A number that grows with the difficulty, varied by a fifth either way.
    fn harder(&mut self, easy: f64, hard: f64) -> f64 {
        (easy + (hard - easy) * self.difficulty) * self.uniform(0.8, 1.2)
    }

    fn add(&mut self, ground: Ground) {
        self.pieces.push(Piece::new(ground, FRICTION));
    }

    fn plane(&mut self, height: f64) {
        self.add(Ground::Plane { height });
    }

    /// The level start, a platform around the origin, over the pit.
    fn start(&mut self) {
        self.plane(PIT);
        let start = Vec3::new(-START, 0.0, 0.0);
        self.add(Ground::Ledge { start, heading: 0.0, length: 2.0 * START, width: WIDTH, height: 0.0 });
    }

    /// A level platform, a step up or down from where the course is.
    fn platform(&mut self, length: f64, height: f64) {
        self.add(Ground::Ledge { start: self.at, heading: 0.0, length, width: WIDTH, height });
        self.at += Vec3::new(length, 0.0, height);
    }

    /// One or two metres, or one flight, of a kind.
    fn section(&mut self, kind: Course) {
        match kind {
            Course::Ramps => self.ramps(),
            Course::Stairs => self.flights(),
            Course::Ledges => {
                let height = self.harder(0.02, 0.28);
                // up or down, but not always away from the initial height
                let up = self.uniform(-0.6, 0.6) > self.at.z;
                let length = self.uniform(0.6, 1.4);
                self.platform(length, if up { height } else { -height });
            }
            Course::Stones => self.stones(),
            _ => {
                let length = 3.0;
                let from = self.at;
                self.platform(length, 0.0);
                self.block(&from, 1.5);
            }
        }
    }

    fn ramps(&mut self) {
        let pitch = self.harder(0.02, 0.4);
        let length = self.uniform(1.5, 3.0);
        let rise = length * libm::tan(pitch.min(0.44));
        for rise in [rise, -rise] {
            self.add(Ground::Ramp { start: self.at, heading: 0.0, length, width: WIDTH, rise });
            self.at += Vec3::new(length, 0.0, rise);
            self.platform(1.0, 0.0);
        }
    }

    fn flights(&mut self) {
        let rise = self.harder(0.03, 0.17);
        let run = 0.42 - 0.12 * self.difficulty;
        let steps = 5 + (self.uniform(0.0, 4.0) as usize);
        for rise in [rise, -rise] {
            let ground =
                Ground::Stairs { start: self.at, heading: 0.0, width: WIDTH, run, rise, steps, landing: 1.0 };
            self.add(ground);
            self.at += Vec3::new(run * steps as f64 + 1.0, 0.0, rise * steps as f64);
        }
    }

    fn stones(&mut self) {
        let half = [0.35 - 0.15 * self.difficulty, 0.4 - 0.15 * self.difficulty];
        let mut tops = Vec::new();
        let mut x = self.at.x;
        for _ in 0..8 {
            x += self.harder(0.03, 0.35) + half[0];
            let (y, z) =
                (self.difficulty * self.uniform(-0.2, 0.2), self.difficulty * self.uniform(-0.1, 0.1));
            tops.push(Vec3::new(x, y, self.at.z + z));
            x += half[0];
        }
        let gap = self.harder(0.03, 0.35);
        self.add(Ground::Stones { tops, half, depth: 2.0 });
        self.at.x = x + gap;
        self.platform(1.0, 0.0);
    }

    /// A box across the way, `along` from a place.
    fn block(&mut self, from: &Vec3, along: f64) {
        let height = self.harder(0.03, 0.25);
        let length = self.uniform(0.2, 0.6);
        let start = from + Vec3::new(along, 0.0, 0.0);
        self.add(Ground::Ledge { start, heading: 0.0, length, width: WIDTH, height });
    }

    fn blocks(&mut self, until: f64) {
        let mut along = 0.0;
        while self.at.x + along < until {
            let from = self.at;
            self.block(&from, along);
            along += self.uniform(1.2, 2.5);
        }
    }

    /// Bumps of three sizes, level around the origin.
    fn rough(&mut self) {
        let spacing = 0.1;
        let (columns, rows) = (260, 81);
        let origin = [-3.0, -4.0];
        let octaves = [(1.6, 0.6), (0.8, 0.3), (0.3, 0.1)];
        let lattices: Vec<Lattice> = octaves.iter().map(|(cell, _)| Lattice::new(*cell, self)).collect();
        let height = 0.4 * self.difficulty;
        let field = Heightfield::from_fn(origin, [spacing; 2], columns, rows, |x, y| {
            let bumps: f64 = lattices.iter().zip(octaves).map(|(l, (_, part))| part * l.at(x, y)).sum();
            // rises from the level start within a metre
            let away = ((x * x + y * y).sqrt() - START).clamp(0.0, 1.0);
            height * bumps * away * away * (3.0 - 2.0 * away)
        });
        self.add(Ground::Heightfield(field));
    }
}

/// Random numbers in [−½, ½] on a coarse grid, blended smoothly in between (value noise).
struct Lattice {
    cell: f64,
    columns: usize,
    values: Vec<f64>,
}

impl Lattice {
    /// Covers 30 m × 12 m from (−4, −5).
    fn new(cell: f64, maker: &mut Maker) -> Lattice {
        let (columns, rows) = ((30.0 / cell) as usize + 2, (12.0 / cell) as usize + 2);
        let values = (0..columns * rows).map(|_| maker.uniform(-0.5, 0.5)).collect();
        Lattice { cell, columns, values }
    }

    fn at(&self, x: f64, y: f64) -> f64 {
        let (u, v) = ((x + 4.0) / self.cell, (y + 5.0) / self.cell);
        let (i, j) = (u.floor() as usize, v.floor() as usize);
        let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
        let (s, t) = (smooth(u - u.floor()), smooth(v - v.floor()));
        let value = |i: usize, j: usize| self.values[(j * self.columns + i).min(self.values.len() - 1)];
        let row = |j: usize| value(i, j) + (value(i + 1, j) - value(i, j)) * s;
        row(j) + (row(j + 1) - row(j)) * t
    }
}
