//! The smaller sections: assets, contact, tendons, equality, keyframes, custom data, and those that are only drawn.

use super::defaults::Kind;
use super::orientation::unit_quat;
use super::schema::{DRAWN, SOLVER};
use super::tree::{Node, clip};
use super::value::{self, Layers};
use super::{Reader, schema, write};
use crate::format::{FormatError, nearest};
use crate::{JointKind, Keyframe, Role};

/// Most excluded pairs, and most keyframes.
const MAX_PAIRS: usize = 10_000;
const MAX_KEYS: usize = 10_000;

impl<'t> Reader<'t, '_> {
    /// Reads the meshes and colours of an `<asset>` section.
    pub(super) fn assets(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        for node in section.children() {
            match node.tag() {
                "mesh" => self.meshes.add(node, &self.classes, &mut self.notes)?,
                "material" => {
                    let at = self.classes.layers(Kind::Material, node, None)?;
                    self.materials.insert(node.name(), at.numbers("rgba")?);
                    self.notes.left_out(node, "<material> but for its rgba", DRAWN);
                }
                "texture" | "skin" => self.notes.left_out(node, format!("<{}>", node.tag()), DRAWN),
                "hfield" | "model" => {
                    let what = format!("<{}>", node.tag());
                    self.notes.left_out(node, what, "no other element uses it");
                }
                _ => return Err(node.unknown_child("mesh material texture skin hfield model include")),
            }
        }
        Ok(())
    }

    /// Reads the excluded pairs of a `<contact>` section.
    pub(super) fn contact(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        for node in section.children() {
            match node.tag() {
                "exclude" => {
                    node.check_attributes("name body1 body2")?;
                    node.check_leaf()?;
                    if self.spec.excludes.len() == MAX_PAIRS {
                        return Err(node.error(format!("more than {MAX_PAIRS} pairs are excluded")));
                    }
                    let pair = (self.excluded(node, "body1")?, self.excluded(node, "body2")?);
                    self.spec.excludes.push(pair);
                }
                "pair" => self.pair(node)?,
                _ => return Err(node.unknown_child("exclude pair include")),
            }
        }
        Ok(())
    }

    /// A pair of shapes that collide independent of their bits: both get a common bit.
    fn pair(&mut self, node: Node<'t>) -> Result<(), FormatError> {
        let mut places = [None; 2];
        for (place, attribute) in places.iter_mut().zip(["geom1", "geom2"]) {
            let name = node.attribute(attribute).unwrap_or("");
            let of = |geoms: &[crate::Geom]| geoms.iter().position(|g| !name.is_empty() && g.name == name);
            let own = |(b, body): (usize, &crate::BodySpec)| Some((b, of(&body.geoms)?));
            *place = self.spec.bodies.iter().enumerate().find_map(own);
            if place.is_none() && of(&self.spec.world_geoms).is_none() {
                let hint = nearest::did_you_mean(name, self.names.all("geom"));
                return Err(node.error(format!("there is no geom \"{}\"{hint}", clip(name))));
            }
        }
        // the bit of the ground, unless both have one in common already
        let bits = |(b, g): (usize, usize)| {
            let geom = &self.spec.bodies[b].geoms[g];
            (geom.contype, geom.conaffinity)
        };
        let apart = match places {
            [Some(a), Some(b)] => (bits(a).0 & bits(b).1) | (bits(b).0 & bits(a).1) == 0,
            _ => true,
        };
        for (b, g) in places.into_iter().flatten().filter(|_| apart) {
            let geom = &mut self.spec.bodies[b].geoms[g];
            (geom.contype, geom.conaffinity) = (geom.contype | 1, geom.conaffinity | 1);
        }
        let why = "its shapes collide with each other, and so with all that collides with the ground";
        self.notes.left_out(node, "the settings of a contact <pair>", why);
        Ok(())
    }

    fn excluded(&self, node: Node<'t>, attribute: &str) -> Result<String, FormatError> {
        let name = node.attribute(attribute).unwrap_or("");
        if name.is_empty() {
            return Err(node.error(format!("an exclude needs the attribute {attribute}")));
        }
        self.check_body(node, name)?;
        Ok(name.to_owned())
    }

    fn check_body(&self, node: Node<'_>, name: &str) -> Result<(), FormatError> {
        if name == "world" || self.bodies.contains(name) {
            return Ok(());
        }
        let hint = nearest::did_you_mean(name, self.names.all("body"));
        Err(node.error(format!("there is no body \"{}\"{hint}", clip(name))))
    }

    /// Lists tendons: none of them pulls.
    pub(super) fn tendons(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        for node in section.children() {
            if !matches!(node.tag(), "spatial" | "fixed") {
                return Err(node.unknown_child("spatial fixed include"));
            }
            schema::TENDON.check(node, "", &mut self.notes)?;
            let at = self.classes.layers(Kind::Tendon, node, None)?;
            let given = |force: &str| at.numbers::<1>(force).ok().flatten().is_some_and(|[x]| x != 0.0);
            let limits = at.text("range").is_some() && at.text("limited") != Some("false");
            let pulls = limits || ["stiffness", "damping", "frictionloss", "armature"].into_iter().any(given);
            let why = if pulls {
                "tendons exert no force here, so its effect is missing"
            } else {
                "it exerts no force"
            };
            self.notes.left_out(node, format!("<{}> tendon", node.tag()), why);
        }
        Ok(())
    }

    /// Reads a `<keyframe>` section.
    pub(super) fn keyframes(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        let neutral = self.neutral();
        let nv: usize = self.spec.bodies.iter().flat_map(|b| &b.joints).map(|j| j.kind.nv()).sum();
        for node in section.children() {
            if node.tag() != "key" {
                return Err(node.unknown_child("key include"));
            }
            node.check_attributes("name time qpos qvel act ctrl mpos mquat plastic")?;
            node.check_leaf()?;
            self.names.add("key", node)?;
            if self.spec.keyframes.len() == MAX_KEYS {
                return Err(node.error(format!("more than {MAX_KEYS} keyframes")));
            }
            let numbers = |name: &str, count: usize| match node.attribute(name) {
                None => Ok(None),
                Some(_) if count == 0 => Err(node.error(format!("{name} must have 0 numbers"))),
                Some(text) => {
                    let found = value::list(node, name, text, count)?;
                    if found.len() != count {
                        return Err(node.error(format!("{name} has {} numbers, needs {count}", found.len())));
                    }
                    Ok(Some(found))
                }
            };
            let mut q = numbers("qpos", neutral.len())?.unwrap_or_else(|| neutral.clone());
            self.normalise(&mut q).ok_or_else(|| node.error("qpos has a quaternion of length 0"))?;
            let v = numbers("qvel", nv)?.unwrap_or_default();
            self.notes.left_out_attributes(
                node,
                "time act ctrl mpos mquat plastic",
                "a keyframe is a configuration and a velocity",
            );
            self.spec.keyframes.push(Keyframe { name: node.name().to_owned(), q, v });
        }
        Ok(())
    }

    /// The configuration at which all joints are at their reference.
    fn neutral(&self) -> Vec<f64> {
        let mut q = Vec::new();
        for body in &self.spec.bodies {
            for joint in &body.joints {
                match joint.kind {
                    JointKind::Free => {
                        q.extend(body.pos.iter());
                        q.extend([body.quat.w, body.quat.i, body.quat.j, body.quat.k]);
                    }
                    JointKind::Ball => q.extend([1.0, 0.0, 0.0, 0.0]),
                    _ => q.push(joint.reference),
                }
            }
        }
        q
    }

    /// Makes the quaternions of a configuration unit.
    fn normalise(&self, q: &mut [f64]) -> Option<()> {
        let mut at = 0;
        for joint in self.spec.bodies.iter().flat_map(|b| &b.joints) {
            let quaternion = match joint.kind {
                JointKind::Free => Some(at + 3),
                JointKind::Ball => Some(at),
                _ => None,
            };
            if let Some(first) = quaternion {
                let unit = unit_quat([q[first], q[first + 1], q[first + 2], q[first + 3]])?;
                q[first..first + 4].copy_from_slice(&[unit.w, unit.i, unit.j, unit.k]);
            }
            at += joint.kind.nq();
        }
        Some(())
    }

    /// Reads roles and effort limits from a `<custom>` section.
    pub(super) fn custom(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        for node in section.children() {
            match (node.tag(), node.name()) {
                ("text", write::ROLES) => self.roles(node)?,
                ("text", write::EFFORT) => self.given_efforts(node)?,
                ("text" | "numeric" | "tuple", _) => {
                    let what = format!("<{}> of custom data", node.tag());
                    self.notes.left_out(node, what, "it is not used");
                }
                _ => return Err(node.unknown_child("text numeric tuple include")),
            }
        }
        Ok(())
    }

    fn roles(&mut self, node: Node<'t>) -> Result<(), FormatError> {
        for (role, body) in pairs(node)? {
            let role: Role = role.parse().map_err(|e| node.error(format!("{e}")))?;
            if body == "world" {
                return Err(node.error("the world plays no role"));
            }
            self.check_body(node, &body)?;
            self.spec.roles.set(role, body);
        }
        Ok(())
    }

    fn given_efforts(&mut self, node: Node<'t>) -> Result<(), FormatError> {
        for (limits, joint) in pairs(node)? {
            let mut words = limits.split(',');
            let mut next = || words.next()?.parse::<f64>().ok().filter(|e| *e >= 0.0);
            let (Some(x), Some(y), Some(z), None) = (next(), next(), next(), next()) else {
                return Err(node.error(format!("\"{}\" is not three effort limits", clip(&limits))));
            };
            let Some(&(b, j)) = self.joints.get(&joint) else {
                let hint = nearest::did_you_mean(&joint, self.names.all("joint"));
                return Err(node.error(format!("there is no joint \"{}\"{hint}", clip(&joint))));
            };
            self.spec.bodies[b].joints[j].effort = [x, y, z];
        }
        Ok(())
    }

    /// Refuses `<deformable>` but for skins.
    pub(super) fn deformable(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        for node in section.children() {
            match node.tag() {
                "skin" => self.notes.left_out(node, "<skin>", DRAWN),
                _ => return Err(node.error("soft bodies are not supported; bodies are rigid here")),
            }
        }
        Ok(())
    }

    /// Lists a section that changes nothing.
    pub(super) fn idle(&mut self, section: Node<'t>) {
        let (what, why) = match section.tag() {
            "visual" => ("<visual>", DRAWN),
            "statistic" => ("<statistic>", "it only scales drawing and solver settings"),
            "size" => ("<size>", SOLVER),
            _ => ("<sensor>", "sensors do not change the physics"),
        };
        let count = section.children().count();
        let what = if count > 1 { format!("{what} with {count} elements") } else { what.to_owned() };
        self.notes.left_out(section, what, why);
    }
}

/// The pairs of a text such as `pelvis=hips foot_left=foot_l`, key first; names may hold `%20` for a space.
fn pairs(node: Node<'_>) -> Result<Vec<(String, String)>, FormatError> {
    node.check_attributes("name data")?;
    node.check_leaf()?;
    let text = Layers::of(node).text("data").unwrap_or("");
    text.split_ascii_whitespace()
        .map(|pair| {
            let wrong = || node.error(format!("\"{}\" is not of the form key=name", clip(pair)));
            let (key, name) = pair.split_once('=').ok_or_else(wrong)?;
            Ok((key.to_owned(), write::decode(name).ok_or_else(wrong)?))
        })
        .collect()
}
