//! Roles from shape: which body is the pelvis, which the left foot.
//!
//! Read from the reference pose (facing x, z up, unless the figure says otherwise), in this order:
//!
//! 1. **Legs** are the two sibling chains, alike in mass, reach and number of bodies, that come down farthest and end near
//!    the lowest point. The body that carries them is the **pelvis**.
//! 2. The legs' joints give the axis across the body; feet and knees tell forward from backward, and so left from right.
//! 3. In a leg the first two long bones that can turn are **thigh** and **shin**, the first body after them that comes
//!    to the ground is the **foot**, and what hangs from it the **toe**.
//! 4. **Arms** are the two sibling chains on both sides of the body that reach farthest. Their parent is the **trunk**
//!    (without arms: the heaviest body between pelvis and top; a body whose joint is above the shoulders is a head that
//!    carries arms, and its parent is the trunk). Of neighbouring long bones the longest two are **upper** and **lower
//!    arm**; the body after them that carries fingers, or the last of weight, is the **hand**.
//! 5. The **head** is the body that is highest and foremost, of those that are no limb and carry none.
//!
//! The figure may stand along another axis than gravity's (some files have y up): the direction along which the legs come
//! down farthest is taken. Names only tip the balance between sides and raise or lower the confidence. Cost: linear in the
//! bodies, quadratic in siblings.

mod facing;
mod figure;
mod limbs;

use super::{ModelSpec, Role, Roles, Side};
use crate::spatial::Vec3;
use figure::Figure;
use limbs::{Pair, find_arms, find_legs, has_body, split_arm, split_leg};

/// A role that was guessed.
#[derive(Clone, Debug, PartialEq)]
pub struct GuessedRole {
    /// The part.
    pub role: Role,
    /// Name of the body that seems to play it.
    pub body: String,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Why, in a line.
    pub reason: String,
}

/// Roles guessed from the shape of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleGuess {
    /// The roles, each at most once; none when the character does not look like a biped.
    pub guessed: Vec<GuessedRole>,
    /// Direction in which the character stands in its reference pose.
    pub up: Vec3,
    /// Direction in which it faces.
    pub forward: Vec3,
    /// Remarks for the user: a facing other than x, an up direction other than gravity's, the reason why nothing was found.
    pub notes: Vec<String>,
}

impl RoleGuess {
    /// The guess for a part.
    pub fn get(&self, role: Role) -> Option<&GuessedRole> {
        self.guessed.iter().find(|g| g.role == role)
    }

    /// The guesses as a table.
    pub fn roles(&self) -> Roles {
        let mut roles = Roles::default();
        self.guessed.iter().for_each(|g| roles.set(g.role, g.body.as_str()));
        roles
    }
}

/// Guesses roles from a character's shape in its reference pose: legs are the two alike chains that come down to the ground,
/// arms the two that reach farthest on both sides of the body, the head is on top. Names only tip the balance.
///
/// ```
/// use sinew_dynamics::{guess_roles, BodySpec, Geom, JointSpec, ModelSpec, Role, Shape, Side};
/// use sinew_dynamics::spatial::{Inertia, Vec3};
///
/// let mut spec = ModelSpec::new("biped");
/// let bone = |name: &str, parent, length: f64| {
///     let mut geom = Geom::new(Shape::Capsule { radius: 0.05, half: length / 2.0 - 0.05 });
///     geom.pos.z = -length / 2.0;
///     let inertia = geom.shape.solid(1.0).moved(&geom.pos);
///     BodySpec::new(name, parent, inertia).with_geom(geom).with_joint(JointSpec::hinge(format!("{name}_y"), Vec3::y()))
/// };
/// let base = BodySpec::new("base", None, Inertia::solid_box(5.0, Vec3::new(0.1, 0.2, 0.1)));
/// spec.bodies.push(base.with_joint(JointSpec::free("root")).at(Vec3::new(0.0, 0.0, 1.0)));
/// for (k, y) in [-0.1, 0.1].into_iter().enumerate() {
///     spec.bodies.push(bone(&format!("a{k}"), Some(0), 0.5).at(Vec3::new(0.0, y, 0.0)));
///     spec.bodies.push(bone(&format!("b{k}"), Some(2 * k + 1), 0.5).at(Vec3::new(0.0, 0.0, -0.5)));
/// }
/// let guess = guess_roles(&spec);
/// assert_eq!(guess.get(Role::Pelvis).unwrap().body, "base");
/// assert_eq!(guess.get(Role::Shin(Side::Left)).unwrap().body, "b1");
/// ```
pub fn guess_roles(spec: &ModelSpec) -> RoleGuess {
    let gravity_up = spec.up();
    let mut guess = RoleGuess { guessed: Vec::new(), up: gravity_up, forward: Vec3::x(), notes: Vec::new() };
    let Some((figure, legs)) = standing_figure(spec, gravity_up) else {
        guess
            .notes
            .push("no two alike chains come down to the lowest point, so no roles were guessed".to_owned());
        return guess;
    };
    guess.up = figure.up;
    if figure.up.dot(&gravity_up) < 0.9 {
        guess
            .notes
            .push(format!("the character stands along {}, not against gravity", axis_name(&figure.up)));
    }

    // legs, and from them the directions of the body
    let split = legs.limbs.map(|limb| split_leg(&figure, limb));
    let Some(lateral) = facing::lateral_axis(&figure, &split) else {
        guess.notes.push("the legs give no axis across the body, so no roles were guessed".to_owned());
        return guess;
    };
    let facing = facing::facing(&figure, &split, &lateral);
    guess.forward = facing.forward;
    if facing.forward.dot(&Vec3::x()) < 0.9 {
        guess.notes.push(format!("the character faces {}, not x", axis_name(&facing.forward)));
    }
    let side = |first: bool| if first == facing.first_is_left { Side::Left } else { Side::Right };
    let mut add = |role: Role, body: Option<usize>, confidence: f64, reason: String| {
        let Some(body) = body else { return };
        let name = &figure.bodies[body].name;
        let confidence = (confidence + name_bonus(role, name)).clamp(0.05, 0.95);
        guess.guessed.push(GuessedRole { role, body: name.clone(), confidence, reason });
    };

    // more feet than two: still a guess, but a poor one
    let others = (0..figure.bodies.len()).filter(|&i| !legs.limbs.iter().any(|&leg| figure.within(i, leg)));
    let two_legs = others.into_iter().all(|i| figure.span[i][0] - figure.ground > 0.03 * figure.height);
    let named_arms = split.iter().all(|leg| {
        let thigh = leg.thigh.map_or("", |i| figure.bodies[i].name.as_str());
        name_bonus(Role::UpperArm(Side::Left), thigh) > 0.0
    });
    let doubt = if two_legs { 1.0 } else { 0.5 } * if named_arms { 0.5 } else { 1.0 };
    let alike = (0.5 + 0.4 * legs.likeness) * doubt;
    let pelvis = figure.bodies[legs.limbs[0]].parent;
    add(Role::Pelvis, pelvis, alike, "carries both legs".to_owned());
    let leg_sure = alike * facing.confidence;
    for (k, leg) in split.iter().enumerate() {
        let s = side(k == 0);
        let where_ = format!("of the {} leg ({} so)", word(s), facing.reason);
        add(Role::Thigh(s), leg.thigh, leg_sure, format!("first long bone {where_}"));
        add(Role::Shin(s), leg.shin, leg_sure, format!("second long bone {where_}"));
        add(Role::Foot(s), leg.foot, leg_sure, format!("first body at the ground {where_}"));
        add(Role::Toe(s), leg.toe, 0.9 * leg_sure, format!("hangs from the foot {where_}"));
    }

    // arms and trunk
    let arms = find_arms(&figure, &legs, &lateral);
    let (trunk, arms_on_head) = match &arms {
        Some(pair) => trunk_of(&figure, pair, pelvis),
        None => (heaviest_to_top(&figure, pelvis, &legs), None),
    };
    let trunk_reason = match (&arms, arms_on_head) {
        (None, _) => "no arms; heaviest body above the legs",
        (_, None) => "carries both arms",
        _ => "carries the body that carries both arms",
    };
    add(Role::Trunk, trunk, if arms.is_some() { alike } else { 0.7 * alike }, trunk_reason.to_owned());
    if let Some(pair) = &arms {
        let sure = (0.4 + 0.5 * pair.likeness) * facing.confidence;
        for (k, &limb) in pair.limbs.iter().enumerate() {
            let s = arm_side(&figure, pair, k, &facing);
            let arm = split_arm(&figure, limb);
            add(Role::UpperArm(s), arm.upper, sure, format!("long bone of the {} arm", word(s)));
            add(Role::LowerArm(s), arm.lower, sure, format!("long bone after the {} upper arm", word(s)));
            add(Role::Hand(s), arm.hand, 0.9 * sure, format!("hand or last body of the {} arm", word(s)));
        }
    }
    let head = find_head(&figure, pelvis, trunk, &legs, arms.as_ref(), &facing.forward);
    add(Role::Head, head.or(arms_on_head), 0.7, "highest and foremost body that is no limb".to_owned());
    guess.guessed.sort_by_key(|g| g.role);
    if named_arms {
        guess.notes.push("by their names the legs are arms; the guess is poor".to_owned());
    }
    if !two_legs {
        guess.notes.push("more than two limbs come down to the ground; the guess is poor".to_owned());
    }
    guess
}

/// The figure along the up direction in which its legs come down farthest; gravity's unless another is far better.
fn standing_figure(spec: &ModelSpec, gravity_up: Vec3) -> Option<(Figure<'_>, Pair)> {
    let standing = |up: Vec3| Figure::new(spec, up).and_then(|f| find_legs(&f).map(|legs| (f, legs)));
    let axes = [Vec3::z(), Vec3::y(), Vec3::x()];
    let others = axes.into_iter().flat_map(|a| [a, -a]).filter(|a| a.dot(&gravity_up) < 0.9);
    others.filter_map(standing).fold(standing(gravity_up), |best, other| match best {
        Some(b) if other.1.size < 2.0 * b.1.size => Some(b),
        _ => Some(other),
    })
}

/// The side of an arm: where its joint is, or in a flat character what its name says, or the order of the legs.
fn arm_side(figure: &Figure, pair: &Pair, k: usize, facing: &facing::Facing) -> Side {
    let [a, b] = pair.limbs;
    let across = facing.left.dot(&(figure.joint[a] - figure.joint[b]));
    let first_is_left = if across.abs() > 1e-3 * figure.height {
        across > 0.0
    } else {
        facing::named_left(&figure.bodies[a].name, &figure.bodies[b].name).unwrap_or(facing.first_is_left)
    };
    if (k == 0) == first_is_left { Side::Left } else { Side::Right }
}

/// The body that carries the arms; or, when its joint is above the shoulders, its parent, and it as a head.
fn trunk_of(figure: &Figure, arms: &Pair, pelvis: Option<usize>) -> (Option<usize>, Option<usize>) {
    let carrier = figure.bodies[arms.limbs[0]].parent;
    let Some(body) = carrier.filter(|&b| Some(b) != pelvis) else { return (carrier, None) };
    let neck = figure.up.dot(&figure.joint[body]);
    let shoulders_below = arms.limbs.iter().all(|&arm| figure.up.dot(&figure.joint[arm]) < neck);
    match figure.bodies[body].parent.filter(|&p| shoulders_below && Some(p) != pelvis) {
        Some(trunk) => (Some(trunk), Some(body)),
        None => (Some(body), None),
    }
}

/// The heaviest body that carries or is carried by the pelvis, outside the legs.
fn heaviest_to_top(figure: &Figure, pelvis: Option<usize>, legs: &Pair) -> Option<usize> {
    let pelvis = pelvis?;
    let outside = (0..figure.bodies.len()).filter(|&i| !legs.limbs.iter().any(|&leg| figure.within(i, leg)));
    let related = outside.filter(|&i| figure.within(i, pelvis) || figure.within(pelvis, i));
    // of bodies of like weight, the one with the right name
    let weight = |i: usize| {
        figure.bodies[i].inertia.mass * (1.0 + 4.0 * name_bonus(Role::Trunk, &figure.bodies[i].name))
    };
    related.fold(None, |best, i| match best {
        Some(b) if weight(i) <= weight(b) => Some(b),
        _ => Some(i),
    })
}

fn find_head(
    figure: &Figure,
    pelvis: Option<usize>,
    trunk: Option<usize>,
    legs: &Pair,
    arms: Option<&Pair>,
    forward: &Vec3,
) -> Option<usize> {
    let (pelvis, trunk) = (pelvis?, trunk?);
    let limbs: Vec<usize> = legs.limbs.into_iter().chain(arms.into_iter().flat_map(|a| a.limbs)).collect();
    // a head carries no limb and is none
    let free = |i: usize| {
        i != trunk
            && !limbs.iter().any(|&limb| figure.within(i, limb) || figure.within(limb, i))
            && !figure.within(pelvis, i)
            && has_body(figure, i)
    };
    let height = |i: usize| figure.span[i][1] + 0.5 * forward.dot(&figure.centre(i));
    let top =
        (0..figure.bodies.len()).filter(|&i| free(i)).max_by(|&a, &b| height(a).total_cmp(&height(b)))?;
    // behind or below the trunk it is a tail or a sensor
    if height(top) < height(trunk).min(figure.span[trunk][1]) {
        return None;
    }
    // a camera on top of the head is much lighter than what carries it
    let mass = |i: usize| figure.bodies[i].inertia.mass;
    figure
        .ancestors(top)
        .take_while(|&i| free(i))
        .find(|&i| figure.bodies[i].parent.is_none_or(|p| !free(p) || mass(i) >= 0.1 * mass(p)))
}

/// How well a name fits a role: words for the role count positive, words for other roles negative.
fn name_bonus(role: Role, name: &str) -> f64 {
    const WORDS: [(&str, &[&str]); 10] = [
        ("pelvis", &["pelvis", "hips", "root", "base", "butt", "waist"]),
        ("trunk", &["trunk", "torso", "chest", "thorax", "spine", "body"]),
        ("head", &["head", "skull"]),
        ("upper_arm", &["upper_arm", "upperarm", "humerus", "shoulder", "uarm"]),
        ("lower_arm", &["lower_arm", "lowerarm", "forearm", "radius", "elbow", "ulna", "larm"]),
        ("hand", &["hand", "wrist", "palm", "fist"]),
        ("thigh", &["thigh", "femur", "upper_leg", "upperleg", "hip"]),
        ("shin", &["shin", "tibia", "calf", "knee", "lower_leg", "lowerleg", "shank"]),
        ("foot", &["foot", "ankle", "feet"]),
        ("toe", &["toe"]),
    ];
    let name = name.to_lowercase();
    let spoken = WORDS.iter().find(|(_, words)| words.iter().any(|w| name.contains(w)));
    let stem = role.to_string();
    let own = WORDS.iter().find(|(s, _)| stem.starts_with(s));
    match (own, spoken) {
        (Some((_, words)), _) if words.iter().any(|w| name.contains(w)) => 0.1,
        (_, Some(_)) => -0.1,
        _ => 0.0,
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// `x`, `-y`, … or the numbers.
fn axis_name(d: &Vec3) -> String {
    let k = d.iamax();
    match d[k].abs() > 0.99 {
        true => format!("{}{}", if d[k] < 0.0 { "-" } else { "" }, ["x", "y", "z"][k]),
        false => format!("{:.2} {:.2} {:.2}", d.x, d.y, d.z),
    }
}

impl ModelSpec {
    /// Completes the roles: the side file's entries replace those of the model's own table, and a guess fills the rest.
    ///
    /// Returns what was taken from where, a line each, for a report.
    ///
    /// ```
    /// use sinew_dynamics::{ModelSpec, Role, Roles};
    /// let mut spec = ModelSpec::new("a box");
    /// let mut side_file = Roles::default();
    /// side_file.set(Role::Trunk, "box");
    /// let report = spec.complete_roles(Some(&side_file));
    /// assert_eq!(spec.roles.get(Role::Trunk), Some("box"));
    /// assert_eq!(report[0], "trunk = box: from the side file");
    /// ```
    pub fn complete_roles(&mut self, side_file: Option<&Roles>) -> Vec<String> {
        let mut report = Vec::new();
        for (role, body) in side_file.into_iter().flat_map(Roles::iter) {
            let instead = match self.roles.get(role) {
                Some(old) if old != body => format!(" instead of {old}"),
                _ => String::new(),
            };
            report.push(format!("{role} = {body}: from the side file{instead}"));
            self.roles.set(role, body);
        }
        let mut guess = guess_roles(self);
        // what is given decides which side is left
        let mirrored = |g: &GuessedRole| {
            let image = g.role.mirrored();
            image != g.role && self.roles.get(image) == Some(g.body.as_str())
        };
        if guess.guessed.iter().any(mirrored) {
            guess.guessed.iter_mut().for_each(|g| g.role = g.role.mirrored());
            guess.notes.push("left and right are as given, not as guessed".to_owned());
        }
        for g in &guess.guessed {
            if self.roles.get(g.role).is_some() {
                continue;
            }
            let percent = 100.0 * g.confidence;
            report.push(format!("{} = {}: guessed ({percent:.0} %), {}", g.role, g.body, g.reason));
            self.roles.set(g.role, g.body.as_str());
        }
        report.extend(guess.notes);
        report
    }
}
