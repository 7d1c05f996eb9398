//! Keeps the lowest point of every stored pose at its height.

use crate::spatial::Vec3;
use crate::{BodyId, Data, JointKind, Model, ModelSpec, forward_kinematics};

/// Where the root of a model can be moved along the vertical.
enum Lift {
    /// First of a free joint's three coordinates of position.
    Free(usize),
    /// A slide's coordinate, and the height per unit of it.
    Slide(usize, f64),
}

/// Lowest point of the reference pose and of every keyframe; `None` without shapes.
pub(super) fn heights(model: &Model) -> Vec<Option<f64>> {
    let mut data = Data::new(model);
    let poses = core::iter::once(model.neutral()).chain(model.spec().keyframes.iter().map(|k| k.q.clone()));
    poses.map(|q| lowest(model, &mut data, &q)).collect()
}

fn lowest(model: &Model, data: &mut Data, q: &[f64]) -> Option<f64> {
    forward_kinematics(model, data, q);
    data.extent(model, &model.up()).map(|[low, _]| low)
}

/// The description with the root moved so that each pose's lowest point is at these heights (`None`: all at 0).
pub(super) fn moved_to(model: Model, wanted: Option<&[Option<f64>]>) -> ModelSpec {
    let now = heights(&model);
    let lift: Vec<f64> = now
        .iter()
        .enumerate()
        .map(|(k, low)| match (low, wanted.map_or(Some(0.0), |w| w[k])) {
            (Some(low), Some(wanted)) => wanted - low,
            _ => 0.0,
        })
        .collect();
    if lift.iter().all(|l| *l == 0.0) {
        return model.spec().clone();
    }
    let up = model.up();
    let lifts = root_lifts(&model, &up);
    let mut spec = model.spec().clone();
    // a root's frame is where the reference pose puts it
    lifts.iter().for_each(|(body, _)| spec.bodies[*body].pos += up * lift[0]);
    for (k, key) in spec.keyframes.iter_mut().enumerate() {
        for (_, at) in &lifts {
            match *at {
                Lift::Free(q) => (0..3).for_each(|i| key.q[q + i] += up[i] * lift[k + 1]),
                // a slide starts from the root's frame, which has moved already
                Lift::Slide(q, rise) => key.q[q] += (lift[k + 1] - lift[0]) / rise,
            }
        }
    }
    spec
}

/// The roots that can be lifted, and how. One that is fixed or turns about a pivot in the world stays.
fn root_lifts(model: &Model, up: &Vec3) -> Vec<(usize, Lift)> {
    let placements = model.spec().reference_placements();
    let lift = |i: usize| {
        let rise = |axis: Vec3| up.dot(&(placements[i].rot * axis));
        model.joints().iter().filter(|j| j.body == BodyId(i)).find_map(|j| match j.kind {
            JointKind::Free => Some((i, Lift::Free(j.q))),
            JointKind::Slide { axis } if rise(axis).abs() > 0.99 => Some((i, Lift::Slide(j.q, rise(axis)))),
            _ => None,
        })
    };
    let roots = model.bodies().iter().enumerate().filter(|(_, b)| b.parent.is_none());
    roots.filter_map(|(i, _)| lift(i)).collect()
}
