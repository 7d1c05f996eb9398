//! All metrics of a run, step by step.

use super::Params;
use super::contact::Quality;
use super::fall::{Fall, Watch};
use super::feet::Feet;
use super::parts::{Part, parts, standing_height};
use super::summary::Summary;
use super::way::Way;
use crate::StepFrame;
use crate::recording::{Info, Recording, RecordingError, RecordingReader};
use sinew_dynamics::{Data, Model, Scratch, forward_velocities};
use std::io::{Read, Seek};

/// Measures a run step by step.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_world::StepFrame;
/// use sinew_world::metrics::{Metrics, Params};
///
/// let human = characters::load("human")?;
/// let mut metrics = Metrics::new(&human, 1e-3, None, Params::default());
/// let (q, zero) = (human.neutral(), vec![0.0; human.nv()]);
/// let frame =
///     StepFrame { time: 0.0, q: &q, v: &zero, tau: &zero, constraint: &zero, contacts: &[], outside: &[] };
/// metrics.step(&human, &frame);
/// assert_eq!(metrics.summary().fell, Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Metrics {
    params: Params,
    dt: f64,
    itself: Option<usize>,
    data: Scratch<Data>,
    name: String,
    mass: f64,
    weight: f64,
    parts: Vec<Part>,
    watch: Watch,
    fall: Option<(f64, Fall)>,
    quality: Quality,
    feet: Feet,
    way: Way,
    /// Steps of this duration so far, and what was before them, s.
    steps: usize,
    before: f64,
    time: f64,
    /// Time during which the character stood, s.
    stood: f64,
}

impl Metrics {
    /// For a character stepped by `dt`. `itself` is its place among the world's things, if it may touch itself.
    pub fn new(model: &Model, dt: f64, itself: Option<usize>, params: Params) -> Metrics {
        let g = model.gravity().norm();
        Metrics {
            params,
            dt,
            itself,
            data: Scratch::new(Data::new(model)),
            name: model.name().to_owned(),
            mass: model.mass(),
            weight: model.mass() * if g > 0.0 { g } else { 9.81 },
            parts: parts(model),
            watch: Watch::new(model, standing_height(model)),
            fall: None,
            quality: Quality::new(model.bodies().len()),
            feet: Feet::new(),
            way: Way::new(model),
            steps: 0,
            before: 0.0,
            time: 0.0,
            stood: 0.0,
        }
    }

    /// Steps last `dt` from now on.
    pub fn set_dt(&mut self, dt: f64) {
        if dt != self.dt {
            self.before += self.steps as f64 * self.dt;
            (self.steps, self.dt) = (0, dt);
        }
    }

    /// Takes a step. `model` may differ from the first one in mass and measure, not in its bodies and joints.
    ///
    /// # Panics
    /// If the frame does not fit the model.
    pub fn step(&mut self, model: &Model, frame: &StepFrame<'_>) {
        let data = self.data.get_or(|| Data::new(model));
        forward_velocities(model, data, frame.q, frame.v);
        let (dt, weight, params) = (self.dt, self.weight, &self.params);
        let can_fall = !self.parts.is_empty();
        if can_fall && self.fall.is_none() {
            let itself = self.itself;
            let others = frame.contacts.iter().filter(|c| itself.is_none() || c.other != itself);
            let height = data.center_of_mass(model).z;
            let fall = self.watch.step(model, &self.parts, height, others, (dt, weight), params);
            self.fall = fall.map(|fall| (frame.time, fall));
        }
        let standing = self.fall.is_none();
        self.quality.step(frame.contacts, frame.time, weight, standing, params);
        if standing {
            self.stood += dt;
            if can_fall {
                let when = (frame.time, dt, weight);
                self.feet.step(model, data, &self.parts, frame.contacts, when, params);
            }
        }
        self.way.step(model, data, frame, (dt, params.path), standing);
        self.steps += 1;
        self.time = frame.time;
    }

    /// The fall, and when it was.
    pub fn fall(&self) -> Option<(f64, &Fall)> {
        self.fall.as_ref().map(|(time, fall)| (*time, fall))
    }

    /// The figures so far. The caller fills in the seed and the times of computation.
    pub fn summary(&self) -> Summary {
        let seconds = self.before + self.steps as f64 * self.dt;
        let until = self.fall.as_ref().map_or(self.time, |(time, _)| *time);
        let (skate, worst_skate) = self.feet.skate(until, &self.params);
        let margin = self.feet.margin();
        let distance = self.way.distance();
        Summary {
            character: self.name.clone(),
            mass_kg: self.mass,
            fell: (!self.parts.is_empty()).then_some(self.fall.is_some()),
            fall_time: self.fall.as_ref().map(|(time, _)| *time),
            fall_reason: self.fall.as_ref().map(|(_, fall)| fall.to_string()),
            seconds,
            distance_m: distance,
            mean_speed_mps: if seconds > 0.0 { distance / seconds } else { 0.0 },
            heading_change_deg: self.way.turned.to_degrees(),
            steps: self.feet.footsteps,
            realtime_factor: None,
            control_us: None,
            step_us: None,
            penetration_mm: 1e3 * self.quality.penetration,
            skate_mm: 1e3 * skate,
            skate_worst_mm: 1e3 * worst_skate,
            cop_margin_mm: margin.map(|(mean, _)| 1e3 * mean),
            cop_margin_least_mm: margin.map(|(_, least)| 1e3 * least),
            friction_used: self.quality.friction_used,
            chatter_hz: if self.stood > 0.0 { self.quality.switches as f64 / self.stood } else { 0.0 },
            peak_torque_ratio: self.way.torque_ratio,
            energy_j: self.way.energy,
            seed: 0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

impl Recording {
    /// The measures of the run.
    pub fn summary(&self, params: Params) -> Summary {
        let mut metrics = Metrics::of(self.info(), params);
        for row in self.rows() {
            metrics.step(self.info().model_at(row.step), &row.frame);
        }
        metrics.summary().of(self.info())
    }
}

impl<R: Read + Seek> RecordingReader<R> {
    /// The measures of the rows that are left, read with bounded memory.
    pub fn summary(&mut self, params: Params) -> Result<Summary, RecordingError> {
        let info = self.info().clone();
        let mut metrics = Metrics::of(&info, params);
        while let Some(row) = self.next_row()? {
            metrics.step(info.model_at(row.step), &row.frame);
        }
        Ok(metrics.summary().of(&info))
    }
}

impl Metrics {
    fn of(info: &Info, params: Params) -> Metrics {
        Metrics::new(&info.model, info.meta.dt, info.itself(), params)
    }
}

impl Summary {
    /// With what the recording knows.
    fn of(self, info: &Info) -> Summary {
        Summary { seed: info.meta.seed, version: info.meta.version.clone(), ..self }
    }
}
