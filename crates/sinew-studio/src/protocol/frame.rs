//! One moment as bytes, little endian.
//!
//! ```text
//! u8 1, u8 number of lanes, u8 flags (1: time goes on; 2: shown from the past), u8 0
//! u32 generation          the scene that it shows
//! f64 time                s
//! f64 oldest, f64 newest  range of rewinding, s
//! u64 fingerprint         of the bits of all configurations and velocities
//! f32 rate                measured seconds of the world per second
//! f32 heading             asked for, rad
//! per lane:
//!   f32 × 3 centre of mass, × 3 its velocity, × 3 capture point
//!   f32 × 3 centre of pressure (NaN without contact)
//!   f32 facing, rad
//!   f32 µs of the controller per step, µs of the world per step
//!   f32 greatest torque over its limit
//!   f32 × 3 outside force in the last step, N; × 3 its impulse since the push began, N·s; greatest force, N; u32 number of the push
//!   u32 the controller's less than good decisions since the last frame
//!   u16 parts, u16 contacts, u16 outside forces, u16 joints' torques
//!   per part 7 × f32: place, quaternion w x y z (bodies, then things, then platforms)
//!   per contact u32 body, 3 × f32 point, 3 × f32 force
//!   per outside force the same
//!   per body f32: greatest torque over its limit among its joints
//! ```

use crate::session::lane::{ACTOR, Lane};
use crate::view::drawing;
use sinew::dynamics::spatial::{Placement, Vec3, rotation};
use sinew::dynamics::{BodyId, Data, forward_kinematics};
use sinew::lab::fall::capture_point;

/// Kind of a frame among binary messages.
pub const KIND: u8 = 1;

/// What stands before the lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// Number of lanes.
    pub lanes: u8,
    /// Whether time goes on.
    pub playing: bool,
    /// Whether the present is later than what is shown.
    pub past: bool,
    /// The scene that it shows.
    pub generation: u32,
    /// s.
    pub time: f64,
    /// Range of rewinding, s.
    pub range: [f64; 2],
    /// Of the bits of the state.
    pub fingerprint: u64,
    /// Seconds of the world per second.
    pub rate: f32,
    /// Asked for, rad.
    pub heading: f32,
}

impl Head {
    /// Begins a frame.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.clear();
        out.extend([KIND, self.lanes, u8::from(self.playing) | u8::from(self.past) << 1, 0]);
        out.extend(self.generation.to_le_bytes());
        for time in [self.time, self.range[0], self.range[1]] {
            out.extend(time.to_le_bytes());
        }
        out.extend(self.fingerprint.to_le_bytes());
        out.extend(self.rate.to_le_bytes());
        out.extend(self.heading.to_le_bytes());
    }
}

/// Appends a lane; `frames` is a workspace per actor.
pub fn write_lane(lane: &mut Lane, frames: &mut Vec<Data>, out: &mut Vec<u8>) {
    let (com, velocity) = lane.com();
    let facing = lane.facing();
    let spent = lane.take_spent();
    let world = lane.world();
    let (actor, frame) = (&world.actors()[ACTOR], world.frame(ACTOR));
    let model = actor.model();
    let bearing = frame.contacts.iter().filter(|c| c.other.is_none());
    let ground = bearing.clone().map(|c| c.point.z).fold(f64::INFINITY, f64::min);
    let ground = if ground.is_finite() { ground } else { world.terrain().height(com.x, com.y) };
    let load: f64 = bearing.clone().map(|c| c.force.z).sum();
    let pressure = bearing.map(|c| c.point * c.force.z).sum::<Vec3>() / load;
    let pressure = if load > 1.0 { pressure } else { Vec3::repeat(f64::NAN) };
    let capture = capture_point(&com, &velocity, ground, model.gravity().norm().max(1e-3));
    put(out, com.iter().chain(&velocity).chain(&capture).chain(&pressure).copied());

    let per_step = |d: std::time::Duration| 1e6 * d.as_secs_f64() / f64::from(spent.steps.max(1));
    let mut efforts = vec![0.0; model.bodies().len()];
    drawing::efforts(model, frame.tau, &mut efforts);
    let peak = efforts.iter().copied().fold(0.0, f64::max);
    put(out, [facing, per_step(spent.control), per_step(spent.world), peak].into_iter());
    let meter = lane.meter();
    put(out, meter.force.iter().chain(&meter.impulse).copied().chain([meter.peak]));
    out.extend(meter.count.to_le_bytes());
    out.extend(spent.poor.to_le_bytes());

    let bodies: usize = world.actors().iter().map(|a| a.model().bodies().len()).sum();
    let parts = bodies + world.platforms().len();
    for count in [parts, frame.contacts.len(), frame.outside.len(), model.bodies().len()] {
        out.extend((count.min(usize::from(u16::MAX)) as u16).to_le_bytes());
    }
    if frames.len() != world.actors().len() {
        *frames = world.actors().iter().map(|a| Data::new(a.model())).collect();
    }
    for (actor, data) in world.actors().iter().zip(frames) {
        forward_kinematics(actor.model(), data, &actor.q);
        for body in 0..actor.model().bodies().len() {
            put(out, pose(&data.body_placement(actor.model(), BodyId(body))).into_iter());
        }
    }
    for platform in world.platforms() {
        put(out, pose(&platform.path.at(world.time()).0).into_iter());
    }
    for contact in frame.contacts {
        force(out, contact.body, &contact.point, &contact.force);
    }
    for outside in frame.outside {
        force(out, outside.body, &outside.point, &outside.force);
    }
    put(out, efforts.into_iter());
}

/// Position and quaternion w x y z.
pub fn pose(at: &Placement) -> [f64; 7] {
    let q = rotation::from_matrix(&at.rot);
    [at.pos.x, at.pos.y, at.pos.z, q.w, q.i, q.j, q.k]
}

fn put(out: &mut Vec<u8>, numbers: impl Iterator<Item = f64>) {
    out.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
}

fn force(out: &mut Vec<u8>, body: usize, point: &Vec3, force: &Vec3) {
    out.extend((body as u32).to_le_bytes());
    put(out, point.iter().chain(force).copied());
}
