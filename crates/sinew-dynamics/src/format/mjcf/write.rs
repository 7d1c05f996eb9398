//! From a description to MJCF text.
//!
//! Angles are in radians, inertia is explicit, defaults are not used: every number of the description stands in the text
//! in the shortest form that gives its bits back. Effort limits that do not follow from the actuators are written as
//! `actuatorfrcrange`, which MuJoCo obeys, and where that is not enough (ball joints, 0) as custom text, which it does
//! not read. Characters that XML has no way to write become `\u{FFFD}`; infinite limits become ±1e10, as large as MuJoCo
//! takes. Bodies are nested, so that they come out depth first; keyframes are laid out accordingly.

use super::actuator::{by_joint, effort};
use crate::spatial::{Inertia, Quat, Sym3, Vec3, rotation};
use crate::{Actuator, BodySpec, Geom, JointKind, JointSpec, ModelSpec, Shape, Site, Tie};
use core::fmt::Write;
use std::collections::HashMap;

/// Name of the custom text that holds the table of roles.
pub(super) const ROLES: &str = "sinew_roles";
/// Name of the custom text that holds effort limits.
pub(super) const EFFORT: &str = "sinew_effort";

/// Writes MJCF text that MuJoCo loads and [`parse`](super::parse) reads back as the same description.
///
/// ```
/// use sinew_dynamics::format::mjcf;
/// let text = r#"<mujoco model="ball"><worldbody><body name="ball" pos="0 0 0.1"><freejoint name="root"/>
///   <geom size="0.1"/></body></worldbody></mujoco>"#;
/// let (spec, _) = mjcf::parse(text, &mjcf::Options::default())?;
/// let (again, _) = mjcf::parse(&mjcf::write(&spec), &mjcf::Options::default())?;
/// assert_eq!(again, spec);
/// # Ok::<(), sinew_dynamics::format::FormatError>(())
/// ```
pub fn write(spec: &ModelSpec) -> String {
    let mut out = Xml::default();
    let (meshes, mesh_names) = meshes(spec);
    let efforts = Efforts::of(spec);

    out.open("mujoco", &[("model", spec.name.clone())]);
    out.leaf("compiler", &[("angle", "radian".into()), ("inertiafromgeom", "false".into())]);
    let mut option = vec![("gravity", vector(&spec.gravity))];
    option.extend(spec.timestep.map(|dt| ("timestep", number(dt))));
    out.leaf("option", &option);
    if !meshes.is_empty() {
        out.open("asset", &[]);
        for (name, vertices) in &meshes {
            let numbers: Vec<f64> = vertices.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
            out.leaf("mesh", &[("name", name.clone()), ("vertex", list(&numbers))]);
        }
        out.close("asset");
    }

    out.open("worldbody", &[]);
    spec.world_geoms.iter().for_each(|g| geom(&mut out, g, &mesh_names));
    spec.world_sites.iter().for_each(|s| site(&mut out, s));
    let order = bodies(&mut out, spec, &efforts, &mesh_names);
    out.close("worldbody");

    if !spec.excludes.is_empty() {
        out.open("contact", &[]);
        for (a, b) in &spec.excludes {
            out.leaf("exclude", &[("body1", a.clone()), ("body2", b.clone())]);
        }
        out.close("contact");
    }
    if !spec.ties.is_empty() {
        out.open("equality", &[]);
        spec.ties.iter().for_each(|t| tie(&mut out, t));
        out.close("equality");
    }
    if !spec.actuators.is_empty() {
        out.open("actuator", &[]);
        spec.actuators.iter().for_each(|a| actuator(&mut out, a));
        out.close("actuator");
    }
    custom(&mut out, spec, &efforts);
    keyframes(&mut out, spec, &order);
    out.close("mujoco");
    out.text
}

/// Writes all bodies, depth first; returns their order.
fn bodies(out: &mut Xml, spec: &ModelSpec, efforts: &Efforts, meshes: &MeshNames<'_>) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); spec.bodies.len()];
    let mut open = Vec::new();
    for (index, body) in spec.bodies.iter().enumerate().rev() {
        match body.parent.filter(|p| *p < index) {
            Some(parent) => children[parent].push(index),
            None => open.push((index, false)),
        }
    }
    let mut order = Vec::new();
    while let Some((index, done)) = open.pop() {
        if done {
            out.close("body");
            continue;
        }
        order.push(index);
        let body = &spec.bodies[index];
        out.open("body", &[named(&body.name), placed(&body.pos, &body.quat)].concat());
        inertial(out, &body.inertia);
        body.joints.iter().for_each(|j| joint(out, j, efforts));
        body.geoms.iter().for_each(|g| geom(out, g, meshes));
        body.sites.iter().for_each(|s| site(out, s));
        open.push((index, true));
        open.extend(children[index].iter().map(|c| (*c, false)));
    }
    order
}

/// A weld has its pose, a connect the place in the first body; where that is in the other follows from the reference pose.
fn tie(out: &mut Xml, tie: &Tie) {
    let mut a = named(&tie.name);
    let other = tie.other.clone().unwrap_or_else(|| "world".to_owned());
    a.extend([("body1", tie.body.clone()), ("body2", other)]);
    match tie.orientation {
        None => {
            a.push(("anchor", vector(&tie.point)));
            out.leaf("connect", &a);
        }
        Some(q) => {
            let back = q.inverse();
            let pos = tie.point - rotation::to_matrix(&back) * tie.point_other;
            let pose = [pos.x, pos.y, pos.z, back.w, back.i, back.j, back.k];
            a.extend([("relpose", list(&pose)), ("anchor", vector(&tie.point_other))]);
            out.leaf("weld", &a);
        }
    }
}

fn inertial(out: &mut Xml, inertia: &Inertia) {
    if *inertia == Inertia::ZERO {
        return;
    }
    let Sym3 { xx, yy, zz, xy, xz, yz } = inertia.about_com;
    let about_com = match [xy, xz, yz] {
        [0.0, 0.0, 0.0] => ("diaginertia", list(&[xx, yy, zz])),
        _ => ("fullinertia", list(&[xx, yy, zz, xy, xz, yz])),
    };
    out.leaf("inertial", &[("pos", vector(&inertia.com)), ("mass", number(inertia.mass)), about_com]);
}

fn joint(out: &mut Xml, joint: &JointSpec, efforts: &Efforts) {
    let mut a = named(&joint.name);
    let (kind, axis) = match &joint.kind {
        JointKind::Free => ("free", None),
        JointKind::Ball => ("ball", None),
        JointKind::Hinge { axis } => ("hinge", Some(axis)),
        JointKind::Slide { axis } => ("slide", Some(axis)),
    };
    a.push(("type", kind.into()));
    if joint.kind != JointKind::Free && joint.anchor != Vec3::zeros() {
        a.push(("pos", vector(&joint.anchor)));
    }
    a.extend(axis.map(|axis| ("axis", vector(axis))));
    let passive = [
        ("armature", joint.armature),
        ("damping", joint.damping),
        ("stiffness", joint.stiffness),
        ("frictionloss", joint.friction_loss),
    ];
    a.extend(passive.into_iter().filter(|(_, x)| *x != 0.0).map(|(name, x)| (name, number(x))));
    if axis.is_some() {
        let references = [("ref", joint.reference), ("springref", joint.spring_reference)];
        a.extend(references.into_iter().filter(|(_, x)| *x != 0.0).map(|(name, x)| (name, number(x))));
    }
    a.extend(joint.range.filter(|_| joint.kind != JointKind::Free).map(|range| ("range", list(&range))));
    a.extend(efforts.force_limit(joint).map(|e| ("actuatorfrcrange", list(&[-e, e]))));
    out.leaf("joint", &a);
}

/// Names of mesh assets by the mesh's own name and vertices.
type MeshNames<'a> = HashMap<(&'a str, *const Vec3), String>;

/// All different meshes with names of their own, and which one each geom uses.
fn meshes(spec: &ModelSpec) -> (Vec<(String, &[Vec3])>, MeshNames<'_>) {
    let mut assets: Vec<(String, &[Vec3])> = Vec::new();
    let mut names = MeshNames::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for geom in spec.bodies.iter().flat_map(|b| &b.geoms).chain(&spec.world_geoms) {
        let Shape::Mesh { name, vertices } = &geom.shape else { continue };
        let wish = if name.is_empty() { "mesh" } else { name };
        // the same name with other vertices gets a number
        let candidates = core::iter::once(wish.to_owned()).chain((2..).map(|n| format!("{wish}_{n}")));
        for candidate in candidates {
            match known.get(&candidate) {
                Some(&i) if assets[i].1 != vertices.as_slice() => continue,
                Some(_) => {}
                None => {
                    known.insert(candidate.clone(), assets.len());
                    assets.push((candidate.clone(), vertices));
                }
            }
            names.insert((name.as_str(), vertices.as_ptr()), candidate);
            break;
        }
    }
    (assets, names)
}

fn geom(out: &mut Xml, geom: &Geom, meshes: &MeshNames<'_>) {
    let mut a = named(&geom.name);
    let (kind, size) = match &geom.shape {
        // the third size of a plane is the spacing of the grid that is drawn on it
        Shape::Plane { half: [x, y] } => ("plane", vec![*x, *y, 1.0]),
        Shape::Sphere { radius } => ("sphere", vec![*radius]),
        Shape::Capsule { radius, half } => ("capsule", vec![*radius, *half]),
        Shape::Cylinder { radius, half } => ("cylinder", vec![*radius, *half]),
        Shape::Box { half } => ("box", vec![half.x, half.y, half.z]),
        Shape::Ellipsoid { half } => ("ellipsoid", vec![half.x, half.y, half.z]),
        Shape::Mesh { .. } => ("mesh", Vec::new()),
    };
    a.push(("type", kind.into()));
    match &geom.shape {
        Shape::Mesh { name, vertices } => {
            a.push(("mesh", meshes.get(&(name.as_str(), vertices.as_ptr())).cloned().unwrap_or_default()));
        }
        _ => a.push(("size", list(&size))),
    }
    a.extend(placed(&geom.pos, &geom.quat));
    if geom.friction != 1.0 {
        a.push(("friction", number(geom.friction)));
    }
    // MuJoCo's bit fields are signed
    let bits = [("contype", geom.contype), ("conaffinity", geom.conaffinity)];
    a.extend(bits.into_iter().filter(|(_, b)| *b != 1).map(|(name, b)| (name, (b as i32).to_string())));
    if geom.rgba != [0.5, 0.5, 0.5, 1.0] {
        a.push(("rgba", geom.rgba.map(|c| c.to_string()).join(" ")));
    }
    out.leaf("geom", &a);
}

fn site(out: &mut Xml, site: &Site) {
    out.leaf("site", &[named(&site.name), placed(&site.pos, &site.quat)].concat());
}

fn actuator(out: &mut Xml, actuator: &Actuator) {
    let mut a = named(&actuator.name);
    a.push(("joint", actuator.joint.clone()));
    // trailing zeros of the gear are implied
    let used = actuator.gear.iter().rposition(|g| *g != 0.0).map_or(1, |last| last + 1);
    a.push(("gear", list(&actuator.gear[..used])));
    a.extend(actuator.ctrl_range.map(|range| ("ctrlrange", list(&range))));
    a.extend(actuator.force_range.map(|range| ("forcerange", list(&range))));
    let law = &actuator.law;
    if law.gain == 1.0 && law.bias == [0.0; 3] {
        return out.leaf("motor", &a);
    }
    a.push(("gainprm", number(law.gain)));
    if law.bias != [0.0; 3] {
        a.push(("biastype", "affine".into()));
        a.push(("biasprm", list(&law.bias)));
    }
    out.leaf("general", &a);
}

fn custom(out: &mut Xml, spec: &ModelSpec, efforts: &Efforts) {
    let roles: Vec<String> =
        spec.roles.iter().map(|(role, body)| format!("{role}={}", encode(body))).collect();
    let texts = [(ROLES, roles), (EFFORT, efforts.extra.clone())];
    if texts.iter().all(|(_, pairs)| pairs.is_empty()) {
        return;
    }
    out.open("custom", &[]);
    for (name, pairs) in texts.iter().filter(|(_, pairs)| !pairs.is_empty()) {
        out.leaf("text", &[("name", (*name).into()), ("data", pairs.join(" "))]);
    }
    out.close("custom");
}

/// Writes the keyframes with the state in the order of the written bodies.
fn keyframes(out: &mut Xml, spec: &ModelSpec, order: &[usize]) {
    if spec.keyframes.is_empty() {
        return;
    }
    let sizes = |body: &BodySpec| {
        let count = |size: fn(&JointKind) -> usize| body.joints.iter().map(|j| size(&j.kind)).sum::<usize>();
        (count(JointKind::nq), count(JointKind::nv))
    };
    let (mut starts, mut end) = (Vec::new(), (0, 0));
    for (nq, nv) in spec.bodies.iter().map(sizes) {
        starts.push((end, (nq, nv)));
        end = (end.0 + nq, end.1 + nv);
    }
    out.open("keyframe", &[]);
    for key in &spec.keyframes {
        let mut a = named(&key.name);
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for &body in order {
            let ((q0, v0), (nq, nv)) = starts[body];
            q.extend(key.q.get(q0..q0 + nq).unwrap_or_default());
            v.extend(key.v.get(v0..v0 + nv).unwrap_or_default());
        }
        if !q.is_empty() {
            a.push(("qpos", list(&q)));
        }
        if !v.is_empty() {
            a.push(("qvel", list(&v)));
        }
        out.leaf("key", &a);
    }
    out.close("keyframe");
}

/// Effort limits that do not follow from the actuators.
struct Efforts {
    /// Limits by joint that MJCF can express.
    limits: HashMap<String, f64>,
    /// `limits=joint` for all that needs more than that.
    extra: Vec<String>,
}

impl Efforts {
    fn of(spec: &ModelSpec) -> Efforts {
        let by_joint = by_joint(&spec.actuators);
        let (mut limits, mut extra) = (HashMap::new(), Vec::new());
        for joint in spec.bodies.iter().flat_map(|b| &b.joints).filter(|j| j.kind != JointKind::Free) {
            if joint.effort == effort(joint, &by_joint, f64::INFINITY) {
                continue;
            }
            let mut limit = f64::INFINITY;
            if joint.kind.nv() == 1 && joint.effort[0] > 0.0 && joint.effort[0].is_finite() {
                limit = joint.effort[0];
                limits.insert(joint.name.clone(), limit);
            }
            if joint.effort != effort(joint, &by_joint, limit) {
                let [x, y, z] = joint.effort;
                extra.push(format!("{x},{y},{z}={}", encode(&joint.name)));
            }
        }
        Efforts { limits, extra }
    }

    fn force_limit(&self, joint: &JointSpec) -> Option<f64> {
        self.limits.get(&joint.name).copied()
    }
}

type Attribute = (&'static str, String);

fn named(name: &str) -> Vec<Attribute> {
    if name.is_empty() { Vec::new() } else { vec![("name", name.to_owned())] }
}

fn placed(pos: &Vec3, quat: &Quat) -> Vec<Attribute> {
    let mut a = Vec::new();
    if *pos != Vec3::zeros() {
        a.push(("pos", vector(pos)));
    }
    if *quat != Quat::identity() {
        a.push(("quat", list(&[quat.w, quat.i, quat.j, quat.k])));
    }
    a
}

fn number(x: f64) -> String {
    if x.is_infinite() { (1e10 * x.signum()).to_string() } else { x.to_string() }
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().join(" ")
}

fn vector(v: &Vec3) -> String {
    list(v.as_slice())
}

/// A name as a word of a custom text: white space and `%` become `%` and two hexadecimal digits per byte.
fn encode(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c == '%' || c.is_whitespace() || c.is_control() {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|b| write!(out, "%{b:02x}").unwrap_or_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// The name of a word made by [`encode`].
pub(super) fn decode(word: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = word.bytes();
    while let Some(b) = rest.next() {
        let mut digit = || rest.next().and_then(|d| char::from(d).to_digit(16)).map(|d| d as u8);
        bytes.push(if b == b'%' { 16 * digit()? + digit()? } else { b });
    }
    String::from_utf8(bytes).ok()
}

/// Indented elements.
#[derive(Default)]
struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    fn open(&mut self, tag: &str, attributes: &[Attribute]) {
        self.start(tag, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    fn close(&mut self, tag: &str) {
        self.depth -= 1;
        self.indent();
        self.text.extend(["</", tag, ">\n"]);
    }

    fn leaf(&mut self, tag: &str, attributes: &[Attribute]) {
        self.start(tag, attributes);
        self.text.push_str("/>\n");
    }

    fn start(&mut self, tag: &str, attributes: &[Attribute]) {
        self.indent();
        self.text.extend(["<", tag]);
        for (name, value) in attributes {
            self.text.extend([" ", name, "=\""]);
            value.chars().for_each(|c| self.escaped(c));
            self.text.push('"');
        }
    }

    fn indent(&mut self) {
        self.text.extend(core::iter::repeat_n("  ", self.depth));
    }

    fn escaped(&mut self, c: char) {
        match c {
            '&' => self.text.push_str("&amp;"),
            '<' => self.text.push_str("&lt;"),
            '>' => self.text.push_str("&gt;"),
            '"' => self.text.push_str("&quot;"),
            '\t' => self.text.push_str("&#9;"),
            '\n' => self.text.push_str("&#10;"),
            '\r' => self.text.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => self.text.push('\u{fffd}'),
            c => self.text.push(c),
        }
    }
}
