//! A plan as a recording, which the audit can prove.

use super::{Ends, POINTS, Plan, Points};
use crate::controller::ControlError;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, forward_kinematics};
use sinew_world::recording::{Meta, Recorder, RecordingError};
use sinew_world::{ContactForce, StepFrame};

/// Writes the rows of a plan: `cycles` times for one that cycles, once for any other. The force on a point is shared by its two
/// corners.
///
/// # Errors
/// When the recorder cannot take a row.
pub fn record(plan: &Plan, cycles: usize, recorder: &mut Recorder) -> Result<(), RecordingError> {
    let reference = &plan.reference;
    let model = &reference.model;
    let points = Points::of(model).map_err(|e: ControlError| RecordingError::Meta(e.to_string()))?;
    let mut data = Data::new(model);
    let zeros = vec![0.0; model.nv()];
    let (mut q, mut v) = (vec![0.0; model.nq()], vec![0.0; model.nv()]);
    let mut contacts = Vec::with_capacity(2 * POINTS);
    // an open motion has no velocity at its first frame
    let (travel, frames) = match reference.ends {
        Ends::Cycle(travel) => (travel, 0..plan.len() * cycles.max(1)),
        Ends::Open { .. } => (sinew_motion::Travel::NONE, 1..plan.len()),
    };
    let first = frames.start;
    for row in frames {
        let (k, move_by) = (row % plan.len(), travel.power((row / plan.len()) as i64));
        q.copy_from_slice(plan.configuration(k));
        v.copy_from_slice(plan.velocity(k));
        move_by.apply_to(model, &mut q);
        if let Some(root) = model.free_root() {
            let turned = move_by.direction(&Vec3::from_column_slice(&v[root.v..root.v + 3]));
            v[root.v..root.v + 3].copy_from_slice(turned.as_slice());
        }
        forward_kinematics(model, &mut data, &q);
        contacts.clear();
        for p in (0..POINTS).filter(|p| reference.down[k][*p]) {
            let force = move_by.direction(&plan.forces[k][p]) * 0.5;
            contacts.extend(points.corners[p].iter().map(|corner| {
                let point = corner.in_world(model, &data);
                ContactForce {
                    body: corner.body.0,
                    other: None,
                    point,
                    force,
                    normal: Vec3::z(),
                    distance: point.z - reference.level[k][p],
                    friction: 1.0,
                }
            }));
        }
        let time = (row - first) as f64 / reference.rate;
        let frame = StepFrame {
            time,
            q: &q,
            v: &v,
            tau: plan.torques(k),
            constraint: &zeros,
            contacts: &contacts,
            outside: &[],
        };
        recorder.push(&frame, &[], &[])?;
    }
    Ok(())
}

impl Plan {
    /// What a recording of the plan says about itself.
    pub fn meta(&self) -> Meta {
        let mut meta = Meta::new(1.0 / self.reference.rate);
        meta.scenario.clone_from(&self.reference.name);
        meta.contact_model = "planned forces".to_owned();
        meta.actor = self.reference.model.name().to_owned();
        meta
    }
}
