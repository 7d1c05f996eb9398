//! Objectives: the desired acceleration of a feature, its weight and its priority.

use super::kinetics::Kinetics;
use super::target::reach;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use std::sync::Arc;

/// One to three directions in the world along which an objective counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    directions: [Vec3; 3],
    count: usize,
}

impl Axes {
    /// All directions.
    pub fn all() -> Axes {
        Axes { directions: [Vec3::x(), Vec3::y(), Vec3::z()], count: 3 }
    }

    /// The horizontal plane.
    pub fn horizontal() -> Axes {
        Axes { count: 2, ..Axes::all() }
    }

    /// The vertical.
    pub fn vertical() -> Axes {
        Axes { directions: [Vec3::z(); 3], count: 1 }
    }

    /// One direction.
    pub fn one(direction: Vec3) -> Axes {
        Axes { directions: [direction; 3], count: 1 }
    }

    /// Two directions.
    pub fn two(first: Vec3, second: Vec3) -> Axes {
        Axes { directions: [first, second, second], count: 2 }
    }

    /// The directions.
    pub fn iter(&self) -> impl Iterator<Item = &Vec3> {
        self.directions[..self.count].iter()
    }
}

/// How a point or the centre of mass should move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Spring and damper towards a reference that may move (equation 4).
    Track {
        /// Where, m.
        position: Vec3,
        /// How fast the reference moves, m/s.
        velocity: Vec3,
        /// Its acceleration, m/s².
        acceleration: Vec3,
        /// `k_p`, 1/s².
        stiffness: f64,
        /// `k_v`, 1/s.
        damping: f64,
    },
    /// Reach a place at a given time from now (equations 6 and 7).
    Reach {
        /// Where, m.
        position: Vec3,
        /// Velocity there, m/s.
        velocity: Vec3,
        /// When, s from now.
        time: f64,
    },
    /// A given acceleration, m/s².
    Accelerate(Vec3),
}

impl Goal {
    /// Critically damped towards a point at rest: `k_v = 2√k_p`.
    pub fn hold(position: Vec3, stiffness: f64) -> Goal {
        let zero = Vec3::zeros();
        Goal::Track {
            position,
            velocity: zero,
            acceleration: zero,
            stiffness,
            damping: 2.0 * stiffness.sqrt(),
        }
    }

    /// The desired acceleration.
    pub fn acceleration(&self, now: &Vec3, rate: &Vec3) -> Vec3 {
        match self {
            Goal::Track { position, velocity, acceleration, stiffness, damping } => {
                acceleration + (position - now) * *stiffness + (velocity - rate) * *damping
            }
            Goal::Reach { position, velocity, time } => reach(now, rate, position, velocity, *time),
            Goal::Accelerate(acceleration) => *acceleration,
        }
    }
}

/// A degree of freedom in a pose objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseGain {
    /// `k_p`, 1/s².
    pub stiffness: f64,
    /// `k_v`, 1/s.
    pub damping: f64,
    /// Weight of the squared error; 0 leaves it out.
    pub weight: f64,
}

impl PoseGain {
    /// Critically damped.
    pub fn new(stiffness: f64, weight: f64) -> PoseGain {
        PoseGain { stiffness, damping: 2.0 * stiffness.sqrt(), weight }
    }
}

/// The feature of an objective, and how it should move.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// The centre of mass.
    Com {
        /// How it should move.
        goal: Goal,
        /// Along which directions.
        axes: Axes,
    },
    /// A point of a body part.
    Point {
        /// The body part.
        body: BodyId,
        /// In its frame, m.
        point: Vec3,
        /// How it should move.
        goal: Goal,
        /// Along which directions.
        axes: Axes,
        /// Whether its position is that relative to the centre of mass.
        from_com: bool,
    },
    /// Orientation of a body part.
    Orientation {
        /// The body part.
        body: BodyId,
        /// The orientation that it should have in the world.
        target: Mat3,
        /// The angular velocity that it should have, world axes, rad/s.
        rate: Vec3,
        /// `k_p`, 1/s².
        stiffness: f64,
        /// `k_v`, 1/s.
        damping: f64,
        /// About which directions.
        axes: Axes,
    },
    /// Angular momentum about the centre of mass (equations 8 and 9).
    AngularMomentum {
        /// What it should be, kg·m²/s.
        target: Vec3,
        /// `k_p`, 1/s.
        gain: f64,
    },
    /// All joints.
    Pose {
        /// The configuration that they should have; its root is ignored.
        target: Arc<[f64]>,
        /// One per degree of freedom.
        gains: Arc<[PoseGain]>,
    },
    /// Small torques in some joints (equation 15).
    Relax {
        /// Degrees of freedom.
        dofs: Arc<[usize]>,
    },
}

/// A task with its priority and weight: levels are satisfied in order, and weights decide within a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Priority level; 1 comes first.
    pub priority: usize,
    /// Weight of the squared error within the level.
    pub weight: f64,
    /// The feature and its desired motion.
    pub task: Task,
}

impl Objective {
    /// An objective.
    pub fn new(priority: usize, weight: f64, task: Task) -> Objective {
        Objective { priority, weight, task }
    }
}

/// Rows `A x = b` of one level, row after row; `x` are accelerations and then contact forces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
}

/// Inputs for the rows of objectives.
pub(crate) struct Assembly<'a> {
    pub(crate) kinetics: &'a Kinetics,
    /// Columns: accelerations and forces.
    pub(crate) columns: usize,
    /// Torque of every joint per force variable: −JᵀV, nv×forces.
    pub(crate) force_torques: &'a [f64],
    pub(crate) jacobian: &'a mut [f64],
}

impl Assembly<'_> {
    /// Adds the rows of an objective.
    pub(crate) fn add(&mut self, objective: &Objective, rows: &mut Rows) {
        let (k, d) = (self.kinetics, self.kinetics.derived());
        let (model, data) = (&k.model, &d.data);
        let nv = model.nv();
        let scale = objective.weight.max(0.0).sqrt();
        if scale == 0.0 {
            return;
        }
        match &objective.task {
            Task::Com { goal, axes } => {
                let wanted = goal.acceleration(&d.com, &k.com_velocity());
                let unit = 1.0 / model.mass();
                for axis in axes.iter() {
                    let row =
                        rows.push(self.columns, scale * axis.dot(&(wanted - d.momentum_bias[0] * unit)));
                    for (x, column) in row.iter_mut().zip(d.momentum_map.chunks_exact(6)) {
                        *x = scale * unit * (axis.x * column[0] + axis.y * column[1] + axis.z * column[2]);
                    }
                }
            }
            Task::Point { body, point, goal, axes, from_com } => {
                let (mut at, mut rate) = k.point(*body, point);
                let mut bias = data.point_acceleration(model, *body, &at);
                data.point_jacobian(model, *body, &at, &mut self.jacobian[..3 * nv]);
                if *from_com {
                    let unit = 1.0 / model.mass();
                    for (j, m) in self.jacobian.chunks_exact_mut(3).zip(d.momentum_map.chunks_exact(6)) {
                        j.iter_mut().zip(m).for_each(|(j, m)| *j -= m * unit);
                    }
                    bias -= d.momentum_bias[0] * unit;
                    at -= d.com;
                    rate -= k.com_velocity();
                }
                let wanted = goal.acceleration(&at, &rate) - bias;
                for axis in axes.iter() {
                    let row = rows.push(self.columns, scale * axis.dot(&wanted));
                    for (x, j) in row.iter_mut().zip(self.jacobian.chunks_exact(3)).take(nv) {
                        *x = scale * (axis.x * j[0] + axis.y * j[1] + axis.z * j[2]);
                    }
                }
            }
            Task::Orientation { body, target, rate, stiffness, damping, axes } => {
                let at = k.placement(*body);
                let error = at.rot * rotation::log(&rotation::from_matrix(&at.rot.tr_mul(target)));
                let wanted = error * *stiffness + (rate - k.spin(*body)) * *damping
                    - data.angular_acceleration(model, *body);
                data.body_jacobian(model, *body, &at.pos, self.jacobian);
                for axis in axes.iter() {
                    let row = rows.push(self.columns, scale * axis.dot(&wanted));
                    for (x, j) in row.iter_mut().zip(self.jacobian.chunks_exact(6)) {
                        *x = scale * (axis.x * j[3] + axis.y * j[4] + axis.z * j[5]);
                    }
                }
            }
            Task::AngularMomentum { target, gain } => {
                let wanted = (target - d.momentum[1]) * *gain - d.momentum_bias[1];
                for axis in 0..3 {
                    let row = rows.push(self.columns, scale * wanted[axis]);
                    for (x, column) in row.iter_mut().zip(d.momentum_map.chunks_exact(6)) {
                        *x = scale * column[3 + axis];
                    }
                }
            }
            Task::Pose { target, gains } => {
                let error = &mut self.jacobian[..nv];
                model.difference(&k.q, target, error);
                for (dof, gain) in gains.iter().enumerate() {
                    if gain.weight > 0.0 {
                        let scale = scale * gain.weight.sqrt();
                        let wanted = gain.stiffness * error[dof] - gain.damping * k.v[dof];
                        rows.push(self.columns, scale * wanted)[dof] = scale;
                    }
                }
            }
            Task::Relax { dofs } => {
                for &dof in dofs.iter() {
                    let row = rows.push(self.columns, -scale * d.bias[dof]);
                    for (x, m) in row.iter_mut().zip(&d.mass_matrix[dof * nv..(dof + 1) * nv]) {
                        *x = scale * m;
                    }
                    for (x, column) in row[nv..].iter_mut().zip(self.force_torques.chunks_exact(nv)) {
                        *x = scale * column[dof];
                    }
                }
            }
        }
    }
}

impl Rows {
    pub(crate) fn clear(&mut self) {
        self.a.clear();
        self.b.clear();
    }

    /// A new row of zeros with its right side.
    fn push(&mut self, columns: usize, b: f64) -> &mut [f64] {
        let start = self.a.len();
        self.a.resize(start + columns, 0.0);
        self.b.push(b);
        &mut self.a[start..]
    }
}
