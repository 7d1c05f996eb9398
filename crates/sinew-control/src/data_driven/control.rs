//! The controller. Thirty times a second it synchronises the queue with the feet and computes the next target; at every step it
//! computes the torques that follow the target.

use super::balance::{Felt, Memory, Wanted, bend};
use super::figure::Figure;
use super::gains::{Gains, Refresh, Rules, WarpFrom};
use super::motion::{Motion, RATE, swinging};
use super::track::{Inverse, Targets};
use crate::{Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters, Start};
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_dynamics::{Data, Model, Scratch, Side, center_of_mass, forward_velocities};
use sinew_motion::contacts::Support;
use sinew_motion::graph::ReferenceQueue;
use std::sync::Arc;

/// Fragments in the queue: the present one and the next ones.
const AHEAD: usize = 3;
/// Greatest number of frames by which a step is extended; after that the leg holds its place.
const LATE: usize = 45;
/// Speed below which the direction of travel is kept, m/s.
const SLOW: f64 = 0.1;

/// Follows captured walks.
#[derive(Clone, Debug)]
pub(super) struct DataDriven {
    pub(super) figure: Arc<Figure>,
    pub(super) motion: Arc<Motion>,
    pub(super) gains: Gains,
    pub(super) rules: Rules,
    queue: ReferenceQueue,
    /// The next fragment to queue, and the total turn up to it.
    next: usize,
    yaw: f64,
    /// The present frame, and the time of the next one.
    frame: usize,
    until: f64,
    targets: Targets,
    memory: Memory,
    /// Pelvis and captured pelvis a frame ago, m.
    hips: Vec3,
    captured: Vec3,
    /// Height of the ankles in the last target and the one before, m.
    heights: [[f64; 2]; 2],
    /// Pose of the legs at the last landing before the stop.
    stopped: bool,
    stopped_in: Vec<f64>,
    steps: usize,
    errors: [Vec3; 2],
    begun: bool,
    work: Scratch<Work>,
}

/// Workspace.
#[derive(Debug)]
struct Work {
    data: Data,
    pose: Data,
    inverse: Inverse,
    q: Vec<f64>,
    captured: Vec<f64>,
}

impl Work {
    fn new(model: &Model) -> Work {
        Work {
            data: Data::new(model),
            pose: Data::new(model),
            inverse: Inverse::new(model),
            q: model.neutral(),
            captured: model.neutral(),
        }
    }
}

impl DataDriven {
    pub(super) fn new(figure: Figure, motion: Motion) -> DataDriven {
        let start = motion.start().to_vec();
        let mut this = DataDriven {
            queue: ReferenceQueue::new(&figure.model),
            targets: Targets::still(&figure, &start),
            memory: Memory { along: Vec3::x(), swing: Quat::identity() },
            gains: Gains::default(),
            rules: Rules::default(),
            next: 0,
            yaw: 0.0,
            frame: 0,
            until: 0.0,
            hips: Vec3::zeros(),
            captured: Vec3::zeros(),
            heights: [[0.0; 2]; 2],
            stopped: false,
            stopped_in: start.clone(),
            steps: 0,
            errors: [Vec3::zeros(); 2],
            begun: false,
            work: Scratch::default(),
            figure: Arc::new(figure),
            motion: Arc::new(motion),
        };
        this.feed();
        this
    }

    /// Keeps the queue filled.
    fn feed(&mut self) {
        let Motion { nodes, cycle, turn, .. } = self.motion.as_ref();
        while self.queue.len() < AHEAD && self.next < nodes.len() {
            self.queue.push_turned(&nodes[self.next], self.yaw);
            self.next += 1;
            if let Some(cycle) = cycle.as_ref().filter(|cycle| cycle.end == self.next) {
                self.next = cycle.start;
                self.yaw += turn;
            }
        }
    }

    /// At the end of a frame: begins the next fragment, or continues this one.
    fn synchronise(&mut self, seen: &Observation<'_>) {
        let Some((support, _, late)) = self.queue.top() else { return };
        let Some((first, last)) = self.queue.present() else { return };
        let over = self.frame >= last;
        let lands = match swinging(support).filter(|_| self.rules.sync) {
            Some(side) => {
                let ready = (self.frame - first) as f64 > self.rules.landing * (last - late - first) as f64;
                ready && self.touches(side, seen)
            }
            None => over,
        };
        if lands {
            let work = self.work.get_or(|| Work::new(&self.figure.model));
            let from = &mut work.q;
            from.copy_from_slice(&self.targets.poses[0]);
            if self.rules.warp_from == WarpFrom::Simulated {
                self.figure.copy_but_place(seen.q, from);
            }
            if self.queue.next(self.frame, from).is_ok() {
                let stops = matches!(self.queue.top(), Some((Support::Double, ..)));
                self.steps += usize::from(swinging(support).is_some());
                self.stopped = stops && self.steps > 0;
                if self.stopped {
                    self.stopped_in.copy_from_slice(from);
                }
                self.feed();
                return;
            }
        }
        // a late landing; at the end of all the last pose is held
        if over && late < LATE && swinging(support).is_some() {
            // the queue holds one more fragment, so that it can be extended
            let _ = self.queue.extend();
        }
    }

    /// Whether a foot touches anything.
    fn touches(&self, side: Side, seen: &Observation<'_>) -> bool {
        let springs = seen.known.contact_forces.is_some();
        let contacts = if springs { seen.ahead } else { seen.contacts };
        contacts.iter().any(|c| {
            let down = if springs { c.distance < 0.0 } else { c.force.dot(&c.normal) > 0.0 };
            down && self.figure.is_foot(side, c.body)
        })
    }

    /// Computes the target of the next frame. The placements of the simulated state are in the workspace.
    fn aim(&mut self, seen: &Observation<'_>) {
        let DataDriven { figure, queue, work, gains, rules, .. } = self;
        let work = work.get_or(|| Work::new(&figure.model));
        let Work { data, pose, q, captured, .. } = work;
        let (frame, next) = (self.frame, self.frame + 1);
        let Some((support, ground, late)) = queue.top() else { return };
        let Some((first, last)) = queue.present() else { return };
        let swing = swinging(support);
        let stance = swing.map_or(Side::Right, Side::other);
        let centre = |data: &mut Data, q: &[f64]| match rules.mass_centre {
            true => center_of_mass(&figure.model, data, q),
            false => figure.hips(data),
        };
        let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);

        // captured: where the pelvis is and goes at the frame that is reached
        let mut look = |at: usize, pose: &mut Data| {
            captured.copy_from_slice(queue.top_segment(at.min(last)).unwrap_or(&self.targets.poses[0]));
            figure.look_at(pose, captured);
            centre(pose, captured)
        };
        let ahead = look(next, pose);
        let foot = figure.turn(pose, figure.legs[stance as usize].foot);
        let here = look(frame, pose);
        let wanted_place = flat(here - figure.ankle(pose, stance));
        let before = if self.begun { self.captured } else { here };
        let span = if self.begun { 2.0 } else { 1.0 };
        let wanted_velocity = flat(ahead - before) * (RATE / span);
        self.captured = here;
        if wanted_velocity.norm() > SLOW {
            self.memory.along = wanted_velocity.normalize();
        }

        // simulated
        let hips = centre(data, seen.q);
        let velocity = match rules.mean_speed {
            true if self.begun => (hips - self.hips) * RATE,
            _ => data.point_velocity(&figure.model, figure.pelvis, &figure.hips(data)),
        };
        self.hips = hips;
        let swings = swing.unwrap_or(Side::Left);
        let ankle = figure.ankle(data, swings);
        let leg = &figure.legs[swings as usize];
        let rise = data.point_velocity(&figure.model, leg.foot, &ankle).z;
        let [now, then] = self.heights.map(|h| h[swings as usize]);
        let wanted = Wanted {
            stance,
            swings: swing.is_some(),
            phase: if late > 0 { 1.0 } else { (next - first) as f64 / (last - first).max(1) as f64 }.min(1.0),
            extended: late > 0,
            frame,
            foot,
            velocity: wanted_velocity,
            place: wanted_place,
            height: now - ground,
            rise: (now - then) * RATE,
        };
        let felt = Felt {
            velocity: flat(velocity),
            place: flat(hips - figure.ankle(data, stance)),
            pelvis: figure.turn(data, figure.pelvis),
            thigh: figure.turn(data, figure.legs[stance as usize].thigh),
            height: ankle.z
                - seen.terrain.height(ankle.x, ankle.y)
                - leg.height
                - gains.offset * figure.size(),
            rise,
        };
        self.errors = [felt.velocity - wanted.velocity, felt.place - wanted.place];

        q.copy_from_slice(queue.top_stitched(next.min(last)).unwrap_or(&self.targets.poses[0]));
        if self.stopped {
            Side::BOTH.into_iter().for_each(|side| figure.copy_leg(side, &self.stopped_in, q));
        }
        bend(figure, (gains, rules), (&wanted, &felt), &mut self.memory, pose, q);
        self.targets.push(figure, q);
        figure.look_at(pose, q);
        self.heights = [Side::BOTH.map(|side| figure.ankle(pose, side).z), self.heights[0]];
        self.begun = true;
    }
}

impl Controller for DataDriven {
    fn start(&self) -> Start {
        Start::standing(&self.figure.model, self.motion.start())
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        let (gains, rules) = (self.gains, self.rules);
        *self = DataDriven::new(self.figure.as_ref().clone(), self.motion.as_ref().clone());
        (self.gains, self.rules) = (gains, rules);
        self.until = seen.time;
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        let figure = Arc::clone(&self.figure);
        let model = &figure.model;
        let work = self.work.get_or(|| Work::new(model));
        forward_velocities(model, &mut work.data, seen.q, seen.v);
        let due = seen.time + 0.5 * seen.dt >= self.until;
        if due {
            self.until += 1.0 / RATE;
            if self.begun {
                self.frame += 1;
                self.synchronise(seen);
            } else {
                let work = self.work.get_or(|| Work::new(model));
                figure.look_at(&mut work.pose, &self.targets.poses[0]);
                self.heights = [Side::BOTH.map(|side| figure.ankle(&work.pose, side).z); 2];
            }
            self.aim(seen);
        }
        if due || self.rules.refresh != Refresh::Frame {
            let share = (1.0 - (self.until - seen.time) * RATE).clamp(0.0, 1.0);
            self.targets.desire(&figure, &self.gains, (self.rules.refresh, share), seen.q, seen.v);
        }
        let work = self.work.get_or(|| Work::new(model));
        let Work { data, inverse, .. } = work;
        match inverse.torques(&figure, data, seen, &self.targets.acceleration, out.torque()) {
            Ok(()) => ControlStatus::Good,
            Err(_) => {
                out.torque().fill(0.0);
                ControlStatus::FellBack
            }
        }
    }

    fn signals(&self, into: &mut Vec<f64>) {
        let (support, _, late) = self.queue.top().unwrap_or((Support::Double, 0.0, 0));
        let number = match support {
            Support::Double => 0.0,
            Support::LeftSwing => 1.0,
            Support::RightSwing => 2.0,
            Support::Flight => 3.0,
        };
        let [velocity, place] = self.errors;
        let left = Vec3::z().cross(&self.memory.along);
        into.extend([
            self.steps as f64,
            number,
            self.queue.phase(self.frame),
            late as f64,
            velocity.dot(&self.memory.along),
            velocity.dot(&left),
            place.dot(&self.memory.along),
            place.dot(&left),
        ]);
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        match group {
            "gains" => Some(&mut self.gains),
            "rules" => Some(&mut self.rules),
            _ => None,
        }
    }
}
