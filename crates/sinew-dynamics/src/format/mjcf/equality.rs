//! `<equality>`: bodies tied together, and joints that follow each other.
//!
//! `connect` and `weld` become [`Tie`]s, which a world holds by forces. Where the file gives no place, that of the reference pose counts.
//! A joint that follows another in the file is held at its reference by its limits, with a note: couplings are not simulated.

use super::Reader;
use super::orientation::unit_quat;
use super::tree::{Node, clip};
use super::value;
use crate::Tie;
use crate::format::{FormatError, nearest};
use crate::spatial::{Placement, Quat, Vec3, rotation};

/// Most ties of a model.
const MAX_TIES: usize = 1000;
/// Room that a joint keeps which is held by its limits, rad or m.
const ROOM: f64 = 2e-4;
/// Attributes of every constraint.
const COMMON: &str = "name class active solref solimp";

impl<'t> Reader<'t, '_> {
    /// Reads an `<equality>` section.
    pub(super) fn equalities(&mut self, section: Node<'t>) -> Result<(), FormatError> {
        section.check_attributes("")?;
        for node in section.children() {
            if node.attribute("active") == Some("false") {
                self.notes.left_out(node, format!("<{}> constraint", node.tag()), "it is not active");
                continue;
            }
            let own = match node.tag() {
                "connect" => "body1 body2 anchor site1 site2",
                "weld" => "body1 body2 relpose anchor site1 site2 torquescale",
                "joint" => "joint1 joint2 polycoef",
                "tendon" => {
                    self.notes.left_out(node, "<tendon> constraint", "tendons exert no force here");
                    continue;
                }
                other => return Err(node.error(format!("<{other}> constraints are not supported"))),
            };
            node.check_attributes_in(&[COMMON, own])?;
            node.check_leaf()?;
            self.names.add("equality", node)?;
            match node.tag() {
                "joint" => self.coupling(node)?,
                weld => self.tie(node, weld == "weld")?,
            }
        }
        Ok(())
    }

    fn tie(&mut self, node: Node<'t>, weld: bool) -> Result<(), FormatError> {
        if self.spec.ties.len() == MAX_TIES {
            return Err(node.error(format!("more than {MAX_TIES} bodies are tied")));
        }
        let placements = self.spec.reference_placements();
        let at = |body: Option<usize>| body.map_or_else(Placement::identity, |b| placements[b]);
        let vector = |name: &str| -> Result<Option<Vec3>, FormatError> {
            let found = node.attribute(name).map(|text| value::list(node, name, text, 3)).transpose()?;
            match found.as_deref() {
                None => Ok(None),
                Some([x, y, z]) => Ok(Some(Vec3::new(*x, *y, *z))),
                Some(_) => Err(node.error(format!("{name} needs three numbers"))),
            }
        };
        let (a, b, mut point, point_other);
        let orientation: Option<Quat>;
        if node.attribute("site1").is_some() || node.attribute("site2").is_some() {
            let [one, other] = [self.site(node, "site1")?, self.site(node, "site2")?];
            let turned = |(_, at): &(Option<usize>, Placement)| rotation::from_matrix(&at.rot);
            orientation = weld.then(|| turned(&other) * turned(&one).inverse());
            (a, point, b, point_other) = (one.0, one.1.pos, other.0, other.1.pos);
        } else {
            let [one, other] = [self.tied(node, "body1")?, self.tied(node, "body2")?];
            let [from, to] = [at(one), at(other)];
            if weld {
                // the anchor is in the frame of the second body
                let anchor = vector("anchor")?.unwrap_or_default();
                let text = node.attribute("relpose").unwrap_or("0 1 0 0 0 0 0");
                let pose = value::list(node, "relpose", text, 7)?;
                let [x, y, z, w, i, j, k] = pose[..] else {
                    return Err(node.error("relpose needs seven numbers"));
                };
                let relative = match unit_quat([w, i, j, k]) {
                    Some(quat) => Placement::new(quat, Vec3::new(x, y, z)),
                    // as they are drawn
                    None => from.inverse() * to,
                };
                (a, point, b, point_other) = (one, relative.act(&anchor), other, anchor);
                orientation = Some(rotation::from_matrix(&relative.rot.transpose()));
            } else {
                let anchor =
                    vector("anchor")?.ok_or_else(|| node.error("a connect needs the attribute anchor"))?;
                let there = to.inverse().act(&from.act(&anchor));
                (a, point, b, point_other) = (one, anchor, other, there);
                orientation = None;
            }
        }
        // the world is always the other
        let (mut a, mut b, mut point_other) = (a, b, point_other);
        let mut orientation = orientation;
        if a.is_none() {
            (a, b, point, point_other) = (b, a, point_other, point);
            orientation = orientation.map(|q| q.inverse());
        }
        let Some(body) = a else { return Err(node.error("the world cannot be tied to itself")) };
        if a == b {
            return Err(node.error("a body cannot be tied to itself"));
        }
        let name = |b: usize| self.spec.bodies[b].name.clone();
        let tie = Tie {
            name: node.name().to_owned(),
            body: name(body),
            other: b.map(name),
            point,
            point_other,
            orientation,
        };
        self.spec.ties.push(tie);
        Ok(())
    }

    /// A body that is named, or the world.
    fn tied(&self, node: Node<'t>, attribute: &str) -> Result<Option<usize>, FormatError> {
        match node.attribute(attribute) {
            None if attribute == "body2" => Ok(None),
            None => Err(node.error(format!("a {} needs the attribute {attribute}", node.tag()))),
            Some("world") => Ok(None),
            Some(name) => self.spec.body_index(name).map(Some).ok_or_else(|| {
                let hint = nearest::did_you_mean(name, self.names.all("body"));
                node.error(format!("there is no body \"{}\"{hint}", clip(name)))
            }),
        }
    }

    /// A site that is named: its body, and where it is there.
    fn site(&self, node: Node<'t>, attribute: &str) -> Result<(Option<usize>, Placement), FormatError> {
        let name = node.attribute(attribute).unwrap_or("");
        let placed = |site: &crate::Site| Placement::new(site.quat, site.pos);
        let of =
            |sites: &[crate::Site]| sites.iter().find(|s| !name.is_empty() && s.name == name).map(placed);
        let own = |(b, body): (usize, &crate::BodySpec)| Some((Some(b), of(&body.sites)?));
        let found = self.spec.bodies.iter().enumerate().find_map(own);
        found.or_else(|| Some((None, of(&self.spec.world_sites)?))).ok_or_else(|| {
            node.error(format!(
                "there is no site \"{}\"; give site1 and site2, or body1 and body2",
                clip(name)
            ))
        })
    }

    /// A joint that follows another, or has a fixed value: held at its reference.
    fn coupling(&mut self, node: Node<'t>) -> Result<(), FormatError> {
        let joint = |attribute: &str| -> Result<Option<(usize, usize)>, FormatError> {
            let Some(name) = node.attribute(attribute) else { return Ok(None) };
            self.joints.get(name).copied().map(Some).ok_or_else(|| {
                let hint = nearest::did_you_mean(name, self.names.all("joint"));
                node.error(format!("there is no joint \"{}\"{hint}", clip(name)))
            })
        };
        let one =
            joint("joint1")?.ok_or_else(|| node.error("a joint constraint needs the attribute joint1"))?;
        let other = joint("joint2")?;
        let text = node.attribute("polycoef").unwrap_or("0 1 0 0 0");
        let offset = value::list(node, "polycoef", text, 5)?.first().copied().unwrap_or(0.0);
        let spec = &mut self.spec.bodies[one.0].joints[one.1];
        if spec.kind.nv() != 1 || spec.kind == crate::JointKind::Free {
            return Err(node.error("only hinges and slides can follow another joint"));
        }
        // with the other at its reference
        let place = spec.reference + offset;
        spec.range = Some([place - ROOM, place + ROOM]);
        let why = match other {
            Some(_) => "couplings are not simulated; the first joint is held at its reference",
            None => "its joint is held there by its limits",
        };
        self.notes.left_out(node, "<joint> constraint", why);
        Ok(())
    }
}
