//! The authors' soles: points instead of boxes, so that soft ground carries a foot evenly at any inclination.
//!
//! Under every foot are six half-spheres of 5 cm, at the corners (1 cm inside) and in the middle of the long sides, which touch the
//! sole's plane. Each has one vertex at its bottom, six at 60° and six at 30° below its equator: 78 per foot, each with a spring of
//! its own. A person of 47 kg sinks 11.2 mm on one foot and 8.5 mm on two.

use crate::ControlError;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Geom, Model, Role, Shape, Side};
use sinew_motion::Sole;
use std::f64::consts::FRAC_PI_3;
use std::sync::Arc;

/// Radius of the half-spheres, m.
const BALL: f64 = 0.05;
/// How far their centres are inside of the corners, m.
const INSET: f64 = 0.01;
/// Heights of vertices over the bottom and distances from the axis, over the radius: at 90°, 60° and 30° below the equator.
const RINGS: [(usize, f64, f64); 3] =
    [(1, 0.0, 0.0), (6, 1.0 - 0.866_025_403_784_438_6, 0.5), (6, 0.5, 0.866_025_403_784_438_6)];
/// Radius of the balls that stand for points, m.
const POINT: f64 = 1e-4;

/// The same body on point soles with this coefficient of friction. The feet's own shapes are drawn but do not collide.
///
/// # Errors
/// When a foot has no sole.
pub(super) fn with_point_soles(model: &Arc<Model>, friction: f64) -> Result<Arc<Model>, ControlError> {
    let lacks = |what: String, remedy: &str| ControlError::Body {
        model: model.name().to_owned(),
        what,
        remedy: remedy.to_owned(),
    };
    let mut spec = model.spec().clone();
    for side in Side::BOTH {
        let role = Role::Foot(side);
        let foot = model
            .role(role)
            .ok_or_else(|| lacks(role.to_string(), "give it in a role table or in a side file"))?;
        let sole = Sole::of(model, side).ok_or_else(|| {
            lacks(format!("sole under {role}"), "give the foot a box, or shapes that span an area")
        })?;
        let solid = |g: &Geom| g.contype | g.conaffinity != 0;
        let bodies = [Some(foot), model.role(Role::Toe(side))];
        let mut like = None;
        for body in bodies.into_iter().flatten() {
            for geom in spec.bodies[body.0].geoms.iter_mut().filter(|g| solid(g)) {
                like.get_or_insert_with(|| geom.clone());
                (geom.contype, geom.conaffinity) = (0, 0);
            }
        }
        let Some(like) = like else { continue };
        // corners in the axes of the foot, and the sole's own axes
        let at = model.spec().reference_placements();
        let local = |p: &sinew_motion::BodyPoint| at[foot.0].inverse().act(&at[p.body.0].act(&p.at));
        let [heel_left, heel_right] = [0, 1].map(|k| local(&sole.heel[k]));
        let [toe_left, toe_right] = [0, 1].map(|k| local(&sole.toe[k]));
        let ahead = ((toe_left + toe_right) - (heel_left + heel_right)).normalize();
        let left = (toe_left + heel_left) - (toe_right + heel_right);
        let left = (left - ahead * ahead.dot(&left)).normalize();
        let up = ahead.cross(&left);
        let inset = |corner: Vec3, x: f64, y: f64| corner - ahead * (x * INSET) - left * (y * INSET);
        let middle = |a: &Vec3, b: &Vec3, y: f64| (a + b) * 0.5 - left * (y * INSET);
        let centres = [
            inset(toe_left, 1.0, 1.0),
            inset(toe_right, 1.0, -1.0),
            middle(&toe_left, &heel_left, 1.0),
            middle(&toe_right, &heel_right, -1.0),
            inset(heel_left, -1.0, 1.0),
            inset(heel_right, -1.0, -1.0),
        ];
        for bottom in centres {
            for (count, height, radius) in RINGS {
                for k in 0..count {
                    let (s, c) = libm::sincos(FRAC_PI_3 * k as f64);
                    let at = bottom + up * (height * BALL + POINT) + (ahead * c + left * s) * (radius * BALL);
                    spec.bodies[foot.0].geoms.push(Geom {
                        name: String::new(),
                        shape: Shape::Sphere { radius: POINT },
                        pos: at,
                        friction,
                        ..like.clone()
                    });
                }
            }
        }
    }
    let built = Model::new(spec).map_err(|e| lacks("point soles".to_owned(), &e.to_string()))?;
    Ok(Arc::new(built))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_dynamics::{Data, characters, forward_kinematics};

    /// 78 points per foot, on springs of 2000 N/m, carry 47 kg at a depth of 11.225 mm on one foot and 8.483 mm on two.
    #[test]
    fn soles_sink_as_deep_as_they_should() {
        let file = Arc::new(characters::load("human42").unwrap());
        let model = with_point_soles(&file, 2.0).unwrap();
        assert_eq!((model.nv(), model.mass()), (file.nv(), file.mass()));
        let mut data = Data::new(&model);
        forward_kinematics(&model, &mut data, &model.neutral());
        for (feet, sunk) in [(1, 0.011225), (2, 0.008483)] {
            let mut load = 0.0;
            for side in &Side::BOTH[..feet] {
                let foot = model.role(Role::Foot(*side)).unwrap();
                let at = data.body_placement(&model, foot);
                let points = model.bodies()[foot.0].geoms.iter().filter(|g| g.contype != 0);
                let heights: Vec<f64> = points.map(|g| at.act(&g.pos).z - POINT).collect();
                assert_eq!(heights.len(), 78);
                load += heights.iter().map(|z| 2000.0 * (sunk - z).max(0.0)).sum::<f64>();
            }
            assert!((load - 47.0 * 9.8).abs() < 0.1, "{feet}: {load} N");
        }
    }
}
