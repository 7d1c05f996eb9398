//! Default classes: `<default>` elements nested in each other, each a copy of the one around it with changes.

use super::notes::Notes;
use super::tree::{Node, clip};
use super::value::Layers;
use super::{actuator, schema};
use crate::format::{FormatError, nearest};
use std::collections::HashMap;

/// Deepest nesting of classes and most `<default>` sections at the top.
const MAX_NESTED: usize = 64;

/// Kinds of settings of a class. All actuators share one, as in MuJoCo.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Joint,
    Geom,
    Site,
    Mesh,
    Material,
    Tendon,
    Actuator,
}

/// A class.
#[derive(Clone, Default)]
struct Class<'t> {
    /// Its settings for each [`Kind`], most general first.
    settings: [Vec<Node<'t>>; 7],
    /// How many of the actuator settings belong to each of the classes around it.
    around: Vec<usize>,
}

/// All classes of a model.
pub(super) struct Classes<'t>(HashMap<&'t str, Class<'t>>);

impl<'t> Classes<'t> {
    /// Reads all `<default>` sections.
    pub(super) fn read(
        sections: impl Iterator<Item = Node<'t>>,
        notes: &mut Notes,
    ) -> Result<Classes<'t>, FormatError> {
        let mut classes = Classes(HashMap::from([("main", Class::default())]));
        for (nth, section) in sections.enumerate() {
            if nth >= MAX_NESTED {
                return Err(section.error(format!("more than {MAX_NESTED} default sections")));
            }
            let name = section.attribute("class").unwrap_or("main");
            if name != "main" {
                return Err(section.error("the outermost default class is always called \"main\""));
            }
            classes.add(section, "main", notes)?;
        }
        Ok(classes)
    }

    /// The layers of an element: its class, else that of the bodies around it, else `main`.
    pub(super) fn layers(
        &self,
        kind: Kind,
        node: Node<'t>,
        around: Option<&str>,
    ) -> Result<Layers<'t>, FormatError> {
        let name = node.attribute("class").or(around).unwrap_or("main");
        Ok(Layers::over(&self.class(name, node)?.settings[kind as usize], node))
    }

    /// How many layers of an actuator belong to each class around its own.
    pub(super) fn around(&self, node: Node<'t>) -> Result<&[usize], FormatError> {
        Ok(&self.class(node.attribute("class").unwrap_or("main"), node)?.around)
    }

    /// Checks that a class exists.
    pub(super) fn check(&self, name: &str, node: Node<'_>) -> Result<(), FormatError> {
        self.class(name, node).map(|_| ())
    }

    fn class(&self, name: &str, node: Node<'_>) -> Result<&Class<'t>, FormatError> {
        self.0.get(name).ok_or_else(|| {
            let mut known: Vec<&str> = self.0.keys().copied().collect();
            known.sort_unstable();
            let hint = nearest::did_you_mean(name, known);
            node.error(format!("there is no default class \"{}\"{hint}", clip(name)))
        })
    }

    /// Reads a section and those nested in it, parents before children.
    fn add(&mut self, section: Node<'t>, name: &'t str, notes: &mut Notes) -> Result<(), FormatError> {
        let mut queue = vec![(section, name, 1)];
        let mut next = 0;
        while let Some(&(section, name, depth)) = queue.get(next) {
            next += 1;
            section.check_attributes("class")?;
            if depth > MAX_NESTED {
                return Err(section.error(format!("default classes are nested more than {MAX_NESTED} deep")));
            }
            // a class's own settings come before those of its children, wherever they are written
            let mut class = self.0.get(name).cloned().unwrap_or_default();
            for child in section.children().filter(|c| c.tag() != "default") {
                if let Some(kind) = kind_of(child, notes)? {
                    class.settings[kind as usize].push(child);
                }
            }
            check_repeats(section)?;
            self.0.insert(name, class.clone());
            class.around.push(class.settings[Kind::Actuator as usize].len());
            for child in section.children().filter(|c| c.tag() == "default") {
                let name = child.attribute("class").unwrap_or("");
                if name.is_empty() {
                    return Err(child.error("a nested default class needs the attribute class"));
                }
                if self.0.insert(name, class.clone()).is_some() {
                    return Err(child.error(format!("the default class \"{}\" is defined twice", clip(name))));
                }
                queue.push((child, name, depth + 1));
            }
        }
        Ok(())
    }
}

/// What a child of a class sets, if it matters here.
fn kind_of(child: Node<'_>, notes: &mut Notes) -> Result<Option<Kind>, FormatError> {
    for name in ["name", "class"] {
        if child.attribute(name).is_some() {
            return Err(child.error(format!("a default has no attribute {name}")));
        }
    }
    let (kind, table) = match child.tag() {
        "joint" => (Kind::Joint, Some(&schema::JOINT)),
        "geom" => (Kind::Geom, Some(&schema::GEOM)),
        "site" => (Kind::Site, Some(&schema::SITE)),
        "mesh" => (Kind::Mesh, Some(&schema::MESH)),
        "material" => (Kind::Material, None),
        "tendon" => (Kind::Tendon, Some(&schema::TENDON)),
        tag if schema::ACTUATORS.split_whitespace().any(|a| a == tag) => {
            actuator::check(child, notes)?;
            if let Some(target) = actuator::TARGETS.iter().find(|t| child.attribute(t).is_some()) {
                return Err(child.error(format!("a default has no attribute {target}")));
            }
            (Kind::Actuator, None)
        }
        "texture" | "camera" | "light" | "pair" | "equality" => return Ok(None),
        _ => return Err(child.unknown_child(schema::DEFAULT_CHILDREN)),
    };
    if let Some(table) = table {
        table.check(child, "", notes)?;
    }
    Ok(Some(kind))
}

fn check_repeats(section: Node<'_>) -> Result<(), FormatError> {
    let mut seen: Vec<&str> = Vec::new();
    for child in section.children().filter(|c| c.tag() != "default") {
        if seen.contains(&child.tag()) {
            return Err(child.error("a default class sets each kind of element once"));
        }
        seen.push(child.tag());
    }
    Ok(())
}
