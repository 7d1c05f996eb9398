//! URDF in: the robot description format of ROS.
//!
//! A `<robot>` is a flat list of `<link>`s (rigid bodies) and `<joint>`s that name a parent and a child link. The links
//! must form one tree. The mapping:
//!
//! | URDF | here |
//! | --- | --- |
//! | joint `origin` | placement of the child body in its parent; the child's frame is the joint's frame |
//! | `revolute`, `continuous`, `prismatic` | hinge, hinge without range, slide |
//! | `fixed` | a welded body, which keeps its name |
//! | `floating` | free joint; its parent must be fixed in the world |
//! | `planar` | two slides in the plane, then a hinge about the `axis`, which is the plane's normal |
//! | `limit` `lower`/`upper`, `effort` | range, greatest actuator force (`velocity` and others are reported as not used) |
//! | `dynamics` `damping`, `friction` | viscous damping, dry friction |
//! | `inertial` | tensor turned by its `rpy` into the link's axes |
//! | `collision` | a shape that collides; sliding friction 1, or that of the link's `contact` |
//! | `visual` | left out where the link has collision shapes, else a shape that collides with nothing |
//!
//! `rpy` are fixed-axis angles: `R = R_z(yaw) R_y(pitch) R_x(roll)`. Bodies are laid out depth first, siblings in the
//! order of their joints in the file. The file does not say how the root link moves: see [`UrdfRoot`]. A root link called
//! `world` is the world itself.
//!
//! Errors: unknown names (with the nearest known one), invalid numbers, `mimic` (a constraint between joints), links that form
//! no tree, collision meshes that cannot be read; options relax some of these.
//! Listed as left out: visual shapes and colours, limits of speed, calibration, safety controllers, contact parameters
//! other than `lateral_friction`, and extensions such as `transmission`, `gazebo`, `ros2_control`. Time and memory are
//! bounded by the file's size, which is bounded too.
//!
//! Source: the URDF specification, versions 1.0 to 1.2 (ROS wiki and `urdfdom`).

mod geometry;
mod grammar;
mod joint;
mod link;
mod reader;
mod source;
mod tree;

use super::mjcf::fetch;
use super::{FormatError, ImportReport};
use crate::{Model, ModelSpec};
use reader::Reader;
use source::Source;
use std::path::{Path, PathBuf};

/// How the root link moves, which a URDF file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UrdfRoot {
    /// Fixed when the link is called `world` or carries a `floating` joint, else free.
    #[default]
    Guess,
    /// On a free joint.
    Free,
    /// Fixed in the world.
    Fixed,
}

/// Where a text comes from, where the files that it names are found, and what the reader may assume.
#[derive(Clone, Copy)]
pub struct UrdfOptions<'a> {
    /// Name of the text in messages.
    pub file: &'a str,
    /// How the root link moves.
    pub root: UrdfRoot,
    /// Fetches a mesh by its `filename` as written, `package://` and all, or says why it cannot.
    pub load: &'a dyn Fn(&str) -> Result<Vec<u8>, String>,
    /// Leave collision meshes out (and list them) when they cannot be read, instead of an error: the body then passes
    /// through the ground there.
    pub skip_missing_meshes: bool,
    /// Leave elements and attributes out (and list them) when the format does not know them, instead of an error.
    pub skip_unknown: bool,
    /// Weld joints that `mimic` another one (and say so), instead of an error.
    pub weld_mimics: bool,
}

impl Default for UrdfOptions<'_> {
    /// A text from memory that cannot reach other files.
    fn default() -> Self {
        UrdfOptions {
            file: "<text>",
            root: UrdfRoot::Guess,
            load: &|_| Err("text from memory cannot reach other files".to_owned()),
            skip_missing_meshes: false,
            skip_unknown: false,
            weld_mimics: false,
        }
    }
}

/// Reads a URDF text.
///
/// ```
/// use sinew_dynamics::format::urdf::{parse, UrdfOptions, UrdfRoot};
/// let text = r#"<robot name="pendulum">
///   <link name="post"/>
///   <link name="rod">
///     <inertial> <origin xyz="0 0 -0.5"/> <mass value="1"/> <inertia ixx="0.08" iyy="0.08" izz="0.001"/> </inertial>
///   </link>
///   <joint name="pivot" type="continuous"> <parent link="post"/> <child link="rod"/> <axis xyz="0 1 0"/> </joint>
/// </robot>"#;
/// let (spec, report) = parse(text, &UrdfOptions { root: UrdfRoot::Fixed, ..UrdfOptions::default() })?;
/// assert_eq!(spec.bodies[1].inertia.com.z, -0.5);
/// assert!(report.assumed.iter().any(|a| a.contains("no <inertial>")));
///
/// let typo = parse(&text.replace("axis", "axes"), &UrdfOptions::default()).unwrap_err();
/// assert_eq!(typo.line, 6);
/// assert!(typo.problem.contains("did you mean \"axis\"?"));
/// # Ok::<(), sinew_dynamics::format::FormatError>(())
/// ```
pub fn parse(text: &str, options: &UrdfOptions<'_>) -> Result<(ModelSpec, ImportReport), FormatError> {
    let xml = Source::parse(options.file, text)?;
    let mut reader = Reader::new(&xml, options);
    grammar::check(&mut reader)?;
    let spec = tree::read_robot(&mut reader)?;
    Ok((spec, reader.into_report()))
}

/// Reads a URDF file with the meshes that it names; of the options, `file` and `load` are not used.
///
/// Meshes are STL or OBJ files. A `package://name/rest` is looked for in the folders above the file: one called `name`, or
/// one that holds a folder `name`.
pub fn read(
    path: impl AsRef<Path>,
    options: &UrdfOptions<'_>,
) -> Result<(ModelSpec, ImportReport), FormatError> {
    let path = path.as_ref();
    let label = path.display().to_string();
    let failed = |why: String| FormatError::new(&label, 0, "", why);
    let text = String::from_utf8(fetch(path).map_err(failed)?)
        .map_err(|_| failed("the file is not UTF-8 text".to_owned()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let load = |name: &str| fetch(&mesh_path(folder, name));
    parse(&text, &UrdfOptions { file: &label, load: &load, ..*options })
}

/// Where the mesh of this name is, for a file in `folder`.
fn mesh_path(folder: &Path, name: &str) -> PathBuf {
    let Some(inside) = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://")) else {
        return folder.join(name.strip_prefix("file://").unwrap_or(name));
    };
    let (package, rest) = inside.split_once('/').unwrap_or((inside, ""));
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let holds = |above: &Path| {
        let itself = above.file_name().is_some_and(|n| n == package).then(|| above.join(rest));
        itself.or_else(|| Some(above.join(package).join(rest))).filter(|p| p.exists())
    };
    whole.ancestors().find_map(holds).unwrap_or_else(|| folder.join(inside))
}

impl Model {
    /// Reads a URDF text with default options and compiles it.
    ///
    /// ```
    /// use sinew_dynamics::Model;
    /// let text = r#"<robot name="ball"> <link name="ball"> <inertial>
    ///   <mass value="2"/> <inertia ixx="0.1" iyy="0.1" izz="0.1"/>
    /// </inertial> </link> </robot>"#;
    /// let (model, report) = Model::from_urdf(text)?;
    /// assert_eq!((model.nv(), model.mass()), (6, 2.0));
    /// assert!(report.assumed.iter().any(|a| a.contains("free joint")));
    /// # Ok::<(), sinew_dynamics::format::FormatError>(())
    /// ```
    pub fn from_urdf(text: &str) -> Result<(Model, ImportReport), FormatError> {
        let (spec, report) = parse(text, &UrdfOptions::default())?;
        let model = Model::new(spec).map_err(|e| FormatError::new("<text>", 0, e.element, e.problem))?;
        Ok((model, report))
    }
}
