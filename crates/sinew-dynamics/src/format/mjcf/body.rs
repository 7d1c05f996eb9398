//! The tree of bodies: `<worldbody>`, `<body>`, `<frame>` and their content.
//!
//! The walk keeps its own stack, so that depth costs no call stack. A `<frame>` is not a body: it only moves the
//! elements inside it.

use super::defaults::Kind;
use super::joint::{self, ReadJoint};
use super::orientation::Frame;
use super::settings::FromGeoms;
use super::tree::{Node, clip};
use super::value::Layers;
use super::{Reader, geom, inertia, schema};
use crate::format::FormatError;
use crate::spatial::Inertia;
use crate::{BodySpec, JointKind, Shape, Site};
use std::collections::HashSet;

/// Most bodies, and most joints.
const MAX_BODIES: usize = 10_000;
/// Most degrees of freedom of one body, as in MuJoCo.
const MAX_DOFS: usize = 6;

/// A body in the making.
pub(super) struct Draft<'t> {
    pub(super) node: Node<'t>,
    spec: BodySpec,
    inertial: Option<Inertia>,
    /// Geoms' shares in the inertia.
    solids: Vec<Inertia>,
    weighs: bool,
    plane: Option<Node<'t>>,
    pub(super) joints: Vec<(Node<'t>, f64)>,
}

/// An element still to be read: the body it belongs to, the frame and the default class around it.
#[derive(Clone, Copy)]
struct Item<'t> {
    node: Node<'t>,
    body: Option<usize>,
    frame: Option<Frame>,
    class: Option<&'t str>,
}

impl<'t> Reader<'t, '_> {
    /// Reads a `<worldbody>` and appends its bodies.
    pub(super) fn world(&mut self, world: Node<'t>) -> Result<(), FormatError> {
        if let Some((name, _)) = world.attributes().next() {
            return Err(world.error(format!("the world body has no attributes, not even \"{}\"", clip(name))));
        }
        let inside = |node| Item { node, body: None, frame: None, class: None };
        let mut open: Vec<Item<'t>> = world.children().rev().map(inside).collect();
        while let Some(item) = open.pop() {
            let Item { node, body, frame, class } = item;
            match node.tag() {
                "body" => {
                    let (index, class) = self.body(item)?;
                    let inside = |node| Item { node, body: Some(index), frame: None, class };
                    open.extend(node.children().rev().map(inside));
                }
                "frame" => {
                    node.check_attributes("name childclass pos quat axisangle xyaxes zaxis euler")?;
                    let class = self.child_class(node, class)?;
                    let frame = Frame::read(&Layers::of(node), &self.compiler)?.inside(frame);
                    let inside = |node| Item { node, body, frame: Some(frame), class };
                    open.extend(node.children().rev().map(inside));
                }
                "joint" | "freejoint" | "inertial" => match body {
                    None => return Err(node.error("the world has no joints and no inertia")),
                    Some(index) => self.part(item, index)?,
                },
                "geom" => self.add_geom(item)?,
                "site" => self.add_site(item)?,
                "camera" => self.notes.left_out(node, "<camera>", schema::DRAWN),
                "light" => self.notes.left_out(node, "<light>", schema::DRAWN),
                "replicate" => return Err(node.error("replicate is not supported; write the copies out")),
                "attach" => {
                    return Err(node.error("attach is not supported; include the model's bodies instead"));
                }
                "plugin" => return Err(node.error("plugins are not supported")),
                "composite" | "flexcomp" => {
                    return Err(
                        node.error("soft and composite bodies are not supported; bodies are rigid here")
                    );
                }
                _ => return Err(node.unknown_child(schema::BODY_CHILDREN)),
            }
        }
        Ok(())
    }

    /// Starts a body; returns its index and the default class of its children.
    fn body(&mut self, item: Item<'t>) -> Result<(usize, Option<&'t str>), FormatError> {
        let node = item.node;
        schema::BODY.check(node, "", &mut self.notes)?;
        if self.drafts.len() == MAX_BODIES {
            return Err(node.error(format!("the model has more than {MAX_BODIES} bodies")));
        }
        let at = Layers::of(node);
        at.refuse_truth("mocap", "is not supported: bodies move by physics here")?;
        at.refuse_nonzero("gravcomp", "is not supported: gravity acts on every body")?;
        self.names.add("body", node)?;
        if node.name() == "world" {
            return Err(node.error("only the world itself is called \"world\""));
        }
        let class = self.child_class(node, item.class)?;
        let Frame { pos, quat } = Frame::read(&at, &self.compiler)?.inside(item.frame);
        let spec = BodySpec::new(node.name(), item.body, Inertia::ZERO).at(pos).turned(quat);
        let weighs = match self.compiler.from_geoms {
            FromGeoms::Never => false,
            FromGeoms::Always => true,
            FromGeoms::Missing => !within(node).any(|n| n.tag() == "inertial"),
        };
        self.drafts.push(Draft {
            node,
            spec,
            inertial: None,
            solids: Vec::new(),
            weighs,
            plane: None,
            joints: Vec::new(),
        });
        Ok((self.drafts.len() - 1, class))
    }

    fn child_class(&self, node: Node<'t>, around: Option<&'t str>) -> Result<Option<&'t str>, FormatError> {
        match node.attribute("childclass") {
            None => Ok(around),
            Some(class) => self.classes.check(class, node).map(|()| Some(class)),
        }
    }

    /// Reads a joint or the inertia of a body.
    fn part(&mut self, item: Item<'t>, index: usize) -> Result<(), FormatError> {
        let Item { node, frame, class, .. } = item;
        if node.tag() == "inertial" {
            let found = inertia::inertial(node, frame, &self.compiler)?;
            if self.drafts[index].inertial.replace(found).is_some() {
                return Err(node.error("a body has one inertial"));
            }
            return Ok(());
        }
        self.names.add("joint", node)?;
        let ReadJoint { spec, force_range: [low, high] } = if node.tag() == "freejoint" {
            joint::free(node)?
        } else {
            schema::JOINT.check(node, "", &mut self.notes)?;
            let at = self.classes.layers(Kind::Joint, node, class)?;
            joint::joint(&at, frame, &self.compiler)?
        };
        let alone = || !within(self.drafts[index].node).any(|n| n.tag() == "body");
        if spec.kind == JointKind::Free && alone() {
            joint::check_aligned(node, &self.compiler)?;
        }
        let force_limit = low.abs().max(high.abs());
        if low != -high {
            let name = clip(node.name());
            self.notes
                .assume(format!("the effort of joint \"{name}\" is at most ±{force_limit}, on both sides"));
        }
        let draft = &mut self.drafts[index];
        draft.spec.joints.push(spec);
        draft.joints.push((node, force_limit));
        if draft.spec.joints.iter().map(|j| j.kind.nv()).sum::<usize>() > MAX_DOFS {
            return Err(node.error(format!("the body has more than {MAX_DOFS} degrees of freedom")));
        }
        Ok(())
    }

    fn add_geom(&mut self, item: Item<'t>) -> Result<(), FormatError> {
        let Item { node, body, frame, class } = item;
        schema::GEOM.check(node, "", &mut self.notes)?;
        self.names.add("geom", node)?;
        let at = self.classes.layers(Kind::Geom, node, class)?;
        let weighs = body.is_some_and(|index| self.drafts[index].weighs);
        let Some((geom, share)) = self.geom(&at, frame, weighs)? else { return Ok(()) };
        match body {
            None => self.spec.world_geoms.push(geom),
            Some(index) => {
                let draft = &mut self.drafts[index];
                if matches!(geom.shape, Shape::Plane { .. }) {
                    draft.plane = Some(node);
                }
                if share.mass > 0.0 {
                    draft.solids.push(share);
                }
                draft.spec.geoms.push(geom);
            }
        }
        Ok(())
    }

    fn add_site(&mut self, item: Item<'t>) -> Result<(), FormatError> {
        let Item { node, body, frame, class } = item;
        schema::SITE.check(node, "", &mut self.notes)?;
        self.names.add("site", node)?;
        let at = self.classes.layers(Kind::Site, node, class)?;
        let own = match geom::segment(&at)? {
            Some((pos, _, quat)) => Frame { pos, quat },
            None => Frame::read(&at, &self.compiler)?,
        };
        let Frame { pos, quat } = own.inside(frame);
        let site = Site { name: node.name().to_owned(), pos, quat };
        match body {
            None => self.spec.world_sites.push(site),
            Some(index) => self.drafts[index].spec.sites.push(site),
        }
        Ok(())
    }

    /// Completes the bodies: names, inertia, and checks that need all parts.
    pub(super) fn finish_bodies(&mut self) -> Result<(), FormatError> {
        self.name_the_nameless();
        let mut computed = 0;
        for index in 0..self.drafts.len() {
            let draft = &self.drafts[index];
            let total = inertia::resolve(draft.node, draft.inertial, &draft.solids, &self.compiler)?;
            computed += usize::from(draft.weighs && !draft.solids.is_empty());
            self.drafts[index].spec.inertia = total;
        }
        if computed > 0 {
            self.notes.assume(format!("the inertia of {computed} bodies is that of their geoms"));
        }
        self.scale_mass();
        self.check_moving()?;
        self.spec.bodies = self
            .drafts
            .iter_mut()
            .map(|d| core::mem::replace(&mut d.spec, BodySpec::new("", None, Inertia::ZERO)))
            .collect();
        for (b, body) in self.spec.bodies.iter().enumerate() {
            self.bodies.insert(body.name.clone());
            let joints = body.joints.iter().enumerate();
            self.joints.extend(joints.map(|(j, joint)| (joint.name.clone(), (b, j))));
        }
        Ok(())
    }

    /// Gives bodies and joints without a name one that is free.
    fn name_the_nameless(&mut self) {
        let mut taken: HashSet<String> = self.drafts.iter().map(|d| d.spec.name.clone()).collect();
        let mut bodies = Vec::new();
        for (index, draft) in self.drafts.iter_mut().enumerate().filter(|(_, d)| d.spec.name.is_empty()) {
            draft.spec.name = unused(format!("body{}", index + 1), &mut taken);
            bodies.push(draft.spec.name.clone());
        }
        let named = self.drafts.iter().flat_map(|d| &d.spec.joints).map(|j| j.name.clone());
        let mut taken: HashSet<String> = named.collect();
        let mut joints = Vec::new();
        for draft in &mut self.drafts {
            for joint in draft.spec.joints.iter_mut().filter(|j| j.name.is_empty()) {
                joint.name = unused(format!("{}_joint", draft.spec.name), &mut taken);
                joints.push(joint.name.clone());
            }
        }
        for (what, names) in [("bodies", bodies), ("joints", joints)] {
            if !names.is_empty() {
                self.notes.assume(format!("{what} without a name are called {}", listed(&names)));
            }
        }
    }

    /// Scales all masses to the total that the compiler asks for.
    fn scale_mass(&mut self) {
        let Some(wanted) = self.compiler.total_mass else { return };
        let total: f64 = self.drafts.iter().map(|d| d.spec.inertia.mass).sum();
        if total > 0.0 {
            for draft in &mut self.drafts {
                draft.spec.inertia = inertia::scaled(&draft.spec.inertia, wanted / total);
            }
            self.notes.assume(format!("all masses are scaled to {wanted} kg in total, as settotalmass asks"));
        }
    }

    /// Bodies that move must have inertia, of their own or of a body welded to them; planes must not move.
    fn check_moving(&self) -> Result<(), FormatError> {
        let n = self.drafts.len();
        let (mut moves, mut heavy) = (vec![false; n], vec![false; n]);
        for (index, draft) in self.drafts.iter().enumerate() {
            moves[index] = !draft.joints.is_empty() || draft.spec.parent.is_some_and(|p| moves[p]);
            if let Some(plane) = draft.plane.filter(|_| moves[index]) {
                return Err(plane.error("a plane cannot move; it belongs to the world or a body fixed to it"));
            }
        }
        for index in (0..n).rev() {
            let draft = &self.drafts[index];
            heavy[index] |= inertia::substantial(&draft.spec.inertia);
            let moves = !draft.joints.is_empty();
            if moves && !heavy[index] {
                return Err(draft.node.error(
                    "a body that moves needs mass and inertia: give it an inertial, or geoms with mass",
                ));
            }
            if let Some(parent) = draft.spec.parent.filter(|_| !moves) {
                heavy[parent] |= heavy[index];
            }
        }
        Ok(())
    }
}

/// The elements of a body itself: its children, and those of its frames.
fn within(body: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut open: Vec<Node<'_>> = body.children().collect();
    core::iter::from_fn(move || {
        let node = open.pop()?;
        if node.tag() == "frame" {
            open.extend(node.children());
        }
        Some(node)
    })
}

/// A name that is not taken yet: the wish, or the wish with a number.
fn unused(wish: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{wish}_{n}"));
    let name =
        core::iter::once(wish.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(wish);
    taken.insert(name.clone());
    name
}

/// Some names and how many more.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        n if n > 4 => format!("{shown} and {} more", n - 4),
        _ => shown,
    }
}
