//! From the steps of a recording to evenly spaced frames.
//!
//! A step lasts a millisecond or so, a frame of the page 1/60 s. Placements at the time of a frame lie between those of the
//! two steps around it: straight lines for origins, the straight line between unit quaternions (brought back to unit
//! length) for orientations. A force of a frame is the mean over the steps that begin before the next frame, so that
//! frames keep the momentum that the forces carry and even a push of one step is seen. Of torques the greatest in that time counts. Forces of successive steps on the same
//! body from the same side within 4 cm count as one.
//!
//! Memory grows with the frames, not with the steps.

use super::drawing;
use super::scene::{Force, Forces, Frames};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Data, Model, center_of_mass};
use sinew::world::recording::Row;

/// Frames per second.
pub const RATE: f64 = 60.0;
/// Contacts of a body closer than this, m, are one arrow.
const SAME_PLACE: f64 = 0.04;
/// Part of a frame by which times may be rounded.
const SLACK: f64 = 1e-6;

/// Places of all parts and of the centre of mass at one time.
#[derive(Clone, Debug, Default)]
struct Moment {
    time: f64,
    poses: Vec<[f64; 7]>,
    com: Vec3,
}

/// Takes steps one after the other and makes frames of them.
#[derive(Debug, Default)]
pub struct Resampler {
    frames: Frames,
    start: Option<f64>,
    before: Moment,
    now: Moment,
    contacts: Mean,
    pushes: Mean,
    /// Greatest share of a torque limit in the frame so far, per body.
    efforts: Vec<f64>,
}

impl Resampler {
    /// Without any frame.
    pub fn new() -> Resampler {
        Resampler::default()
    }

    /// Takes a row; `model` and its workspace are those of the row.
    pub fn push(&mut self, model: &Model, data: &mut Data, row: &Row<'_>) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.time = row.frame.time;
        self.now.com = center_of_mass(model, data, row.frame.q);
        self.now.poses.clear();
        let body = |i| data.body_placement(model, BodyId(i));
        self.now.poses.extend((0..model.bodies().len()).map(|i| wide_pose(&body(i))));
        self.now.poses.extend_from_slice(row.objects);
        let start = *self.start.get_or_insert(row.frame.time);

        // frames whose time has come lie between the last row and this one
        loop {
            let time = start + self.frames.com.len() as f64 / RATE;
            if time > row.frame.time + SLACK / RATE {
                break;
            }
            if !self.frames.com.is_empty() {
                self.end_frame();
            }
            self.begin_frame(time);
        }
        let contacts = row.frame.contacts.iter();
        self.contacts.add(contacts.map(|c| (c.body, c.other, c.point, c.force)));
        self.pushes.add(row.frame.outside.iter().map(|f| (f.body, None, f.point, f.force)));
        self.efforts.resize(model.bodies().len(), 0.0);
        drawing::efforts(model, row.frame.tau, &mut self.efforts);
    }

    /// Time of the first frame and all frames.
    pub fn finish(mut self) -> (f64, Frames) {
        if !self.frames.com.is_empty() {
            self.end_frame();
        }
        (self.start.unwrap_or(0.0), self.frames)
    }

    fn begin_frame(&mut self, time: f64) {
        let (before, now) = (&self.before, &self.now);
        let span = now.time - before.time;
        // the first row has none before it
        let part = if self.frames.com.is_empty() || span <= 0.0 {
            1.0
        } else {
            ((time - before.time) / span).clamp(0.0, 1.0)
        };
        let com = if part < 1.0 { before.com.lerp(&now.com, part) } else { now.com };
        let last = self.frames.poses.len().checked_sub(now.poses.len());
        for (i, to) in now.poses.iter().enumerate() {
            let mut pose = if part < 1.0 { between(&before.poses[i], to, part) } else { *to };
            // q and −q are one orientation: keep to the half of the last frame, so that the page can go between
            let turned = last.is_some_and(|at| {
                let old = &self.frames.poses[at + i];
                (3..7).map(|k| pose[k] * f64::from(old[k])).sum::<f64>() < 0.0
            });
            if turned {
                pose[3..].iter_mut().for_each(|x| *x = -*x);
            }
            self.frames.poses.push(pose.map(|x| x as f32));
        }
        self.frames.com.push([com.x as f32, com.y as f32, com.z as f32]);
    }

    fn end_frame(&mut self) {
        self.contacts.flush(&mut self.frames.contacts);
        self.pushes.flush(&mut self.frames.pushes);
        self.frames.efforts.extend(self.efforts.iter().map(|x| *x as f32));
        self.efforts.fill(0.0);
    }
}

/// Mean of forces over the steps of a frame.
#[derive(Debug, Default)]
struct Mean {
    steps: usize,
    /// Body, what it touches, the place where it was first seen, sum of forces.
    sums: Vec<(usize, Option<usize>, Vec3, Vec3)>,
}

impl Mean {
    fn add(&mut self, forces: impl Iterator<Item = (usize, Option<usize>, Vec3, Vec3)>) {
        self.steps += 1;
        for (body, other, point, force) in forces {
            let known = self.sums.iter_mut().filter(|s| s.0 == body && s.1 == other);
            let apart = |s: &(usize, Option<usize>, Vec3, Vec3)| (s.2 - point).norm();
            match known.min_by(|a, b| apart(a).total_cmp(&apart(b))) {
                Some(sum) if apart(sum) < SAME_PLACE => sum.3 += force,
                _ => self.sums.push((body, other, point, force)),
            }
        }
    }

    fn flush(&mut self, into: &mut Forces) {
        let steps = self.steps.max(1) as f64;
        let single = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        let mean = self.sums.drain(..).map(|(body, _, point, sum)| Force {
            body: body as u32,
            point: single(point),
            force: single(sum / steps),
        });
        into.push_frame(&mean.collect::<Vec<_>>());
        self.steps = 0;
    }
}

fn wide_pose(at: &sinew::dynamics::spatial::Placement) -> [f64; 7] {
    let q = sinew::dynamics::spatial::rotation::from_matrix(&at.rot);
    [at.pos.x, at.pos.y, at.pos.z, q.w, q.i, q.j, q.k]
}

/// Between two poses that are close to each other.
fn between(a: &[f64; 7], b: &[f64; 7], part: f64) -> [f64; 7] {
    let sign = if (3..7).map(|k| a[k] * b[k]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let mut out: [f64; 7] = std::array::from_fn(|k| {
        let to = if k < 3 { b[k] } else { sign * b[k] };
        a[k] + (to - a[k]) * part
    });
    let length = out[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        out[3..].iter_mut().for_each(|x| *x /= length);
    }
    out
}
