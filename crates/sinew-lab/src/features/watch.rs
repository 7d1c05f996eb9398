//! Observers of runs.

use crate::findings::Figure;
use crate::{Simulation, Watch};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Role, Side, momentum};

/// Place of the root: a free one's, or that of a planar one, whose first coordinates are x and z.
fn place(simulation: &Simulation) -> Vec3 {
    let (model, q) = (simulation.model(), simulation.q());
    let planar = || Vec3::new(q[0], 0.0, q[1]);
    model.free_root().map_or_else(planar, |j| Vec3::new(q[j.q], q[j.q + 1], q[j.q + 2]))
}

/// Mean velocity of the root from a time on.
pub(crate) struct Pace {
    from: f64,
    begin: Option<(f64, Vec3)>,
    end: (f64, Vec3),
}

impl Pace {
    pub(crate) fn from(from: f64) -> Pace {
        Pace { from, begin: None, end: (0.0, Vec3::zeros()) }
    }

    /// m/s; NaN when the run ended earlier.
    pub(crate) fn velocity(&self) -> Vec3 {
        match self.begin {
            Some((time, place)) if self.end.0 > time => (self.end.1 - place) / (self.end.0 - time),
            _ => Vec3::repeat(f64::NAN),
        }
    }
}

/// The least speed of walks along x as a share of the commanded speed: a character that stands still does not fall, but does not walk.
pub(super) fn least_pace<'a>(walks: impl Iterator<Item = (&'a Pace, f64)>) -> Figure {
    let shares = walks.map(|(pace, asked)| 100.0 * pace.velocity().x / asked);
    let least = shares.reduce(|a, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) });
    Figure::new("speed along the way, least, of what was asked for", "%", least.unwrap_or(f64::NAN))
        .at_least(80.0)
}

impl Watch for Pace {
    fn see(&mut self, simulation: &Simulation) {
        self.end = (simulation.world().time(), place(simulation));
        if self.begin.is_none() && self.end.0 >= self.from {
            self.begin = Some(self.end);
        }
    }
}

/// The middle of the touching points.
pub(super) fn footing(simulation: &Simulation) -> Option<Vec3> {
    let points = simulation.world().report().contacts(simulation.episode().actor()).iter().map(|c| c.point);
    let ends = points.fold(None, |ends: Option<(Vec3, Vec3)>, p| {
        Some(ends.map_or((p, p), |(low, high)| (low.inf(&p), high.sup(&p))))
    });
    ends.map(|(low, high)| (low + high) * 0.5)
}

/// The centre of mass at one time.
pub(super) struct Moment {
    pub(super) time: f64,
    /// Height of the centre of mass, m.
    pub(super) height: f64,
    /// Its distance in the plane from the middle of the touching points, m.
    pub(super) off: f64,
    /// How far the joints are from where they began, RMS, rad.
    pub(super) pose: f64,
}

/// The centre of mass over time, with the middle of what it stands on.
pub(super) struct Mass {
    data: Data,
    mass: f64,
    steps: f64,
    /// Initial configuration, and workspace for a difference.
    first: Option<Vec<f64>>,
    change: Vec<f64>,
    pub(super) path: Vec<Moment>,
    /// Speed in the plane at every landing, m/s.
    pub(super) landings: Vec<f64>,
}

impl Mass {
    pub(super) fn of(model: &Model) -> Mass {
        Mass {
            data: Data::new(model),
            mass: model.mass(),
            steps: 0.0,
            first: None,
            change: vec![0.0; model.nv()],
            path: Vec::new(),
            landings: Vec::new(),
        }
    }
}

impl Watch for Mass {
    fn see(&mut self, simulation: &Simulation) {
        let (model, q) = (simulation.model(), simulation.q());
        let velocity = momentum(model, &mut self.data, q, simulation.v()).linear / self.mass;
        let com = self.data.center_of_mass(model);
        let middle = footing(simulation).unwrap_or(com);
        let off = libm::hypot(com.x - middle.x, com.y - middle.y);
        let first = self.first.get_or_insert_with(|| q.to_vec());
        model.difference(first, q, &mut self.change);
        let joints = self.change.get(6..).unwrap_or_default();
        let pose = (joints.iter().map(|x| x * x).sum::<f64>() / joints.len() as f64).sqrt();
        self.path.push(Moment { time: simulation.world().time(), height: com.z, off, pose });
        let steps = simulation.footsteps();
        if steps > self.steps {
            self.landings.push(libm::hypot(velocity.x, velocity.y));
        }
        self.steps = steps;
    }
}

/// Footsteps from a time on until the body faces a direction, rad.
pub(crate) struct Turn {
    from: f64,
    target: f64,
    tolerance: f64,
    begun: Option<f64>,
    /// Footsteps it took.
    pub(crate) steps: Option<f64>,
    /// Time it took, s.
    pub(crate) seconds: f64,
}

impl Turn {
    pub(crate) fn new(from: f64, target: f64, tolerance: f64) -> Turn {
        Turn { from, target, tolerance, begun: None, steps: None, seconds: f64::NAN }
    }
}

impl Watch for Turn {
    fn see(&mut self, simulation: &Simulation) {
        let time = simulation.world().time();
        if time < self.from || self.steps.is_some() {
            return;
        }
        let steps = simulation.footsteps();
        let begun = *self.begun.get_or_insert(steps);
        let off = simulation.model().heading(simulation.q()) - self.target;
        if libm::remainder(off, core::f64::consts::TAU).abs() < self.tolerance {
            (self.steps, self.seconds) = (Some(steps - begun), time - self.from);
        }
    }
}

/// Length of a leg when standing upright, m: the unit of speeds `√(g·leg)`.
pub(crate) fn leg(model: &Model) -> Option<f64> {
    let placements = model.spec().reference_placements();
    let hip = placements[model.role(Role::Thigh(Side::Left))?.0].pos.z;
    let [sole, _] = model.spec().extent(&placements, &Vec3::z())?;
    Some(hip - sole)
}
