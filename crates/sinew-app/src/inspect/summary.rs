//! The output of `inspect` as data. The JSON form is this structure; the text form is made from it.
//!
//! SI units and radians; a missing limit is `null`.

use crate::source::{Loaded, Origin};
use serde::Serialize;
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{
    Actuator, BodyId, BodySpec, Data, JointId, JointInfo, JointKind, Model, Role, forward_kinematics,
};

/// Everything about a model.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// Version of the program.
    pub(crate) version: &'static str,
    pub(crate) name: String,
    /// `built-in NAME` or the file.
    pub(crate) source: String,
    #[serde(skip)]
    pub(crate) built_in: bool,
    pub(crate) totals: Totals,
    pub(crate) gravity: [f64; 3],
    pub(crate) bodies: Vec<Body>,
    pub(crate) actuators: Vec<Motor>,
    pub(crate) keyframes: Vec<String>,
    pub(crate) roles: Vec<Part>,
    /// Assumptions of the importer.
    pub(crate) assumed: Vec<String>,
    /// Elements that the importer left out, each with its place.
    pub(crate) import_warnings: Vec<String>,
    /// Warnings about the model.
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Totals {
    pub(crate) mass: f64,
    /// Of the shapes in the first keyframe, else in the reference pose, m.
    pub(crate) height: Option<f64>,
    pub(crate) nq: usize,
    pub(crate) nv: usize,
    pub(crate) bodies: usize,
    pub(crate) joints: usize,
    pub(crate) actuators: usize,
    pub(crate) geoms: usize,
    pub(crate) sites: usize,
    pub(crate) keyframes: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) parent: Option<String>,
    #[serde(skip)]
    pub(crate) parent_index: Option<usize>,
    pub(crate) mass: f64,
    /// Centre of mass in the body's frame.
    pub(crate) com: [f64; 3],
    /// About the centre of mass: xx, yy, zz, xy, xz, yz.
    pub(crate) inertia: [f64; 6],
    pub(crate) joints: Vec<Joint>,
    pub(crate) geoms: usize,
    pub(crate) sites: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Joint {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) axis: Option<[f64; 3]>,
    /// First index in `q` and in `v`.
    pub(crate) q: usize,
    pub(crate) v: usize,
    pub(crate) nv: usize,
    pub(crate) range: Option<[f64; 2]>,
    /// Greatest generalised force per degree of freedom.
    pub(crate) effort: Vec<Option<f64>>,
    pub(crate) armature: f64,
    pub(crate) damping: f64,
    pub(crate) stiffness: f64,
    pub(crate) friction_loss: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Motor {
    pub(crate) name: String,
    pub(crate) joint: String,
    pub(crate) gear: [f64; 6],
    pub(crate) ctrl_range: Option<[f64; 2]>,
    pub(crate) force_range: Option<[f64; 2]>,
}

/// A role and its body.
#[derive(Debug, Serialize)]
pub(crate) struct Part {
    pub(crate) role: String,
    pub(crate) body: String,
    /// By the file, or guessed from the tree.
    pub(crate) given: bool,
    /// Of the guess, 0 to 1.
    pub(crate) confidence: f64,
}

impl Summary {
    pub(crate) fn of(loaded: &Loaded) -> Summary {
        let model = &loaded.model;
        let spec = model.spec();
        let mut bodies: Vec<_> = model.bodies().iter().map(|b| body(model, b)).collect();
        for (k, info) in model.joints().iter().enumerate() {
            bodies[info.body.0].joints.push(joint(model, JointId(k), info));
        }
        let totals = Totals {
            mass: model.mass(),
            height: height(loaded),
            nq: model.nq(),
            nv: model.nv(),
            bodies: bodies.len(),
            joints: model.joints().len(),
            actuators: spec.actuators.len(),
            geoms: bodies.iter().map(|b| b.geoms).sum::<usize>() + spec.world_geoms.len(),
            sites: bodies.iter().map(|b| b.sites.len()).sum::<usize>() + spec.world_sites.len(),
            keyframes: spec.keyframes.len(),
        };
        Summary {
            version: env!("CARGO_PKG_VERSION"),
            name: model.name().to_owned(),
            source: loaded.origin.to_string(),
            built_in: matches!(loaded.origin, Origin::BuiltIn(_)),
            totals,
            gravity: model.gravity().into(),
            bodies,
            actuators: spec.actuators.iter().map(motor).collect(),
            keyframes: spec.keyframes.iter().map(|k| k.name.clone()).collect(),
            roles: roles(loaded),
            assumed: loaded.report.assumed.clone(),
            import_warnings: loaded.report.warnings.clone(),
            warnings: model.warnings().iter().map(ToString::to_string).collect(),
        }
    }
}

/// Extent of the bodies' shapes: upwards in the first keyframe, or else, in the reference pose, along the direction in
/// which the character stands there.
fn height(loaded: &Loaded) -> Option<f64> {
    let model = &loaded.model;
    let (q, up) = match model.spec().keyframes.first() {
        Some(key) => (key.q.clone(), Vec3::z()),
        None => (model.neutral(), loaded.guess.up),
    };
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &q);
    let placements: Vec<_> =
        (0..model.bodies().len()).map(|i| data.body_placement(model, BodyId(i))).collect();
    let [low, high] = model.spec().extent(&placements, &up)?;
    Some(high - low)
}

fn body(model: &Model, spec: &BodySpec) -> Body {
    let i = &spec.inertia.about_com;
    Body {
        name: spec.name.clone(),
        parent: spec.parent.map(|p| model.bodies()[p].name.clone()),
        parent_index: spec.parent,
        mass: spec.inertia.mass,
        com: spec.inertia.com.into(),
        inertia: [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz],
        joints: Vec::new(),
        geoms: spec.geoms.len(),
        sites: spec.sites.iter().map(|s| s.name.clone()).collect(),
    }
}

fn joint(model: &Model, id: JointId, info: &JointInfo) -> Joint {
    let spec = model.joint_spec(id);
    let (kind, axis) = match info.kind {
        JointKind::Free => ("free", None),
        JointKind::Ball => ("ball", None),
        JointKind::Hinge { axis } => ("hinge", Some(axis.into())),
        JointKind::Slide { axis } => ("slide", Some(axis.into())),
    };
    let nv = info.kind.nv();
    let effort = match info.kind {
        // a free joint has no motor
        JointKind::Free => Vec::new(),
        _ => limits(&model.effort_limits()[info.v..info.v + nv]),
    };
    Joint {
        name: info.name.clone(),
        kind,
        axis,
        q: info.q,
        v: info.v,
        nv,
        range: spec.range,
        effort,
        armature: spec.armature,
        damping: spec.damping,
        stiffness: spec.stiffness,
        friction_loss: spec.friction_loss,
    }
}

/// Infinite is no limit; negative zero is zero.
fn limits(efforts: &[f64]) -> Vec<Option<f64>> {
    efforts.iter().map(|e| e.is_finite().then_some(e + 0.0)).collect()
}

fn motor(actuator: &Actuator) -> Motor {
    Motor {
        name: actuator.name.clone(),
        joint: actuator.joint.clone(),
        gear: actuator.gear,
        ctrl_range: actuator.ctrl_range,
        force_range: actuator.force_range,
    }
}

fn roles(loaded: &Loaded) -> Vec<Part> {
    let guess = |body: &str| loaded.guess.guessed.iter().find(|g| g.body == body);
    let part = |(role, body): (Role, &str)| {
        let given = loaded.given.get(role) == Some(body);
        // a guess may stand mirrored in the table, with the same body and confidence
        let confidence = if given { 1.0 } else { guess(body).map_or(0.0, |g| g.confidence) };
        Part { role: role.to_string(), body: body.to_owned(), given, confidence }
    };
    loaded.model.spec().roles.iter().map(part).collect()
}
