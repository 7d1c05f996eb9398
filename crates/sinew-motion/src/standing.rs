//! Bodies of files made ready to stand.
//!
//! Controllers find the soles of a body in its reference pose (all joints at their reference angles), and take them to be level there.
//! Files of robots differ: the reference pose may bend the ankles while a keyframe stands, feet may touch nothing, or the
//! first body may have no joint at all.

use crate::{Sole, drawn_standing};
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{JointKind, JointSpec, Model, ModelSpec, Role, Side};

/// Tilt of a sole of the reference pose above which a keyframe may know better, and the greatest that a controller puts up with, rad.
const LEVEL: f64 = 0.0175;
const MOST_TILT: f64 = 0.17;

/// The body of a file made ready to stand, and what was done for it, a note each. Roles are known.
///
/// - A root without any joint is set free: some files leave that to others.
/// - Feet whose shapes collide with nothing get soles: their shapes touch the ground.
/// - Where the soles are not level with all joints at their reference, the keyframe in which the body stands
///   ([`ModelSpec::standing`]) becomes the reference if they are level there; else legs are turned until they are
///   ([`drawn_standing`]).
///
/// ```
/// use sinew_dynamics::{Model, characters};
/// let human = characters::load("human")?;
/// let (same, notes) = sinew_motion::on_its_feet(human.spec().clone());
/// assert!(notes.is_empty() && same == *human.spec());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_its_feet(mut spec: ModelSpec) -> (ModelSpec, Vec<String>) {
    let mut notes = Vec::new();
    let feet = Side::BOTH.map(|side| spec.roles.get(Role::Foot(side)).and_then(|name| spec.body_index(name)));
    let [Some(_), Some(_)] = feet else { return (spec, notes) };
    set_free(&mut spec, &mut notes);
    feet.into_iter().flatten().for_each(|foot| give_sole(&mut spec, foot, &mut notes));
    // a sole of which only an edge or a corner is down is tilted by more than a controller puts up with
    let tilted = |spec: &ModelSpec| Model::new(spec.clone()).ok().map(|model| (tilt(&model), model));
    let level = |tilt: Option<f64>, most: f64| tilt.is_some_and(|tilt| tilt < most);
    let Some((tilt, model)) = tilted(&spec).filter(|(tilt, _)| !level(*tilt, LEVEL)) else {
        return (spec, notes);
    };
    let standing = spec.standing().map(|key| (key.name.clone(), standing_reference(&spec, &key.q)));
    if let Some((name, reference)) = standing
        && tilted(&reference).is_some_and(|(there, _)| level(there, tilt.unwrap_or(MOST_TILT).min(MOST_TILT)))
    {
        notes.push(format!("its soles are level in the keyframe \"{name}\", and not with all joints at 0"));
        return (reference, notes);
    }
    if !level(tilt, MOST_TILT)
        && let Some(standing) = drawn_standing(&model)
        && tilted(&standing).is_some_and(|(there, _)| level(there, MOST_TILT))
    {
        notes.push(
            "its soles are not level with all joints at 0: its legs are turned until they are".to_owned(),
        );
        return (standing, notes);
    }
    (spec, notes)
}

/// Sets a body free whose first part has no joint.
fn set_free(spec: &mut ModelSpec, notes: &mut Vec<String>) {
    let free = |j: &JointSpec| j.kind == JointKind::Free;
    let roots = spec.bodies.iter().filter(|b| b.parent.is_none()).count();
    if roots != 1
        || !spec.bodies[0].joints.is_empty()
        || spec.bodies.iter().any(|b| b.joints.iter().any(free))
    {
        return;
    }
    let (pos, quat) = (spec.bodies[0].pos, spec.bodies[0].quat);
    spec.bodies[0].joints.push(JointSpec::free("free"));
    for key in &mut spec.keyframes {
        key.q.splice(0..0, [pos.x, pos.y, pos.z, quat.w, quat.i, quat.j, quat.k]);
        if !key.v.is_empty() {
            key.v.splice(0..0, [0.0; 6]);
        }
    }
    notes.push(format!("no joint connects \"{}\" to the world: it moves freely", spec.bodies[0].name));
}

/// Lets a foot whose shapes collide with nothing touch the ground.
fn give_sole(spec: &mut ModelSpec, foot: usize, notes: &mut Vec<String>) {
    let line = |k: usize| std::iter::successors(Some(k), |k| spec.bodies[*k].parent);
    let parts: Vec<usize> = (0..spec.bodies.len()).filter(|k| line(*k).any(|up| up == foot)).collect();
    let mut shapes = parts.iter().flat_map(|k| &spec.bodies[*k].geoms).peekable();
    if shapes.peek().is_some() && shapes.all(|g| g.contype == 0 && g.conaffinity == 0) {
        let name = &spec.bodies[foot].name;
        notes.push(format!(
            "the shapes of \"{name}\" collide with nothing: they are taken as soles and touch the ground"
        ));
        for k in parts {
            spec.bodies[k].geoms.iter_mut().for_each(|g| g.contype = 1);
        }
    }
}

/// The body with a keyframe as its reference, turned to face x as before.
fn standing_reference(spec: &ModelSpec, q: &[f64]) -> ModelSpec {
    let mut reference = spec.with_reference(q);
    let root = &mut reference.bodies[0];
    if root.joints.first().is_some_and(|j| j.kind == JointKind::Free) {
        let turned = rotation::from_wxyz(&q[3..]);
        // the heading stays as it was
        let ahead = turned * root.quat.inverse() * Vec3::x();
        let back = Quat::from_axis_angle(&Vec3::z_axis(), -libm::atan2(ahead.y, ahead.x));
        root.quat = back * turned;
    }
    let low = reference.extent(&reference.reference_placements(), &Vec3::z()).map_or(0.0, |[low, _]| low);
    reference.bodies[0].pos.z -= low;
    reference
}

/// The greater tilt of both soles in the reference pose, rad; `None` without two.
fn tilt(model: &Model) -> Option<f64> {
    let placements = model.spec().reference_placements();
    let of = |side: Side| {
        let sole = Sole::of(model, side)?;
        let [heel, toe] = [sole.heel, sole.toe].map(|ends| ends.map(|p| placements[p.body.0].act(&p.at)));
        let normal = (toe[0] - heel[1]).cross(&(toe[1] - heel[0]));
        (normal.norm() > 1e-6).then(|| libm::acos((normal.z.abs() / normal.norm()).min(1.0)))
    };
    Some(of(Side::Left)?.max(of(Side::Right)?))
}
