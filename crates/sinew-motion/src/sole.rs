//! Where a foot can stand: two points at the heel and two at the toes, found from its shapes.
//!
//! In the reference pose, which stands upright, every shape of the foot (and of the toes, when they are a body of their own)
//! gives its lowest points towards the four corners: a box its four lower corners, a capsule the lowest point under either end, a ball
//! its lowest point, all of them exactly, also when the foot of the reference pose is not quite level. Those near the lowest of all
//! make the sole; the corners are the ones farthest forward or back and to the left or right.

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Geom, Model, Role, Shape, Side};

/// Points higher than this above the lowest one do not belong to the sole, m.
const FLATNESS: f64 = 0.02;
/// Length from which on a foot without width is one, and half of the width that its sole then has, m.
const LINE: f64 = 0.05;
const STRIP: f64 = 2.5e-3;
/// How far a foot of the reference pose may be from level so that all of its corners are found, rad.
const TILT: f64 = 0.1;

/// A point fixed to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPoint {
    /// The body.
    pub body: BodyId,
    /// In the body's frame, m.
    pub at: Vec3,
}

impl BodyPoint {
    /// In the world, for the frames of the last algorithm.
    pub fn in_world(&self, model: &Model, data: &Data) -> Vec3 {
        data.body_placement(model, self.body).act(&self.at)
    }
}

/// The corners on which a foot stands, left point before right.
///
/// ```
/// use sinew_dynamics::{characters, Side};
/// use sinew_motion::Sole;
/// let human = characters::load("human")?;
/// let sole = Sole::of(&human, Side::Left).unwrap();
/// assert!((sole.toe[0].at.x - 0.1995).abs() < 1e-12 && (sole.heel[0].at.x + 0.0665).abs() < 1e-12);
/// assert!((sole.heel[0].at.z + 0.06825).abs() < 1e-12);
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// Behind.
    pub heel: [BodyPoint; 2],
    /// In front.
    pub toe: [BodyPoint; 2],
}

impl Sole {
    /// The sole of a foot; `None` when no body plays it or it has no shape.
    pub fn of(model: &Model, side: Side) -> Option<Sole> {
        let placements = model.spec().reference_placements();
        let foot = model.role(Role::Foot(side))?;
        let bodies = [Some(foot), model.role(Role::Toe(side)).filter(|toe| *toe != foot)];
        let mut points = Vec::new();
        for body in bodies.into_iter().flatten() {
            let at = &placements[body.0];
            let solid = |g: &&Geom| g.contype | g.conaffinity != 0;
            for geom in model.bodies()[body.0].geoms.iter().filter(solid) {
                for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                    let local = lowest_towards(
                        geom,
                        &at.rot.tr_mul(&-Vec3::z()),
                        &at.rot.tr_mul(&Vec3::new(x, y, 0.0)),
                    );
                    points.push((BodyPoint { body, at: local }, at.act(&local)));
                }
            }
        }
        // a foot that is one rod touches the ground along a line; its sole is a strip
        let along = |d: &Vec3| {
            let reach = points.iter().map(|(_, p)| p.dot(d));
            reach.clone().fold(f64::NEG_INFINITY, f64::max) - reach.fold(f64::INFINITY, f64::min)
        };
        if along(&Vec3::x()) > LINE && along(&Vec3::y()) < 2.0 * STRIP {
            for (k, (point, p)) in points.iter_mut().enumerate() {
                let aside = Vec3::y() * if k % 2 == 0 { STRIP } else { -STRIP };
                *p += aside;
                point.at += placements[point.body.0].rot.tr_mul(&aside);
            }
        }
        let lowest = points.iter().map(|(_, p)| p.z).fold(f64::INFINITY, f64::min);
        points.retain(|(_, p)| p.z <= lowest + FLATNESS);
        let corner = |x: f64, y: f64| {
            let reach = |p: &Vec3| x * p.x + 0.5 * y * p.y;
            points.iter().max_by(|a, b| reach(&a.1).total_cmp(&reach(&b.1))).map(|(point, _)| *point)
        };
        Some(Sole {
            heel: [corner(-1.0, 1.0)?, corner(-1.0, -1.0)?],
            toe: [corner(1.0, 1.0)?, corner(1.0, -1.0)?],
        })
    }

    /// All four points, heel first.
    pub fn corners(&self) -> [BodyPoint; 4] {
        [self.heel[0], self.heel[1], self.toe[0], self.toe[1]]
    }
}

/// The lowest point of a shape near a corner: the support in a direction down and a little towards the corner says which corner or end,
/// and what is round there is followed to its lowest point.
fn lowest_towards(geom: &Geom, down: &Vec3, corner: &Vec3) -> Vec3 {
    let direction = (down + corner * TILT).normalize();
    let round = match geom.shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
        _ => 0.0,
    };
    geom.support(&direction) + (down - direction) * round
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A foot of two capsules of radius 0.03 m along x, 0.2 m long, 0.06 m apart, pitched by an angle in degrees.
    fn capsules(pitch: f64) -> Model {
        let text = format!(
            r#"<mujoco><worldbody><body name="pelvis" pos="0 0 1"><freejoint/><geom size="0.1"/>
            <body name="left_foot" pos="0 0.1 -0.9" euler="0 {pitch} 0"><joint axis="0 1 0"/>
            <geom type="capsule" size="0.03" fromto="-0.05 -0.03 0 0.15 -0.03 0"/>
            <geom type="capsule" size="0.03" fromto="-0.05 0.03 0 0.15 0.03 0"/>
            </body></body></worldbody></mujoco>"#
        );
        let mut spec = Model::from_mjcf(&text).unwrap().0.spec().clone();
        spec.roles.set(Role::Foot(Side::Left), "left_foot");
        Model::new(spec).unwrap()
    }

    #[test]
    fn capsules_stand_on_the_points_under_their_ends() {
        for pitch in [0.0, 0.5, -3.0] {
            let (model, (s, c)) = (capsules(pitch), pitch.to_radians().sin_cos());
            let sole = Sole::of(&model, Side::Left).unwrap();
            let down = Vec3::new(s, 0.0, -c) * 0.03;
            let ends = [(-0.05, 0.03), (-0.05, -0.03), (0.15, 0.03), (0.15, -0.03)];
            for (found, (x, y)) in sole.corners().iter().zip(ends) {
                assert!((found.at - Vec3::new(x, y, 0.0) - down).norm() < 1e-12, "{pitch}°: {found:?}");
            }
        }
    }
}
