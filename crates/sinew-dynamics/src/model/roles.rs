//! Which body plays which part, so that controllers ask for roles and never for names.

use core::fmt;
use core::str::FromStr;

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side of positive y when facing x.
    Left,
    /// The other.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A part that a body can play.
///
/// Written `pelvis`, `trunk`, `head`, `foot_left`, … in role tables.
///
/// ```
/// use sinew_dynamics::{Role, Side};
/// assert_eq!("foot_left".parse::<Role>(), Ok(Role::Foot(Side::Left)));
/// assert_eq!(Role::Thigh(Side::Right).to_string(), "thigh_right");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Role {
    Pelvis,
    Trunk,
    Head,
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    Thigh(Side),
    Shin(Side),
    Foot(Side),
    Toe(Side),
}

impl Role {
    /// Every role, trunk first, left before right.
    pub fn all() -> impl Iterator<Item = Role> {
        let paired =
            [Role::UpperArm, Role::LowerArm, Role::Hand, Role::Thigh, Role::Shin, Role::Foot, Role::Toe];
        [Role::Pelvis, Role::Trunk, Role::Head].into_iter().chain(
            Side::BOTH.into_iter().flat_map(move |side| paired.into_iter().map(move |role| role(side))),
        )
    }
}

impl Role {
    /// The same part on the other side; a part of the middle is its own mirror image.
    pub fn mirrored(self) -> Role {
        match self {
            Role::Pelvis | Role::Trunk | Role::Head => self,
            Role::UpperArm(s) => Role::UpperArm(s.other()),
            Role::LowerArm(s) => Role::LowerArm(s.other()),
            Role::Hand(s) => Role::Hand(s.other()),
            Role::Thigh(s) => Role::Thigh(s.other()),
            Role::Shin(s) => Role::Shin(s.other()),
            Role::Foot(s) => Role::Foot(s.other()),
            Role::Toe(s) => Role::Toe(s.other()),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stem, side) = match *self {
            Role::Pelvis => ("pelvis", None),
            Role::Trunk => ("trunk", None),
            Role::Head => ("head", None),
            Role::UpperArm(s) => ("upper_arm", Some(s)),
            Role::LowerArm(s) => ("lower_arm", Some(s)),
            Role::Hand(s) => ("hand", Some(s)),
            Role::Thigh(s) => ("thigh", Some(s)),
            Role::Shin(s) => ("shin", Some(s)),
            Role::Foot(s) => ("foot", Some(s)),
            Role::Toe(s) => ("toe", Some(s)),
        };
        match side {
            None => f.write_str(stem),
            Some(Side::Left) => write!(f, "{stem}_left"),
            Some(Side::Right) => write!(f, "{stem}_right"),
        }
    }
}

/// The text names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a role; known are {known}", known = Role::all().map(|r| r.to_string()).collect::<Vec<_>>().join(", "))]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;
    fn from_str(text: &str) -> Result<Role, UnknownRole> {
        Role::all().find(|r| r.to_string() == text).ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// A table of roles: which body (by name) plays which part.
///
/// ```
/// use sinew_dynamics::{Role, Roles, Side};
/// let mut roles = Roles::default();
/// roles.set(Role::Foot(Side::Left), "l_ankle_link");
/// assert_eq!(roles.get(Role::Foot(Side::Left)), Some("l_ankle_link"));
/// assert_eq!(roles.get(Role::Head), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(std::collections::BTreeMap<Role, String>);

impl Roles {
    /// Gives a part to a body.
    pub fn set(&mut self, role: Role, body: impl Into<String>) {
        self.0.insert(role, body.into());
    }

    /// Name of the body that plays a part.
    pub fn get(&self, role: Role) -> Option<&str> {
        self.0.get(&role).map(String::as_str)
    }

    /// All parts that are given.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &str)> {
        self.0.iter().map(|(r, b)| (*r, b.as_str()))
    }

    /// Whether no part is given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Renames or drops bodies: keeps a role when `rename` gives its body a name.
    pub fn map(&self, rename: impl Fn(&str) -> Option<String>) -> Roles {
        Roles(self.0.iter().filter_map(|(r, b)| Some((*r, rename(b)?))).collect())
    }
}
