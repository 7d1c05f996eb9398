//! URDF in: the robot description format of ROS.
//!
//! A `<robot>` is a flat list of `<link>`s (rigid bodies) and `<joint>`s that name a parent and a child link. The links
//! must form one tree. What becomes of it:
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
//! | `collision` | a shape that collides, sliding friction 1 |
//! | `visual` | left out where the link has collision shapes, else a shape that collides with nothing |
//!
//! `rpy` are fixed-axis angles: `R = R_z(yaw) R_y(pitch) R_x(roll)`. Bodies are laid out depth first, siblings in the
//! order of their joints in the file. The file does not say how the root link moves: see [`UrdfRoot`]. A root link called
//! `world` is the world itself.
//!
//! Errors: names that the format does not know (with the nearest that it does), numbers that are none, `mimic` (a
//! constraint between joints), trees that are none, collision meshes that cannot be read. Listed as left out: visual
//! shapes and colours, speed limits, calibration, safety controllers, and the extensions `transmission`, `gazebo`,
//! `ros2_control`, `sensor`, `mujoco`. Time and memory are bounded by the file's size, which is bounded too.
//!
//! Source: the URDF specification, versions 1.0 to 1.2 (ROS wiki and `urdfdom`).

mod geometry;
mod grammar;
mod joint;
mod link;
mod mesh_files;
mod reader;
mod tree;

use super::{FormatError, ImportReport, guarded_xml};
use crate::spatial::Vec3;
use crate::{Model, ModelSpec};
use guarded_xml::GuardedXml;
use reader::Reader;
use std::path::Path;

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

/// Gives the vertices of a mesh (m, before `scale`) for its `filename` as written, `package://` and all, or says why it
/// cannot.
pub type MeshLoader<'a> = dyn Fn(&str) -> Result<Vec<Vec3>, String> + 'a;

/// What the reader may assume.
#[derive(Clone, Copy, Default)]
pub struct UrdfOptions<'a> {
    /// Name of the file in messages; empty: `<text>`.
    pub file: &'a str,
    /// How the root link moves.
    pub root: UrdfRoot,
    /// How to read meshes; without it [`read`] looks for files around the URDF file, and [`parse`] can read none.
    pub meshes: Option<&'a MeshLoader<'a>>,
    /// Leave collision meshes out (and list them) when they cannot be read, instead of an error: the body then passes
    /// through the ground there.
    pub skip_missing_meshes: bool,
}

impl core::fmt::Debug for UrdfOptions<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("UrdfOptions")
            .field("file", &self.file)
            .field("root", &self.root)
            .field("meshes", &self.meshes.is_some())
            .field("skip_missing_meshes", &self.skip_missing_meshes)
            .finish()
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
    let file = if options.file.is_empty() { "<text>" } else { options.file };
    let xml = GuardedXml::parse(file, text)?;
    grammar::check(&xml)?;
    let mut reader = Reader::new(&xml, options);
    let spec = tree::read_robot(&mut reader)?;
    Ok((spec, reader.into_report()))
}

/// Reads a URDF file. `options.file` is not used; meshes (STL, OBJ) are looked for around the file unless a loader is
/// given.
pub fn read(
    path: impl AsRef<Path>,
    options: &UrdfOptions<'_>,
) -> Result<(ModelSpec, ImportReport), FormatError> {
    let name = path.as_ref().display().to_string();
    let failed = |problem: String| FormatError::new(&name, 0, "", problem);
    // the size is asked before the file is taken into memory
    let size = std::fs::metadata(&path).map_err(|e| failed(format!("cannot be read: {e}")))?.len();
    if size > guarded_xml::MAX_BYTES as u64 {
        return Err(failed(format!(
            "{size} bytes are more than the {} that are read",
            guarded_xml::MAX_BYTES
        )));
    }
    let text = std::fs::read_to_string(&path).map_err(|e| failed(format!("cannot be read: {e}")))?;
    let folder = path.as_ref().parent().unwrap_or(Path::new(""));
    let around = |mesh: &str| mesh_files::read(folder, mesh);
    parse(&text, &UrdfOptions { file: &name, meshes: options.meshes.or(Some(&around)), ..*options })
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
