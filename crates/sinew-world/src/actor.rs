//! Actors: everything that moves by dynamics, such as a character, a box or a seesaw.

use crate::body_change::Changed;
use crate::collide::{Bounds, Group};
use crate::step::Middle;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{BodyId, Data, JointKind, Model, Shape};
use std::sync::Arc;

/// The role of an actor in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorKind {
    /// A character: recorded, controlled, watched for falls.
    Character,
    /// An object: box, ball, barbell, seesaw, bar.
    Object,
}

/// A shape of an actor that can collide.
#[derive(Clone, Debug)]
pub(crate) struct ActorShape {
    pub(crate) body: BodyId,
    pub(crate) shape: Shape,
    pub(crate) at: Placement,
    pub(crate) friction: f64,
    pub(crate) group: Group,
    /// Smallest sphere about the shape's origin that holds it.
    pub(crate) reach: f64,
    /// The box around a hull in its own axes: middle and half sizes.
    pub(crate) hull_box: Option<(Vec3, Vec3)>,
}

/// A joint with a limit: its first coordinate and degree of freedom, and its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) ball: bool,
    pub(crate) q: usize,
    pub(crate) v: usize,
    pub(crate) range: [f64; 2],
}

/// A model and its state.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Name, unique in the world.
    pub name: String,
    /// Character or object.
    pub kind: ActorKind,
    pub(crate) model: Arc<Model>,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    pub(crate) data: Data,
    pub(crate) shapes: Vec<ActorShape>,
    pub(crate) limits: Vec<Limit>,
    /// Dry friction per degree of freedom where there is any.
    pub(crate) dry: Vec<(usize, f64)>,
    self_collision: bool,
    /// The last change of its body.
    pub(crate) change: Option<Changed>,
    /// Pairs of shapes of this actor that may touch each other.
    pub(crate) own_pairs: Vec<(usize, usize)>,
    /// Sweeps of one step: generalised forces, momentum, and what was applied.
    pub(crate) work: Work,
}

/// Per-step buffers of an actor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) tau: Vec<f64>,
    pub(crate) passive: Vec<f64>,
    pub(crate) constraint: Vec<f64>,
    pub(crate) momentum: Vec<f64>,
    /// Momentum of all but impulses, before the mass matrix; impulses, half solved; change of velocity.
    pub(crate) given: Vec<f64>,
    pub(crate) impulses: Vec<f64>,
    pub(crate) change: Vec<f64>,
    /// Velocities that joints are braked by: those of the beginning, or worse ones of an attempt at the step.
    pub(crate) fastest: Vec<f64>,
    pub(crate) middle: Middle,
    pub(crate) step: Vec<f64>,
    pub(crate) before: (Vec<f64>, Vec<f64>),
    pub(crate) jacobian: Vec<f64>,
    /// Force, and moment about the world's origin, on each body.
    pub(crate) wrenches: Vec<[Vec3; 2]>,
    /// Of Runge-Kutta steps: rate of the position, and sums of the rates of position and velocity.
    pub(crate) rate: Vec<f64>,
    pub(crate) sums: [Vec<f64>; 2],
    /// Impulses of the last step per degree of freedom: lower limit, upper limit, dry friction, greatest speed.
    pub(crate) limit_impulses: Vec<[f64; 4]>,
}

impl Actor {
    /// An actor at rest in the model's neutral configuration.
    pub fn new(name: impl Into<String>, kind: ActorKind, model: Arc<Model>) -> Actor {
        let nv = model.nv();
        let zero = || vec![0.0; nv];
        let work = Work {
            tau: zero(),
            passive: zero(),
            constraint: zero(),
            momentum: zero(),
            given: zero(),
            impulses: zero(),
            change: zero(),
            fastest: zero(),
            middle: Middle::new(nv),
            step: zero(),
            before: (vec![0.0; model.nq()], zero()),
            jacobian: vec![0.0; 6 * nv],
            wrenches: vec![[Vec3::zeros(); 2]; model.bodies().len()],
            rate: zero(),
            sums: [zero(), zero()],
            limit_impulses: vec![[0.0; 4]; nv],
        };
        let mut actor = Actor {
            name: name.into(),
            kind,
            q: model.neutral(),
            v: zero(),
            data: Data::new(&model),
            shapes: Vec::new(),
            limits: Vec::new(),
            dry: Vec::new(),
            self_collision: false,
            change: None,
            own_pairs: Vec::new(),
            work,
            model,
        };
        actor.compile();
        actor
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Heading of its free root, rad; 0 without one.
    pub fn facing(&self) -> f64 {
        self.model.heading(&self.q)
    }

    /// Frames and workspace of the last step.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Lists the parts of the model that the step needs: shapes, limits, dry friction.
    pub(crate) fn compile(&mut self) {
        let model = Arc::clone(&self.model);
        self.shapes.clear();
        self.limits.clear();
        self.dry.clear();
        for (i, body) in model.bodies().iter().enumerate() {
            for geom in body.geoms.iter().filter(|g| g.contype != 0 || g.conaffinity != 0) {
                self.shapes.push(ActorShape {
                    body: BodyId(i),
                    reach: reach(&geom.shape),
                    hull_box: hull_box(&geom.shape),
                    shape: geom.shape.clone(),
                    at: geom.placement(),
                    friction: geom.friction,
                    group: Group::from(geom),
                });
            }
        }
        for joint in model.joints() {
            let spec = &model.bodies()[joint.body.0].joints[joint.nth];
            if let Some(range) = spec.range
                && joint.kind != JointKind::Free
            {
                let ball = joint.kind == JointKind::Ball;
                self.limits.push(Limit { ball, q: joint.q, v: joint.v, range });
            }
            if spec.friction_loss > 0.0 {
                self.dry.extend((joint.v..joint.v + joint.kind.nv()).map(|dof| (dof, spec.friction_loss)));
            }
        }
        if self.self_collision {
            self.enable_self_collision();
        }
    }

    /// Lets shapes of this actor touch each other, except those of adjacent or excluded bodies.
    pub fn enable_self_collision(&mut self) {
        self.self_collision = true;
        let bodies = self.model.bodies();
        // bodies without joints move with their parent: adjacency counts from the body that moves
        let mover = |mut b: usize| {
            while bodies[b].joints.is_empty()
                && let Some(p) = bodies[b].parent
            {
                b = p;
            }
            b
        };
        let excluded = |a: usize, b: usize| {
            let is =
                |x: &(String, String), a: usize, b: usize| x.0 == bodies[a].name && x.1 == bodies[b].name;
            self.model.spec().excludes.iter().any(|x| is(x, a, b) || is(x, b, a))
        };
        self.own_pairs.clear();
        for (i, x) in self.shapes.iter().enumerate() {
            for (j, y) in self.shapes.iter().enumerate().skip(i + 1) {
                let (a, b) = (mover(x.body.0), mover(y.body.0));
                let parent = |b: usize| bodies[b].parent.map(mover);
                let adjacent = a == b || parent(a) == Some(b) || parent(b) == Some(a);
                if !adjacent && x.group.meets(&y.group) && !excluded(x.body.0, y.body.0) {
                    self.own_pairs.push((i, j));
                }
            }
        }
    }
}

/// The box around a hull in its own axes: middle and half sizes.
fn hull_box(shape: &Shape) -> Option<(Vec3, Vec3)> {
    let Shape::Mesh { vertices, .. } = shape else { return None };
    let first = *vertices.first()?;
    let (low, high) = vertices.iter().fold((first, first), |(low, high), v| (low.inf(v), high.sup(v)));
    Some(((low + high) * 0.5, (high - low) * 0.5))
}

impl ActorShape {
    /// A box along the axes of the world around the shape. That of a hull is not as tight as it could be: it does not ask every corner.
    pub(crate) fn bounds(&self, at: &Placement) -> Bounds {
        match self.hull_box {
            Some((middle, half)) => {
                Bounds::of(&Shape::Box { half }, &Placement { pos: at.act(&middle), ..*at })
            }
            None => Bounds::of(&self.shape, at),
        }
    }
}

/// Radius of a sphere about the shape's origin that holds it; infinite for a plane.
fn reach(shape: &Shape) -> f64 {
    match shape {
        Shape::Plane { .. } => f64::INFINITY,
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, half } => radius + half,
        Shape::Box { half } => half.norm(),
        Shape::Ellipsoid { half } => half.amax(),
        Shape::Cylinder { radius, half } => (radius * radius + half * half).sqrt(),
        Shape::Mesh { vertices, .. } => vertices.iter().map(|v| v.norm()).fold(0.0, f64::max),
    }
}
