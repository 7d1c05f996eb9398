//! How far the joints of the legs are from the captured ones.

use crate::Clip;
use serde::Serialize;
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Role, Side, forward_kinematics};

/// Angles by which a joint was turned by the clean-up over all frames, degrees; flexion is positive, and lifting the toes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// Mean.
    pub mean_deg: f64,
    /// 5th percentile.
    pub p5_deg: f64,
    /// 95th percentile.
    pub p95_deg: f64,
}

/// The joints of a leg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LegChanges {
    /// Hip, flexion.
    pub hip: Change,
    /// Knee, flexion.
    pub knee: Change,
    /// Ankle, lifting the toes.
    pub ankle: Change,
    /// Greatest bend of the ankle that the result has, 99th percentile, degrees from the reference pose.
    pub ankle_p99_deg: f64,
}

impl Change {
    fn of(mut angles: Vec<f64>) -> Change {
        let mean = angles.iter().sum::<f64>() / angles.len().max(1) as f64;
        angles.sort_by(f64::total_cmp);
        Change {
            mean_deg: mean.to_degrees(),
            p5_deg: percentile(&angles, 0.05).to_degrees(),
            p95_deg: percentile(&angles, 0.95).to_degrees(),
        }
    }

    /// The greater of both percentiles' sizes, degrees.
    pub fn size_deg(&self) -> f64 {
        self.p5_deg.abs().max(self.p95_deg.abs())
    }
}

/// Of sorted numbers.
pub(super) fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = libm::round(share * sorted.len().saturating_sub(1) as f64) as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

/// Changes from one motion of a body to another of as many frames.
pub(super) fn of(before: &Clip, after: &Clip) -> [LegChanges; 2] {
    let model = before.model();
    let rest = model.spec().reference_placements();
    let mut data = [Data::new(model), Data::new(model)];
    // per side and joint: parent, child, sign of flexion about the lateral axis
    let joints = Side::BOTH.map(|side| {
        let role = |role| model.role(role);
        let parts = [
            (role(Role::Pelvis), role(Role::Thigh(side)), -1.0),
            (role(Role::Thigh(side)), role(Role::Shin(side)), 1.0),
            (role(Role::Shin(side)), role(Role::Foot(side)), -1.0),
        ];
        parts.map(|(parent, child, sign)| parent.zip(child).map(|(p, c)| (p, c, sign)))
    });
    let mut angles: [[Vec<f64>; 3]; 2] = Default::default();
    let mut bends: [Vec<f64>; 2] = Default::default();
    for (a, b) in before.frames().zip(after.frames()) {
        forward_kinematics(model, &mut data[0], a);
        forward_kinematics(model, &mut data[1], b);
        for side in 0..2 {
            for (k, joint) in joints[side].iter().enumerate() {
                let Some((parent, child, sign)) = joint else { continue };
                // turned from the reference pose, in axes that look forward
                let turned = |d: &Data| {
                    let at = |body: BodyId| d.body_placement(model, body).rot * rest[body.0].rot.transpose();
                    at(*parent).tr_mul(&at(*child))
                };
                let [was, is] = [turned(&data[0]), turned(&data[1])];
                let lateral = |m: &Mat3| sign * rotation::log(&rotation::from_matrix(m)).dot(&Vec3::y());
                angles[side][k].push(lateral(&was.tr_mul(&is)));
                if k == 2 {
                    bends[side].push(lateral(&is));
                }
            }
        }
    }
    [0, 1].map(|side| {
        let [hip, knee, ankle] = core::mem::take(&mut angles[side]).map(Change::of);
        let bends = &mut bends[side];
        bends.sort_by(f64::total_cmp);
        LegChanges { hip, knee, ankle, ankle_p99_deg: percentile(bends, 0.99).to_degrees() }
    })
}
