//! Shapes, marked points and actuators.

use crate::format::mesh::{self, Rule, TriangleMesh, convex_hull};
use crate::spatial::{Inertia, Placement, Quat, Sym3, Vec3};

/// A shape for contact and drawing.
///
/// ```
/// use sinew_dynamics::Shape;
/// let rod = Shape::Cylinder { radius: 0.01, half: 0.5 };
/// assert!((rod.volume() - 3.1416e-4).abs() < 1e-8);
/// assert!((rod.solid(1.0).about_com.xx - 1.0 / 12.0).abs() < 1e-4); // that of a thin rod
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Half-space below the frame's x-y plane; the half sizes are for drawing only (0: infinite).
    Plane {
        /// Half sizes in x and y, m.
        half: [f64; 2],
    },
    /// Sphere.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// Cylinder along z with hemispherical caps.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half length of the cylindrical part, m.
        half: f64,
    },
    /// Box.
    Box {
        /// Half sizes, m.
        half: Vec3,
    },
    /// Ellipsoid.
    Ellipsoid {
        /// Half axes, m.
        half: Vec3,
    },
    /// Cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half length, m.
        half: f64,
    },
    /// Convex hull of points.
    Mesh {
        /// Name of the mesh, as a file refers to it.
        name: String,
        /// Corners, m.
        vertices: Vec<Vec3>,
    },
}

impl Shape {
    /// Triangles of the convex hull of a mesh, as indices of its vertices, counter-clockwise seen from outside; `None` for other
    /// shapes, and for points that span no volume.
    pub fn hull_triangles(&self) -> Option<Vec<[usize; 3]>> {
        match self {
            Shape::Mesh { vertices, .. } => convex_hull(vertices),
            _ => None,
        }
    }
}

/// A shape placed in a body's frame.
///
/// ```
/// use sinew_dynamics::{Geom, Shape};
/// use sinew_dynamics::spatial::Vec3;
/// let mut sole = Geom::new(Shape::Box { half: Vec3::new(0.13, 0.05, 0.02) });
/// sole.pos.x = 0.05;
/// assert_eq!(sole.support(&Vec3::x()).x, 0.05 + 0.13); // the tip
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Geom {
    /// Name; may be empty.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Centre in the body's frame, m.
    pub pos: Vec3,
    /// Orientation in the body's frame.
    pub quat: Quat,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Collision group bits: two shapes meet when `(a.contype & b.conaffinity) | (b.contype & a.conaffinity)` is not 0.
    pub contype: u32,
    /// Bits that this shape can be hit by.
    pub conaffinity: u32,
    /// Colour: red, green, blue, opacity in 0..1.
    pub rgba: [f32; 4],
}

impl Geom {
    /// A shape at the body's origin, colliding with everything, friction 1.
    pub fn new(shape: Shape) -> Geom {
        Geom {
            name: String::new(),
            shape,
            pos: Vec3::zeros(),
            quat: Quat::identity(),
            friction: 1.0,
            contype: 1,
            conaffinity: 1,
            rgba: [0.5, 0.5, 0.5, 1.0],
        }
    }

    /// The shape's frame in the body's.
    pub fn placement(&self) -> Placement {
        Placement::new(self.quat, self.pos)
    }
}

impl Shape {
    /// Volume, m³ (0 for a plane; a mesh counts as the convex hull of its corners).
    pub fn volume(&self) -> f64 {
        use core::f64::consts::PI;
        match self {
            Shape::Plane { .. } => 0.0,
            Shape::Sphere { radius: r } => 4.0 / 3.0 * PI * r * r * r,
            Shape::Capsule { radius: r, half } => PI * r * r * (2.0 * half + 4.0 / 3.0 * r),
            Shape::Box { half: h } => 8.0 * h.x * h.y * h.z,
            Shape::Ellipsoid { half: h } => 4.0 / 3.0 * PI * h.x * h.y * h.z,
            Shape::Cylinder { radius: r, half } => 2.0 * PI * r * r * half,
            Shape::Mesh { vertices, .. } => hull_solid(vertices).mass,
        }
    }

    /// Inertia of the uniform solid of this mass, in the shape's frame.
    ///
    /// ```
    /// use sinew_dynamics::Shape;
    /// let ball = Shape::Sphere { radius: 0.5 }.solid(10.0);
    /// assert!((ball.about_com.xx - 0.4 * 10.0 * 0.25).abs() < 1e-12);
    /// ```
    pub fn solid(&self, mass: f64) -> Inertia {
        let of = |xx, yy, zz| Inertia { mass, com: Vec3::zeros(), about_com: Sym3::diagonal(xx, yy, zz) };
        match self {
            Shape::Plane { .. } => Inertia::ZERO,
            Shape::Sphere { radius: r } => {
                let i = 0.4 * mass * r * r;
                of(i, i, i)
            }
            Shape::Box { half } => Inertia::solid_box(mass, half * 2.0),
            Shape::Ellipsoid { half: h } => {
                let s = h.component_mul(h) * (mass / 5.0);
                of(s.y + s.z, s.x + s.z, s.x + s.y)
            }
            Shape::Cylinder { radius: r, half } => {
                let across = mass * (3.0 * r * r + 4.0 * half * half) / 12.0;
                of(across, across, 0.5 * mass * r * r)
            }
            Shape::Capsule { radius: r, half } => {
                // cylinder and two hemispheres share the mass by volume
                let (rod, ball) = (2.0 * half, 4.0 / 3.0 * r);
                let (m_rod, m_ball) = (mass * rod / (rod + ball), mass * ball / (rod + ball));
                let along = 0.5 * m_rod * r * r + 0.4 * m_ball * r * r;
                let across = m_rod * (3.0 * r * r + rod * rod) / 12.0
                    + m_ball * (0.4 * r * r + 0.75 * r * half + half * half);
                of(across, across, along)
            }
            Shape::Mesh { vertices, .. } => {
                let unit = hull_solid(vertices);
                let scale = if unit.mass > 0.0 { mass / unit.mass } else { 0.0 };
                Inertia { mass, com: unit.com, about_com: unit.about_com.scaled(scale) }
            }
        }
    }
}

/// Inertia at unit density of the convex hull of points; nothing when they lie in a plane.
fn hull_solid(points: &[Vec3]) -> Inertia {
    let solid = convex_hull(points).and_then(|triangles| {
        mesh::solid(&TriangleMesh { vertices: points.to_vec(), triangles }, Rule::Exact)
    });
    solid.unwrap_or(Inertia::ZERO)
}

/// A marked point (and axes) of a body.
///
/// ```
/// let human = sinew_dynamics::characters::load("human")?;
/// let site = &human.bodies().iter().flat_map(|b| &b.sites).next().expect("its feet are marked");
/// assert_eq!(human.site(&site.name).map(|(_, s)| s), Some(*site));
/// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Name, unique among sites.
    pub name: String,
    /// Position in the body's frame, m.
    pub pos: Vec3,
    /// Orientation in the body's frame.
    pub quat: Quat,
}

/// How an actuator's force follows from its control signal and the joint's state.
///
/// `force = gain·u + bias₀ + bias₁·(gear·q) + bias₂·(gear·v)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActuatorLaw {
    /// Force per unit of control.
    pub gain: f64,
    /// Constant, position and velocity terms.
    pub bias: [f64; 3],
}

/// A motor or servo at a joint.
///
/// ```
/// use sinew_dynamics::{Actuator, ActuatorLaw};
/// let motor = Actuator {
///     name: "knee".into(),
///     joint: "knee".into(),
///     law: ActuatorLaw { gain: 1.0, bias: [0.0; 3] },
///     gear: [80.0, 0.0, 0.0, 0.0, 0.0, 0.0],
///     ctrl_range: Some([-1.0, 1.0]),
///     force_range: None,
/// };
/// assert_eq!(motor.greatest_force() * motor.gear[0], 80.0); // N·m at the joint
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name; may be empty.
    pub name: String,
    /// Name of the joint.
    pub joint: String,
    /// Control signal to force.
    pub law: ActuatorLaw,
    /// Generalised force on the joint's degrees of freedom per unit of force.
    pub gear: [f64; 6],
    /// Bounds of the control signal.
    pub ctrl_range: Option<[f64; 2]>,
    /// Bounds of the force before the gear.
    pub force_range: Option<[f64; 2]>,
}

impl Actuator {
    /// Greatest force before the gear, as the ranges bound it for a joint at rest at zero.
    pub fn greatest_force(&self) -> f64 {
        let reach = |r: [f64; 2]| r[0].abs().max(r[1].abs());
        let by_ctrl = match self.ctrl_range {
            // a servo's control is a position: it bounds no force
            Some(range) if self.law.bias == [0.0; 3] => reach(range) * self.law.gain.abs(),
            _ => f64::INFINITY,
        };
        by_ctrl.min(self.force_range.map_or(f64::INFINITY, reach))
    }
}
