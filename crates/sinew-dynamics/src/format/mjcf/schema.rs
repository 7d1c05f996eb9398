//! The elements and attributes of MJCF: which are read, which cannot change the physics of the body.
//!
//! After the schema that MuJoCo 4.0 prints of itself, with a few attributes of older versions.

use super::notes::Notes;
use super::tree::Node;
use super::value;
use crate::format::FormatError;

/// Attributes of an element, separated by white space.
pub(super) struct Table {
    /// Whether the element has no elements inside it.
    pub(super) leaf: bool,
    /// Those that the reader looks at.
    pub(super) read: &'static str,
    /// Those that it lists as left out, with the reason.
    pub(super) idle: &'static [(&'static str, &'static str)],
}

pub(super) const DRAWN: &str = "it only changes how the model is drawn";
pub(super) const CONTACT: &str = "contact settings are the simulator's own";
pub(super) const SOLVER: &str = "solver settings are the simulator's own";
const LABEL: &str = "groups and user data do not change the physics";

pub(super) const SECTIONS: &str = "compiler option size statistic visual default extension asset worldbody \
    deformable contact tendon equality actuator sensor custom keyframe include";

pub(super) const BODY_CHILDREN: &str = "body frame inertial joint freejoint geom site camera light replicate attach \
    plugin composite flexcomp include";

pub(super) const DEFAULT_CHILDREN: &str = "default mesh texture material joint geom site camera light pair equality \
    tendon general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor plugin \
    include";

pub(super) const ACTUATORS: &str = "general motor position velocity intvelocity orientation pid damper cylinder muscle \
    adhesion dcmotor plugin";

pub(super) const COMPILER: Table = Table {
    leaf: false,
    read: "angle eulerseq autolimits inertiafromgeom inertiagrouprange meshdir assetdir strippath boundmass \
        boundinertia balanceinertia settotalmass coordinate alignfree fusestatic exactmeshinertia",
    idle: &[
        ("texturedir discardvisual", DRAWN),
        ("convexhull fitaabb maxhullvert", "meshes are taken as the convex hull of their vertices"),
        (
            "usethread saveinertial savecompiled savecanonical passthrough conflict",
            "it concerns how MuJoCo works or saves files",
        ),
    ],
};

pub(super) const OPTION: Table = Table {
    leaf: false,
    read: "timestep gravity wind density viscosity actuatorgroupdisable collision",
    idle: &[(
        "integrator solver cone jacobian impratio tolerance iterations ls_tolerance ls_iterations noslip_tolerance \
         noslip_iterations ccd_tolerance ccd_iterations mpr_tolerance mpr_iterations sdf_iterations sdf_initpoints \
         sleep_tolerance magnetic o_margin o_solref o_solimp o_friction apirate",
        SOLVER,
    )],
};

pub(super) const FLAG: Table = Table {
    leaf: true,
    read: "constraint equality frictionloss limit contact spring damper passive gravity actuation clampctrl",
    idle: &[(
        "filterparent warmstart refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy fwdinv \
         invdiscrete sleep diagexact ipc speculative sensornoise",
        SOLVER,
    )],
};

pub(super) const BODY: Table = Table {
    leaf: false,
    read: "name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp",
    idle: &[("sleep simple fuse", SOLVER), ("user", LABEL)],
};

pub(super) const JOINT: Table = Table {
    leaf: true,
    read: "name class type pos axis limited range actuatorfrclimited actuatorfrcrange ref springref armature damping \
        stiffness frictionloss springdamper springyield",
    idle: &[
        ("solreflimit solimplimit solreffriction solimpfriction margin", SOLVER),
        ("group user", LABEL),
        ("actuatorgravcomp", "no body has gravity compensation"),
    ],
};

pub(super) const GEOM: Table = Table {
    leaf: true,
    read: "name class type contype conaffinity size material friction mass density shellinertia fromto pos quat \
        axisangle xyaxes zaxis euler mesh hfield fitscale rgba group adhesion surfacevel",
    idle: &[
        ("condim priority solmix solref solimp margin gap", CONTACT),
        ("fluidshape fluidcoef", "there is no fluid"),
        ("user", LABEL),
        ("castshadow", DRAWN),
    ],
};

pub(super) const SITE: Table = Table {
    leaf: true,
    read: "name class pos quat axisangle xyaxes zaxis euler fromto",
    idle: &[("type size group material rgba mesh user", "a site is a point with axes")],
};

pub(super) const MESH: Table = Table {
    leaf: true,
    read: "name class file vertex face scale refpos refquat inertia builtin content_type",
    idle: &[
        ("normal texcoord smoothnormal material params", DRAWN),
        ("maxhullvert", "meshes are taken as the convex hull of their vertices"),
    ],
};

/// Attributes that every actuator at a joint may have.
pub(super) const ACTUATOR: Table = Table {
    leaf: true,
    read: "name class joint jointinparent tendon site refsite slidersite cranksite body cranklength gear ctrllimited \
        ctrlrange forcelimited forcerange armature damping delay nsample",
    idle: &[("group user", LABEL), ("lengthrange interp", "it only matters to muscles and delays")],
};

pub(super) const TENDON: Table = Table {
    leaf: false,
    read: "name class limited range stiffness damping frictionloss armature",
    idle: &[(
        "group user width material rgba margin springlength springyield actuatorfrclimited actuatorfrcrange \
         solreflimit solimplimit solreffriction solimpfriction",
        "the tendon exerts no force",
    )],
};

/// How many numbers attributes have at least and at most.
const NUMBERS: [(&str, [usize; 2]); 7] = [
    ("ref springref armature frictionloss mass density kp kv dampratio timeconst inheritrange", [1, 1]),
    ("range actuatorfrcrange ctrlrange forcerange", [2, 2]),
    ("pos axis euler zaxis scale refpos gravity", [3, 3]),
    ("quat axisangle rgba refquat", [4, 4]),
    ("xyaxes fromto", [6, 6]),
    ("size friction damping stiffness", [1, 3]),
    ("gear", [1, 6]),
];

impl Table {
    /// Refuses unknown attributes and lists idle ones.
    ///
    /// `more` names further attributes that this element has.
    pub(super) fn check(&self, node: Node<'_>, more: &str, notes: &mut Notes) -> Result<(), FormatError> {
        let known = [self.read, more].into_iter().chain(self.idle.iter().map(|(names, _)| *names));
        node.check_attributes_in(&known.collect::<Vec<_>>())?;
        if self.leaf {
            node.check_leaf()?;
        }
        // also those that nothing will look at: a class without users, a setting that is overridden; flags are words
        for (names, counts) in NUMBERS.into_iter().filter(|_| node.tag() != "flag") {
            for name in names.split_ascii_whitespace() {
                value::check(node, name, counts)?;
            }
        }
        for (names, why) in self.idle {
            notes.left_out_attributes(node, names, why);
        }
        Ok(())
    }
}
