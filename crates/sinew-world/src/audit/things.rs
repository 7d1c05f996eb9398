//! The other side of a contact: recorded shapes and poses of objects.

use super::surface;
use crate::ContactForce;
use crate::recording::Info;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_dynamics::{BodySpec, Model};

/// Shapes of the objects that contacts point to, and their recorded poses.
#[derive(Debug)]
pub(super) struct Things {
    bodies: Vec<Vec<(usize, BodySpec)>>,
    itself: Option<usize>,
}

impl Things {
    pub(super) fn new(info: &Info) -> Things {
        let of = |thing: &String| {
            let model = info.meta.objects.get(thing).and_then(|text| Model::from_mjcf(text).ok());
            let bodies = model.map_or_else(Vec::new, |(model, _)| model.bodies().to_vec());
            let alone = bodies.len() == 1;
            let placed = |body: BodySpec| {
                let name = if alone { thing.clone() } else { format!("{thing}/{}", body.name) };
                Some((info.object_names.iter().position(|o| *o == name)?, body))
            };
            bodies.into_iter().filter_map(placed).collect()
        };
        Things { bodies: info.things.iter().map(of).collect(), itself: info.itself() }
    }

    /// Distance of a contact from the shapes of its object, beyond the gap; infinite when the object is not recorded.
    /// `None`: the other side is the ground, or the character itself.
    pub(super) fn off(&self, contact: &ContactForce, poses: &[[f64; 7]]) -> Option<f64> {
        let thing = contact.other.filter(|_| contact.other != self.itself)?;
        let from = |(pose, body): &(usize, BodySpec)| {
            let at = placement(poses.get(*pose)?);
            surface::distance(body, &at.inverse().act(&contact.point))
        };
        let near = self.bodies.get(thing).into_iter().flatten().filter_map(from).min_by(f64::total_cmp);
        Some(near.map_or(f64::INFINITY, |d| (d - contact.distance.abs()).max(0.0)))
    }
}

/// A recorded pose.
pub(super) fn placement(pose: &[f64; 7]) -> Placement {
    let [x, y, z, qw, qx, qy, qz] = *pose;
    Placement { rot: rotation::matrix_of_wxyz(qw, qx, qy, qz), pos: Vec3::new(x, y, z) }
}
