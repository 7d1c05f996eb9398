//! Which motions feet alone can carry: others are refused, with the reason.

use crate::controller::ControlError;
use sinew_dynamics::{Data, Model, Role, Side, forward_kinematics};
use sinew_motion::Clip;

/// No flight of a person lasts longer, s.
const FLIGHT: f64 = 0.8;
/// A hand, a head or a trunk whose mass centre is lower than this over the ground lies on it, m for a body of 1.7 m.
const LIES: f64 = 0.1;
/// For so long, s.
const RESTS: f64 = 0.15;

/// Refuses a motion with contacts in which something else than the feet carries the body.
pub(super) fn able(clip: &Clip) -> Result<(), ControlError> {
    let Some(contacts) = &clip.contacts else { return Ok(()) };
    let refused = |why: String| Err(ControlError::Preparation(format!("{}: {why}", clip.name)));
    let span = |run: core::ops::Range<usize>| {
        format!("from {:.1} to {:.1} s", run.start as f64 / clip.rate, run.end as f64 / clip.rate)
    };
    let flies = |k: usize| Side::BOTH.iter().all(|side| !contacts.down(*side, k));
    if let Some(run) = longest(clip.len(), flies).filter(|run| run.len() as f64 > FLIGHT * clip.rate) {
        return refused(format!(
            "no foot is on the ground {}, longer than any flight; what hangs or is carried cannot be followed",
            span(run)
        ));
    }
    let model = clip.model();
    let mut data = Data::new(model);
    let parts = [
        (Role::Hand(Side::Left), "the left hand"),
        (Role::Hand(Side::Right), "the right hand"),
        (Role::Head, "the head"),
        (Role::Trunk, "the trunk"),
    ];
    let least = LIES * size(model) / 1.7;
    for (body, what) in parts.into_iter().filter_map(|(role, what)| Some((model.role(role)?, what))) {
        let heights: Vec<f64> = clip
            .frames()
            .map(|q| {
                forward_kinematics(model, &mut data, q);
                data.body_placement(model, body).act(&model.bodies()[body.0].inertia.com).z
            })
            .collect();
        let lies = |k: usize| heights[k] < least;
        if let Some(run) = longest(clip.len(), lies).filter(|run| run.len() as f64 > RESTS * clip.rate) {
            return refused(format!("{what} is on the ground {}; only feet can carry a plan", span(run)));
        }
    }
    Ok(())
}

/// Height of the body in its neutral pose, m.
fn size(model: &Model) -> f64 {
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &model.neutral());
    data.extent(model, &sinew_dynamics::spatial::Vec3::z()).map_or(1.7, |[low, high]| high - low)
}

/// The longest run of frames with a property.
fn longest(count: usize, has: impl Fn(usize) -> bool) -> Option<core::ops::Range<usize>> {
    let (mut best, mut start) = (0..0, 0);
    for k in 0..=count {
        if k < count && has(k) {
            continue;
        }
        if k - start > best.len() {
            best = start..k;
        }
        start = k + 1;
    }
    (!best.is_empty()).then_some(best)
}
