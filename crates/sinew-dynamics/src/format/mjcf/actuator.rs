//! `<actuator>`: motors and servos at joints, and what they leave of a joint's effort limit.
//!
//! `motor`, `position` and `velocity` are shorthands of `general`:
//!
//! | element | gain | bias |
//! | --- | --- | --- |
//! | `motor` | 1 | none |
//! | `position` | kp | 0, −kp, −kv |
//! | `velocity` | kv | 0, 0, −kv |
//! | `general` | gainprm₀ | biasprm, when biastype is affine |
//!
//! Classes have one set of actuator settings for all kinds. A shorthand takes over gear and ranges from any kind of
//! default, gains only from defaults of its own kind and of `general`.

use super::defaults::Kind;
use super::joint;
use super::notes::Notes;
use super::settings::Compiler;
use super::tree::{Node, clip};
use super::value::Layers;
use super::{Reader, schema};
use crate::format::{FormatError, nearest};
use crate::{Actuator, ActuatorLaw, JointKind, JointSpec};
use std::collections::HashMap;

/// Most actuators.
const MAX_ACTUATORS: usize = 10_000;

/// Checks the attributes of an actuator or of a default for actuators.
pub(super) fn check(node: Node<'_>, notes: &mut Notes) -> Result<(), FormatError> {
    let own = match node.tag() {
        "motor" => "",
        "position" => "kp kv dampratio timeconst inheritrange",
        "velocity" => "kv",
        "general" => {
            "actlimited actrange actdim actearly dyntype dynprm gaintype gainprm biastype biasprm inheritrange input \
             velrange ffrange"
        }
        // the others are refused where they are used
        _ => return Ok(()),
    };
    schema::ACTUATOR.check(node, own, notes)
}

impl<'t> Reader<'t, '_> {
    /// Reads an `<actuator>` section.
    pub(super) fn actuators(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        for node in section.children() {
            if !schema::ACTUATORS.split_whitespace().any(|tag| tag == node.tag()) {
                return Err(node.unknown_child(schema::ACTUATORS));
            }
            check(node, &mut self.notes)?;
            self.names.add("actuator", node)?;
            if self.spec.actuators.len() == MAX_ACTUATORS {
                return Err(node.error(format!("the model has more than {MAX_ACTUATORS} actuators")));
            }
            let at = self.classes.layers(Kind::Actuator, node, None)?;
            let (name, (b, j)) = self.driven_joint(node)?;
            let joint = &mut self.spec.bodies[b].joints[j];
            let actuator = read(&at, name, joint, &self.compiler)?;
            // the rotor's inertia, seen through the gear
            let rotor = at.magnitude("armature")?;
            if rotor != 0.0 {
                if joint.kind.nv() != 1 {
                    return Err(
                        node.error("armature is supported at hinges and slides only; give it to the joint")
                    );
                }
                joint.armature += actuator.gear[0] * actuator.gear[0] * rotor;
            }
            self.spec.actuators.push(actuator);
        }
        Ok(())
    }

    /// The joint that an actuator acts on: its name, and its place as body and number among the body's joints.
    fn driven_joint(&self, node: Node<'t>) -> Result<(&'t str, (usize, usize)), FormatError> {
        for other in ["tendon", "site", "slidersite", "cranksite", "body"] {
            if node.attribute(other).is_some() {
                return Err(
                    node.error(format!("actuators at a {other} are not supported, only those at joints"))
                );
            }
        }
        let (name, in_parent) = match (node.attribute("joint"), node.attribute("jointinparent")) {
            (Some(name), None) => (name, false),
            (None, Some(name)) => (name, true),
            (Some(_), Some(_)) => return Err(node.error("give joint or jointinparent, not both")),
            (None, None) => return Err(node.error("an actuator needs the attribute joint")),
        };
        let Some(&(b, j)) = self.joints.get(name) else {
            let hint = nearest::did_you_mean(name, self.names.all("joint"));
            return Err(node.error(format!("there is no joint \"{}\"{hint}", clip(name))));
        };
        // for one degree of freedom the parent's frame gives the same as the child's
        if in_parent && self.spec.bodies[b].joints[j].kind.nv() > 1 {
            return Err(node.error("jointinparent is supported for hinges and slides only"));
        }
        Ok((name, (b, j)))
    }

    /// Derives the joints' effort limits from the actuators and the limits that joints set on them.
    pub(super) fn efforts(&mut self) {
        let limits: Vec<f64> =
            self.drafts.iter().flat_map(|d| d.joints.iter().map(|(_, limit)| *limit)).collect();
        let by_joint = by_joint(&self.spec.actuators);
        let joints = self.spec.bodies.iter_mut().flat_map(|b| &mut b.joints);
        for (joint, limit) in joints.zip(limits) {
            joint.effort = effort(joint, &by_joint, limit);
        }
    }
}

/// The actuators of each joint.
pub(super) fn by_joint(actuators: &[Actuator]) -> HashMap<&str, Vec<&Actuator>> {
    let mut map: HashMap<&str, Vec<&Actuator>> = HashMap::new();
    for actuator in actuators {
        map.entry(&actuator.joint).or_default().push(actuator);
    }
    map
}

/// Greatest generalised force of a joint's actuators per degree of freedom: `Σ |gear| · greatest force`, at most
/// `limit`. Without any actuator in the model nothing is known, and nothing is limited but by `limit`.
pub(super) fn effort(joint: &JointSpec, by_joint: &HashMap<&str, Vec<&Actuator>>, limit: f64) -> [f64; 3] {
    if by_joint.is_empty() || joint.kind == JointKind::Free {
        return [limit; 3];
    }
    let own = by_joint.get(joint.name.as_str()).map_or(&[][..], Vec::as_slice);
    let reach = |k: usize| {
        let pull = |a: &&Actuator| if a.gear[k] == 0.0 { 0.0 } else { a.gear[k].abs() * a.greatest_force() };
        own.iter().map(pull).sum::<f64>().min(limit)
    };
    match joint.kind {
        JointKind::Ball => [reach(0), reach(1), reach(2)],
        _ => [reach(0); 3],
    }
}

/// What is left of an actuator when all its layers are applied.
struct Law {
    gain: f64,
    bias: [f64; 3],
    affine: bool,
    inherit: f64,
}

fn read(
    at: &Layers<'_>,
    name: &str,
    joint: &JointSpec,
    compiler: &Compiler,
) -> Result<Actuator, FormatError> {
    let node = at.element();
    for &layer in at.nodes() {
        if !matches!(layer.tag(), "general" | "motor" | "position" | "velocity") {
            return Err(layer.error(format!(
                "actuators of type {} are not supported; use motor, position, velocity or general",
                layer.tag()
            )));
        }
    }
    for other in ["damping", "delay", "nsample"] {
        at.refuse_nonzero(other, "is not supported at actuators")?;
    }

    // gains, layer by layer
    let mut law = Law { gain: 1.0, bias: [0.0; 3], affine: false, inherit: 0.0 };
    for &layer in at.nodes() {
        if node.tag() == "general" || layer.tag() == "general" || layer.tag() == node.tag() {
            law.apply(layer)?;
        }
        if layer.attribute("ctrlrange").is_some() {
            law.inherit = 0.0;
        }
        let inherited = Layers::of(layer).magnitude("inheritrange")?;
        if inherited > 0.0 {
            if layer.attribute("ctrlrange").is_some() {
                return Err(layer.error("give ctrlrange or inheritrange, not both"));
            }
            law.inherit = inherited;
        }
    }
    let bias = if law.affine { law.bias } else { [0.0; 3] };
    // MuJoCo reads a positive velocity gain of a position servo as a damping ratio
    if law.affine && law.gain == -law.bias[1] && law.bias[2] > 0.0 {
        return Err(node.error("a damping ratio is not supported; give the damping itself, as kv"));
    }

    let mut gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    at.overlay("gear", &mut gear)?;
    let ctrl_range = match (law.inherit > 0.0, joint.range) {
        (false, _) => joint::range(at, "ctrllimited", "ctrlrange", compiler)?,
        (true, _) if node.tag() != "position" => {
            return Err(node.error("inheritrange is supported for position servos only; give ctrlrange"));
        }
        (true, None) => {
            return Err(node.error(format!("inheritrange needs a range at joint \"{}\"", clip(name))));
        }
        (true, Some([low, high])) => {
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * law.inherit);
            Some([middle - half, middle + half])
        }
    };
    Ok(Actuator {
        name: node.name().to_owned(),
        joint: name.to_owned(),
        law: ActuatorLaw { gain: law.gain, bias },
        gear,
        ctrl_range,
        force_range: joint::range(at, "forcelimited", "forcerange", compiler)?,
    })
}

impl Law {
    /// Applies the gains of one layer.
    fn apply(&mut self, layer: Node<'_>) -> Result<(), FormatError> {
        let at = Layers::of(layer);
        match layer.tag() {
            "motor" => (self.gain, self.affine) = (1.0, false),
            "position" => {
                for (other, problem) in [
                    ("dampratio", "is not supported; give the damping itself, as kv"),
                    ("timeconst", "is not supported; actuators act without delay here"),
                ] {
                    at.refuse_nonzero(other, problem)?;
                }
                let kp = at.number("kp")?.unwrap_or(self.gain);
                let damping = at.text("kv").map(|_| at.magnitude("kv")).transpose()?.map(|kv| -kv);
                (self.gain, self.affine) = (kp, true);
                self.bias = [0.0, -kp, damping.unwrap_or(self.bias[2])];
            }
            "velocity" => {
                let kv = at.text("kv").map(|_| at.magnitude("kv")).transpose()?.unwrap_or(self.gain);
                (self.gain, self.affine, self.bias) = (kv, true, [0.0, 0.0, -kv]);
            }
            _ => self.general(&at)?,
        }
        Ok(())
    }

    fn general(&mut self, at: &Layers<'_>) -> Result<(), FormatError> {
        let node = at.element();
        for (name, plain) in [("dyntype", "none"), ("gaintype", "fixed")] {
            if let Some(kind) = at.text(name).filter(|k| *k != plain) {
                return Err(node.error(format!("{name}=\"{}\" is not supported, only {plain}", clip(kind))));
            }
        }
        for name in ["actlimited", "actrange", "actdim", "actearly", "input", "velrange", "ffrange"] {
            if at.text(name).is_some() {
                return Err(
                    node.error(format!("{name} is not supported; actuators have no state of their own"))
                );
            }
        }
        let mut gains = [self.gain, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        at.overlay("gainprm", &mut gains)?;
        self.gain = gains[0];
        let mut biases = [0.0; 10];
        biases[..3].copy_from_slice(&self.bias);
        at.overlay("biasprm", &mut biases)?;
        self.bias = [biases[0], biases[1], biases[2]];
        if let Some(affine) = at.word("biastype", &[("none", false), ("affine", true)])? {
            self.affine = affine;
        }
        Ok(())
    }
}
