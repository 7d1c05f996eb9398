//! `<actuator>`: motors and servos at joints, and the joints' effort limits that follow from them.
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
//! Default classes have one set of actuator settings for all kinds. A shorthand takes over gear and ranges from any
//! kind, gains only from the nearest class whose settings are of its own kind or of `general`.

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

/// Reasons why some actuators have no effect.
const TENDON: &str = "tendons exert no force here; its joints have no motor of it";
const AT_ONCE: &str = "actuators act at once here, by one signal";

/// Attributes that say what an actuator acts on; only the first two are supported.
pub(super) const TARGETS: [&str; 7] =
    ["joint", "jointinparent", "tendon", "site", "slidersite", "cranksite", "body"];

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
    notes.left_out_attributes(
        node,
        "actlimited actrange actdim actearly dynprm",
        "it only matters to actuators with a state of their own",
    );
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
            if node.attribute("tendon").is_some() {
                self.notes.left_out(node, format!("<{}> at a tendon", node.tag()), TENDON);
                continue;
            }
            let (name, (b, j)) = self.driven_joint(node)?;
            let joint = &mut self.spec.bodies[b].joints[j];
            let (actuator, idle) = read(&at, self.classes.around(node)?, name, joint, &self.compiler)?;
            for (layer, what) in idle {
                self.notes.left_out(layer, what, AT_ONCE);
            }
            if actuator.law.bias != [0.0; 3] {
                let what = format!("the servo of <{}>", node.tag());
                self.notes.left_out(
                    node,
                    what,
                    "torques drive joints here; its greatest force is what counts",
                );
            }
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
        for other in &TARGETS[2..] {
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

fn read<'t>(
    at: &Layers<'t>,
    around: &[usize],
    name: &str,
    joint: &JointSpec,
    compiler: &Compiler,
) -> Result<(Actuator, Vec<(Node<'t>, String)>), FormatError> {
    let node = at.element();
    for other in ["damping", "delay", "nsample"] {
        at.refuse_nonzero(other, "is not supported at actuators")?;
    }

    // gains, layer by layer; those of the classes around are kept
    let (mut law, mut kept) = (Law::default(), Vec::new());
    let mut inherit = 0.0;
    for (nth, &layer) in at.nodes().iter().enumerate() {
        kept.extend(around.iter().filter(|count| **count == nth).map(|_| law.clone()).take(1));
        law = law.over(layer, &kept)?;
        // the last word of ctrlrange and inheritrange counts
        let inherited = Layers::of(layer).magnitude("inheritrange")?;
        match (layer.attribute("ctrlrange"), inherited > 0.0) {
            (Some(_), true) => return Err(layer.error("give ctrlrange or inheritrange, not both")),
            (Some(_), false) => inherit = 0.0,
            (None, true) => inherit = inherited,
            (None, false) => {}
        }
    }
    if let Some((layer, problem)) = law.trouble {
        return Err(layer.error(problem));
    }
    let mut idle = law.idle;
    // MuJoCo reads a positive velocity gain of a position servo as a damping ratio
    if law.affine && law.gain == -law.bias[1] && law.bias[2] > 0.0 {
        law.bias[2] = 0.0;
        idle.push((node, "the damping ratio of a servo".to_owned()));
    }

    let mut gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    at.overlay("gear", &mut gear)?;
    let inherit = if matches!(node.tag(), "position" | "general") { inherit } else { 0.0 };
    let ctrl_range = match joint.range {
        _ if inherit == 0.0 => joint::range(at, "ctrllimited", "ctrlrange", compiler)?,
        _ if node.tag() == "general" => {
            return Err(node.error("inheritrange is supported for position servos only; give ctrlrange"));
        }
        None => return Err(node.error(format!("inheritrange needs a range at joint \"{}\"", clip(name)))),
        Some(_) if at.word("ctrllimited", &joint::SWITCH)? == Some(Some(false)) => None,
        Some([low, high]) => {
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * inherit);
            Some([middle - half, middle + half])
        }
    };
    let actuator = Actuator {
        name: node.name().to_owned(),
        joint: name.to_owned(),
        law: ActuatorLaw { gain: law.gain, bias: if law.affine { law.bias } else { [0.0; 3] } },
        gear,
        ctrl_range,
        force_range: joint::range(at, "forcelimited", "forcerange", compiler)?,
    };
    Ok((actuator, idle))
}

/// The gains of an actuator, or of a class's actuators, and the kind of element that set them last.
#[derive(Clone)]
struct Law<'t> {
    kind: &'t str,
    gain: f64,
    bias: [f64; 3],
    affine: bool,
    /// An unsupported setting, and its place.
    trouble: Option<(Node<'t>, String)>,
    /// Settings without effect here.
    idle: Vec<(Node<'t>, String)>,
}

impl Default for Law<'_> {
    fn default() -> Self {
        Law { kind: "general", gain: 1.0, bias: [0.0; 3], affine: false, trouble: None, idle: Vec::new() }
    }
}

impl<'t> Law<'t> {
    /// The gains with those of one more layer, `kept` being those of the classes around, outermost first.
    fn over(&self, layer: Node<'t>, kept: &[Law<'t>]) -> Result<Law<'t>, FormatError> {
        let at = Layers::of(layer);
        let kind = layer.tag();
        let gain = |name: &str| at.text(name).map(|_| at.magnitude(name)).transpose();
        // a shorthand builds on its own kind
        let fits = |law: &&Law<'t>| law.kind == kind || law.kind == "general";
        let base = core::iter::once(self).chain(kept.iter().rev()).find(fits).cloned().unwrap_or_default();
        Ok(match kind {
            "general" => return self.general(layer, &at),
            "motor" => Law { kind, ..Law::default() },
            "position" => {
                let kp = at.number("kp")?.unwrap_or(base.gain);
                let (kv, ratio) = (gain("kv")?, gain("dampratio")?);
                if kv.is_some() && ratio.is_some() {
                    return Err(layer.error("give kv or dampratio, not both"));
                }
                let damping = kv.map(|kv| -kv).or(ratio).unwrap_or(base.bias[2]);
                let mut idle = base.idle;
                if at.magnitude("timeconst")? > 0.0 {
                    idle.push((layer, "timeconst of a servo".to_owned()));
                }
                let bias = [0.0, -kp, damping];
                Law { kind, gain: kp, bias, affine: true, trouble: base.trouble, idle }
            }
            "velocity" => {
                let kv = gain("kv")?.unwrap_or(base.gain);
                Law { kind, gain: kv, bias: [0.0, 0.0, -kv], affine: true, ..Law::default() }
            }
            other => {
                let problem = format!(
                    "actuators of type {other} are not supported; use motor, position, velocity or general"
                );
                Law { kind, trouble: Some((layer, problem)), ..Law::default() }
            }
        })
    }

    fn general(&self, layer: Node<'t>, at: &Layers<'t>) -> Result<Law<'t>, FormatError> {
        let mut law = Law { kind: "general", ..self.clone() };
        match at.text("gaintype") {
            Some(kind) if kind != "fixed" => {
                let problem = format!("gaintype=\"{}\" is not supported, only fixed", clip(kind));
                law.trouble = Some((layer, problem));
            }
            _ => {}
        }
        match at.text("dyntype") {
            None | Some("none") => {}
            Some(kind @ ("integrator" | "filter" | "filterexact")) => {
                law.idle.push((layer, format!("dyntype=\"{kind}\"")));
            }
            Some(kind) => {
                let problem = format!("dyntype=\"{}\" is not supported, only none and filters", clip(kind));
                law.trouble = Some((layer, problem));
            }
        }
        // as MuJoCo saves servos
        let signals = ["input", "velrange", "ffrange"].into_iter().filter(|name| at.text(name).is_some());
        law.idle.extend(signals.map(|name| (layer, format!("{name} of an actuator"))));
        let mut gains = [law.gain, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        at.overlay("gainprm", &mut gains)?;
        law.gain = gains[0];
        let mut biases = [0.0; 10];
        biases[..3].copy_from_slice(&law.bias);
        at.overlay("biasprm", &mut biases)?;
        law.bias = [biases[0], biases[1], biases[2]];
        if let Some(affine) = at.word("biastype", &[("none", false), ("affine", true)])? {
            law.affine = affine;
        }
        Ok(law)
    }
}
