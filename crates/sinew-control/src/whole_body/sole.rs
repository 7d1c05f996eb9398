//! Soles: the points of a foot that can carry weight, in the foot's frame.

use crate::ControlError;
use sinew_dynamics::spatial::{Mat3, Vec3};
use sinew_dynamics::{BodyId, Model, Role, Side};

/// Cosine of the greatest inclination of the sole in the reference pose: 10°.
const LEVEL: f64 = 0.985;

/// The corners under a foot, in the foot's frame.
///
/// ```
/// use sinew_control::whole_body::Sole;
/// use sinew_dynamics::{characters, Side};
/// let human = characters::load("human")?;
/// let sole = Sole::of(&human, Side::Left)?;
/// assert!((sole.toe().x - sole.heel().x - 0.266).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sole {
    /// The foot.
    pub body: BodyId,
    /// Toe bodies attached to it.
    pub toes: Vec<BodyId>,
    /// Corners in the foot's frame: toe left, toe right, heel left, heel right.
    pub corners: [Vec3; 4],
    /// The middle of the corners.
    pub center: Vec3,
    /// Rotation of the foot's frame in the world when the sole is flat on level ground and points along x.
    pub flat: Mat3,
}

impl Sole {
    /// The sole of one foot. Separate toe bodies count as rigidly attached.
    ///
    /// # Errors
    /// When the body has no such foot, or a foot that spans no area.
    pub fn of(model: &Model, side: Side) -> Result<Sole, ControlError> {
        let lacks = |what: String, remedy: &str| ControlError::Body {
            model: model.name().into(),
            what,
            remedy: remedy.into(),
        };
        let role = Role::Foot(side);
        let body = model
            .role(role)
            .ok_or_else(|| lacks(role.to_string(), "give it in a role table or in a side file"))?;
        let stand = "give the foot a box, or shapes that span an area";
        let found = sinew_motion::Sole::of(model, side);
        let found = found.ok_or_else(|| lacks(format!("sole under {role}"), stand))?;
        let placements = model.spec().reference_placements();
        let foot = &placements[body.0];
        let world = [found.toe[0], found.toe[1], found.heel[0], found.heel[1]]
            .map(|p| placements[p.body.0].act(&p.at));
        let area = (world[0] - world[3]).cross(&(world[1] - world[2])).norm();
        if !(area > 1e-5) {
            return Err(lacks(format!("area under {role}"), stand));
        }
        let normal = (world[0] - world[3]).cross(&(world[1] - world[2])).normalize();
        if normal.z.abs() < LEVEL {
            let degrees = libm::acos(normal.z.abs().min(1.0)).to_degrees();
            return Err(lacks(
                format!("level {role}: it is tilted by {degrees:.0}° where all joints are at 0"),
                "give the body a reference pose in which it stands",
            ));
        }
        let corners = world.map(|p| foot.inverse().act(&p));
        let hangs = |k: &usize| {
            let mut up = std::iter::successors(model.bodies()[*k].parent, |b| model.bodies()[*b].parent);
            up.any(|above| above == body.0)
        };
        let toes = (0..model.bodies().len()).filter(hangs).map(BodyId).collect();
        Ok(Sole { body, toes, center: corners.iter().sum::<Vec3>() / 4.0, corners, flat: foot.rot })
    }

    /// Whether a body is the foot or one of its toes.
    pub fn owns(&self, body: usize) -> bool {
        self.body.0 == body || self.toes.iter().any(|toe| toe.0 == body)
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
