//! Soles: the points of a foot that can carry weight.

use crate::ControlError;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{BodyId, Model, Role, Shape, Side};

/// The rectangle under a foot, in the foot's frame when the foot is flat on level ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Sole {
    /// The foot.
    pub body: BodyId,
    /// Left or right.
    pub side: Side,
    /// Corners in the body's frame: toe left, toe right, heel left, heel right.
    pub corners: [Vec3; 4],
    /// The middle of the corners.
    pub center: Vec3,
    /// Rotation of the foot's frame in the world when it is flat and points along x.
    pub flat: sinew_dynamics::spatial::Mat3,
    /// From heel to toe, m.
    pub length: f64,
    /// From side to side, m.
    pub width: f64,
}

impl Sole {
    /// The sole of one foot of a model: the bounding rectangle of the lowest centimetre of the foot's colliding shapes in
    /// the body's reference placement.
    pub fn of(model: &Model, side: Side) -> Result<Sole, ControlError> {
        let missing = |what: String, remedy: &str| ControlError::Body {
            model: model.name().into(),
            what,
            remedy: remedy.into(),
        };
        let body = model.role(Role::Foot(side)).ok_or_else(|| {
            missing(format!("{}", Role::Foot(side)), "give it in a role table or in a side file")
        })?;
        let foot = model.spec().reference_placements()[body.0];
        let points: Vec<Vec3> = model.bodies()[body.0]
            .geoms
            .iter()
            .filter(|g| g.contype != 0 || g.conaffinity != 0)
            .flat_map(|g| low_points(&g.shape, &(foot * g.placement())))
            .collect();
        let lowest = points.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
        let low = || points.iter().filter(move |p| p.z < lowest + 0.01);
        let range = |axis: usize| {
            low().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], p| [a.min(p[axis]), b.max(p[axis])])
        };
        let ([x0, x1], [y0, y1]) = (range(0), range(1));
        if !(x1 - x0 > 1e-3 && y1 - y0 > 1e-3) {
            return Err(missing(
                format!("sole under \"{}\"", model.bodies()[body.0].name),
                "give the foot a box, or capsules that span an area",
            ));
        }
        let to_body = foot.inverse();
        let corner = |x: f64, y: f64| to_body.act(&Vec3::new(x, y, lowest));
        let corners = [corner(x1, y1), corner(x1, y0), corner(x0, y1), corner(x0, y0)];
        Ok(Sole {
            body,
            side,
            center: corners.iter().sum::<Vec3>() / 4.0,
            corners,
            flat: foot.rot,
            length: x1 - x0,
            width: y1 - y0,
        })
    }

    /// The middle of the front edge, in the foot's frame.
    pub fn toe(&self) -> Vec3 {
        (self.corners[0] + self.corners[1]) * 0.5
    }

    /// The middle of the back edge, in the foot's frame.
    pub fn heel(&self) -> Vec3 {
        (self.corners[2] + self.corners[3]) * 0.5
    }
}

/// Points of a shape that may be lowest: corners of a box, ends of a capsule, bottoms of round shapes.
fn low_points(shape: &Shape, at: &Placement) -> Vec<Vec3> {
    let down = -Vec3::z();
    match shape {
        Shape::Box { half } => (0..8)
            .map(|k| {
                let sign = |bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
                at.act(&Vec3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z))
            })
            .collect(),
        Shape::Capsule { radius, half } => {
            [1.0, -1.0].map(|s| at.act(&(Vec3::z() * (s * half))) + down * *radius).to_vec()
        }
        other => vec![at.act(&other.support(&at.rot.tr_mul(&down)))],
    }
}
