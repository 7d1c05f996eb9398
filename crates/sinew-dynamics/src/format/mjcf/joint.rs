//! `<joint>` and `<freejoint>`.

use super::orientation::{self, Frame};
use super::settings::Compiler;
use super::tree::Node;
use super::value::Layers;
use crate::format::FormatError;
use crate::spatial::Vec3;
use crate::{JointKind, JointSpec};

/// A joint as read, before its actuators are known.
pub(super) struct ReadJoint {
    pub(super) spec: JointSpec,
    /// Generalised forces that the joint passes on from its actuators.
    pub(super) force_range: [f64; 2],
}

const UNLIMITED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Three-way switch: on, off, or on when a range is given.
pub(super) const SWITCH: [(&str, Option<bool>); 3] =
    [("true", Some(true)), ("false", Some(false)), ("auto", None)];

/// Reads a `<freejoint>`, to which defaults do not apply.
pub(super) fn free(node: Node<'_>) -> Result<ReadJoint, FormatError> {
    node.check_attributes("name group align")?;
    node.check_leaf()?;
    Ok(ReadJoint { spec: JointSpec::free(node.name()), force_range: UNLIMITED })
}

/// Refuses a free joint of a body without children that MuJoCo would move to the body's centre of mass.
pub(super) fn check_aligned(node: Node<'_>, compiler: &Compiler) -> Result<(), FormatError> {
    let align = Layers::of(node).word("align", &SWITCH)?.flatten();
    if align.unwrap_or(compiler.align_free) {
        return Err(node.error(
            "the body's frame would move to its centre of mass; place it there and write align=\"false\"",
        ));
    }
    Ok(())
}

/// Reads a `<joint>`.
pub(super) fn joint(
    at: &Layers<'_>,
    frame: Option<Frame>,
    compiler: &Compiler,
) -> Result<ReadJoint, FormatError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Type {
        Free,
        Ball,
        Slide,
        Hinge,
    }
    let node = at.element();
    let words = [("free", Type::Free), ("ball", Type::Ball), ("slide", Type::Slide), ("hinge", Type::Hinge)];
    let kind = at.word("type", &words)?.unwrap_or(Type::Hinge);

    // axis and centre, seen from the body
    let axis = || {
        let axis = at.vector("axis")?.unwrap_or(Vec3::z());
        let axis = frame.map_or(axis, |f| f.turn(&axis));
        orientation::unit(axis).ok_or_else(|| node.error("the axis has no direction"))
    };
    let mut spec = match kind {
        Type::Free => JointSpec::free(node.name()),
        Type::Ball => JointSpec::ball(node.name()),
        Type::Slide => JointSpec::slide(node.name(), axis()?),
        Type::Hinge => JointSpec::hinge(node.name(), axis()?),
    };
    if kind != Type::Free {
        let centre = at.vector("pos")?.unwrap_or_default();
        spec.anchor = frame.map_or(centre, |f| f.pos + f.turn(&centre));
    }

    // passive forces and inertia; polynomials only as far as they are linear
    spec.armature = at.magnitude("armature")?;
    spec.friction_loss = at.magnitude("frictionloss")?;
    spec.damping = linear(at, "damping")?;
    spec.stiffness = linear(at, "stiffness")?;
    if kind == Type::Free && spec.stiffness != 0.0 {
        return Err(node.error("a spring at a free joint is not supported; set stiffness=\"0\""));
    }
    at.refuse_nonzero("springdamper", "is not supported; give stiffness and damping instead")?;
    at.refuse_nonzero("springyield", "is not supported; springs are linear here")?;

    // reference and limits, in radians where they are angles
    let angular = matches!(kind, Type::Hinge | Type::Ball);
    let convert = |x: f64| if angular { compiler.angle(x) } else { x };
    if matches!(kind, Type::Hinge | Type::Slide) {
        spec.reference = convert(at.number("ref")?.unwrap_or(0.0));
        spec.spring_reference = convert(at.number("springref")?.unwrap_or(0.0));
    }
    if kind != Type::Free
        && let Some([low, high]) = range(at, "limited", "range", compiler)?
    {
        if kind == Type::Ball && low != 0.0 {
            return Err(node.error("the range of a ball joint is 0 and the greatest angle"));
        }
        spec.range = Some([convert(low), convert(high)]);
    }
    let one_axis = matches!(spec.kind, JointKind::Hinge { .. } | JointKind::Slide { .. });
    let force_range = range(at, "actuatorfrclimited", "actuatorfrcrange", compiler)?.filter(|_| one_axis);
    Ok(ReadJoint { spec, force_range: force_range.unwrap_or(UNLIMITED) })
}

/// A coefficient that MuJoCo lets be a polynomial.
fn linear(at: &Layers<'_>, name: &str) -> Result<f64, FormatError> {
    let mut coefficients = [0.0; 3];
    at.overlay(name, &mut coefficients)?;
    let node = at.find(name).map_or(at.element(), |(node, _)| node);
    match coefficients {
        [c, ..] if c < 0.0 => Err(node.error(format!("attribute {name}=\"{c}\" is negative"))),
        [c, 0.0, 0.0] => Ok(c),
        _ => Err(node.error(format!("{name} is not linear; only the first number is supported"))),
    }
}

/// A range that is in force: by its switch, or because it is given and `autolimits` is on.
pub(super) fn range(
    at: &Layers<'_>,
    switch: &str,
    range: &str,
    compiler: &Compiler,
) -> Result<Option<[f64; 2]>, FormatError> {
    let limited = at.word(switch, &SWITCH)?.flatten();
    let [low, high] = at.numbers(range)?.unwrap_or([0.0; 2]);
    let node = at.find(range).map_or(at.element(), |(node, _)| node);
    let in_force = match limited {
        Some(on) => on,
        None if (low, high) == (0.0, 0.0) => false,
        None if compiler.autolimits => true,
        None => {
            let problem = format!("has {range} but not {switch}, and <compiler autolimits> is false");
            return Err(node.error(problem));
        }
    };
    if in_force && !(low < high) {
        return Err(
            node.error(format!("{range}=\"{low} {high}\" must rise from the first number to the second"))
        );
    }
    Ok(in_force.then_some([low, high]))
}
