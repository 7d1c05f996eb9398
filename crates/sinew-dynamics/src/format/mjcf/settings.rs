//! `<compiler>` and `<option>`: rules for reading the rest of the file, and the environment.
//!
//! Both may appear several times and anywhere; the last word on an attribute holds for the whole file.

use super::notes::Notes;
use super::schema;
use super::tree::Node;
use super::value::Layers;
use crate::ModelSpec;
use crate::format::FormatError;
use crate::spatial::Vec3;

/// When a body's inertia is computed from its geoms.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FromGeoms {
    Never,
    /// When it has no `<inertial>`.
    Missing,
    Always,
}

/// The settings of `<compiler>`.
pub(super) struct Compiler {
    pub(super) degrees: bool,
    /// Axes of Euler angles: small letters turn with the body, capitals are fixed.
    pub(super) eulerseq: [u8; 3],
    pub(super) autolimits: bool,
    pub(super) from_geoms: FromGeoms,
    /// Groups of geoms that count for inertia, first and last.
    pub(super) inertia_groups: [i32; 2],
    /// Folder of mesh files, with a final slash unless empty.
    pub(super) mesh_folder: String,
    pub(super) strip_path: bool,
    /// Least mass and least principal inertia of a body.
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    /// Whether inertia that breaks the triangle rule is replaced by its mean.
    pub(super) balance_inertia: bool,
    /// Mass that the whole model is scaled to.
    pub(super) total_mass: Option<f64>,
    /// Whether bodies with a free joint and no children get their frame at the centre of mass.
    pub(super) align_free: bool,
    /// Whether meshes count by their signed volume unless they say otherwise.
    pub(super) exact_meshes: bool,
}

impl Compiler {
    /// Reads all `<compiler>` sections.
    pub(super) fn read<'t>(
        sections: impl Iterator<Item = Node<'t>>,
        notes: &mut Notes,
    ) -> Result<Compiler, FormatError> {
        let mut c = Compiler {
            degrees: true,
            eulerseq: *b"xyz",
            autolimits: true,
            from_geoms: FromGeoms::Missing,
            inertia_groups: [0, 5],
            mesh_folder: String::new(),
            strip_path: false,
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance_inertia: false,
            total_mass: None,
            align_free: false,
            exact_meshes: false,
        };
        let mut angle_given = false;
        for node in sections {
            schema::COMPILER.check(node, "", notes)?;
            for child in node.children() {
                match child.tag() {
                    "lengthrange" => notes.left_out(child, "<lengthrange>", "it only matters to muscles"),
                    _ => return Err(child.unknown_child("lengthrange")),
                }
            }
            angle_given |= node.attribute("angle").is_some();
            c.section(&Layers::of(node), notes)?;
        }
        if !angle_given {
            notes.assume("angles are in degrees, as MuJoCo takes them when <compiler angle> is not given");
        }
        Ok(c)
    }

    fn section(&mut self, at: &Layers<'_>, notes: &mut Notes) -> Result<(), FormatError> {
        let node = at.element();
        // angles
        if let Some(degrees) = at.word("angle", &[("degree", true), ("radian", false)])? {
            self.degrees = degrees;
        }
        if let Some(text) = at.text("eulerseq") {
            let axes = text.as_bytes();
            if axes.len() != 3 || !axes.iter().all(|a| b"xyzXYZ".contains(a)) {
                return Err(node.error("eulerseq is three letters out of x, y, z, X, Y, Z"));
            }
            self.eulerseq = [axes[0], axes[1], axes[2]];
        }
        if at.word("coordinate", &[("local", false), ("global", true)])? == Some(true) {
            return Err(
                node.error("coordinate=\"global\" is no longer MJCF; save the file with MuJoCo 2.3.3 first")
            );
        }
        // inertia
        let words = [("false", FromGeoms::Never), ("true", FromGeoms::Always), ("auto", FromGeoms::Missing)];
        if let Some(from_geoms) = at.word("inertiafromgeom", &words)? {
            self.from_geoms = from_geoms;
        }
        if let Some(groups) = at.numbers::<2>("inertiagrouprange")? {
            self.inertia_groups = groups.map(|g| g as i32);
        }
        if at.text("boundmass").is_some() {
            self.bound_mass = at.magnitude("boundmass")?;
        }
        if at.text("boundinertia").is_some() {
            self.bound_inertia = at.magnitude("boundinertia")?;
        }
        if let Some(mass) = at.number("settotalmass")? {
            self.total_mass = (mass > 0.0).then_some(mass);
        }
        self.balance_inertia = at.truth("balanceinertia")?.unwrap_or(self.balance_inertia);
        self.exact_meshes = at.truth("exactmeshinertia")?.unwrap_or(self.exact_meshes);
        // frames and bodies
        self.autolimits = at.truth("autolimits")?.unwrap_or(self.autolimits);
        self.align_free = at.truth("alignfree")?.unwrap_or(self.align_free);
        if at.truth("fusestatic")? == Some(true) {
            notes.left_out(
                node,
                "fusestatic",
                "welded bodies stay bodies of their own, which move and weigh the same",
            );
        }
        // files
        self.strip_path = at.truth("strippath")?.unwrap_or(self.strip_path);
        if let Some(folder) = at.text("meshdir").or(at.text("assetdir")) {
            let slash = if folder.is_empty() || folder.ends_with(['/', '\\']) { "" } else { "/" };
            self.mesh_folder = format!("{folder}{slash}");
        }
        Ok(())
    }

    /// An angle of the file in radians.
    pub(super) fn angle(&self, x: f64) -> f64 {
        if self.degrees { x * (core::f64::consts::PI / 180.0) } else { x }
    }
}

/// Forces that `<flag>` turns off.
#[derive(Default)]
pub(super) struct Disabled {
    limits: bool,
    friction: bool,
    contact: bool,
    springs: bool,
    dampers: bool,
}

/// Reads all `<option>` sections into the model; the returned switches apply once the bodies are read.
pub(super) fn options<'t>(
    sections: impl Iterator<Item = Node<'t>>,
    spec: &mut ModelSpec,
    notes: &mut Notes,
) -> Result<Disabled, FormatError> {
    let mut off = Disabled::default();
    let mut weightless = false;
    for node in sections {
        schema::OPTION.check(node, "", notes)?;
        let at = Layers::of(node);
        for medium in ["wind", "density", "viscosity"] {
            at.refuse_nonzero(medium, "is not supported: bodies move in a vacuum here")?;
        }
        if at.text("actuatorgroupdisable").is_some() {
            return Err(
                node.error("actuatorgroupdisable is not supported: take the actuators out of the file")
            );
        }
        if at.word("collision", &[("all", 0), ("dynamic", 0), ("predefined", 1)])? == Some(1) {
            return Err(
                node.error("collision=\"predefined\" is not supported: contype and conaffinity decide")
            );
        }
        if let Some(gravity) = at.vector("gravity")? {
            spec.gravity = gravity;
        }
        if let Some(dt) = at.number("timestep")? {
            if !(dt > 0.0) {
                return Err(node.error(format!("timestep=\"{dt}\" is not positive")));
            }
            spec.timestep = Some(dt);
        }
        for child in node.children() {
            match child.tag() {
                "flag" => weightless |= off.flags(child, notes)?,
                _ => return Err(child.unknown_child("flag")),
            }
        }
    }
    if weightless {
        spec.gravity = Vec3::zeros();
        notes.assume("gravity is 0, as <flag gravity=\"disable\"> asks");
    }
    Ok(off)
}

impl Disabled {
    /// Reads a `<flag>`; returns whether it turns gravity off.
    fn flags(&mut self, node: Node<'_>, notes: &mut Notes) -> Result<bool, FormatError> {
        schema::FLAG.check(node, "", notes)?;
        let at = Layers::of(node);
        let off = |name: &str| Ok(at.word(name, &[("enable", false), ("disable", true)])? == Some(true));
        let constraints = off("constraint")?;
        self.limits |= constraints | off("limit")?;
        self.friction |= constraints | off("frictionloss")?;
        self.contact |= constraints | off("contact")?;
        self.springs |= off("spring")? | off("passive")?;
        self.dampers |= off("damper")? | off("passive")?;
        for (name, remedy) in [
            ("actuation", "remove the actuators instead"),
            ("clampctrl", "remove the control ranges instead"),
        ] {
            if off(name)? {
                return Err(node.error(format!("{name}=\"disable\" is not supported: {remedy}")));
            }
        }
        off("equality")?;
        off("gravity")
    }

    /// Takes the forces that are turned off out of the model.
    pub(super) fn apply(&self, spec: &mut ModelSpec, notes: &mut Notes) {
        let Disabled { limits, friction, contact, springs, dampers } = *self;
        for joint in spec.bodies.iter_mut().flat_map(|b| &mut b.joints) {
            joint.range = if limits { None } else { joint.range };
            joint.friction_loss = if friction { 0.0 } else { joint.friction_loss };
            joint.stiffness = if springs { 0.0 } else { joint.stiffness };
            joint.damping = if dampers { 0.0 } else { joint.damping };
        }
        if contact {
            let geoms = spec.bodies.iter_mut().flat_map(|b| &mut b.geoms);
            for geom in geoms.chain(&mut spec.world_geoms) {
                (geom.contype, geom.conaffinity) = (0, 0);
            }
        }
        let named = [
            (limits, "joint limits"),
            (friction, "dry friction in joints"),
            (contact, "contacts"),
            (springs, "joint springs"),
            (dampers, "joint damping"),
        ];
        let off: Vec<&str> = named.iter().filter(|(off, _)| *off).map(|(_, what)| *what).collect();
        if !off.is_empty() {
            notes.assume(format!("<flag> turns off {}", off.join(", ")));
        }
    }
}
