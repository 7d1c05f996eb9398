//! MJCF, MuJoCo's model format, in and out.
//!
//! [`read`] and [`parse`] make a [`ModelSpec`] of a file or text, following MuJoCo 4.0 in every rule that changes the
//! physics: units, default classes, frames, inertia from geoms, limits, actuator gains. Read are
//!
//! - `compiler`, `option` (gravity, time step, `flag`), `include`, nested `default` classes and `childclass`;
//! - `body`, `frame`, `joint`, `freejoint`, `inertial`, `geom`, `site`, with every form of orientation and `fromto`;
//! - meshes inline or in STL and OBJ files, taken as convex;
//! - `motor`, `position`, `velocity` and `general` actuators at joints; `exclude`; `keyframe`;
//! - which body plays which part, from `<custom><text name="sinew_roles" data="pelvis=hips foot_left=foot_l"/></custom>`.
//!
//! Elements that cannot change the physics of the body (cameras, lights, textures, sensors, solver settings, visual meshes) are
//! listed in the report, and so are common elements that are not simulated: servos (torques drive joints), tendons and
//! their motors, couplings of joints. `connect` and `weld` become ties. Everything else is an error that names file, line and
//! element: muscles, plugins, soft bodies, fluids, and typing errors.
//!
//! A joint's effort limit is `Σ |gear| · greatest force` over its actuators, at most its `actuatorfrcrange`; 0 when only
//! other joints have actuators; infinite when there are none in the file.
//!
//! [`write()`] gives MJCF that MuJoCo loads and that [`parse`] reads back as the same description, number for number.
//!
//! Untrusted text is safe: size, depth, includes and counts are bounded, and nothing panics.

mod actuator;
mod body;
mod defaults;
mod equality;
mod geom;
mod inertia;
mod joint;
mod magnitudes;
mod mesh;
mod names;
mod notes;
mod orientation;
mod schema;
mod sections;
mod settings;
mod tree;
mod value;
mod write;

pub use write::write;

use super::{FormatError, ImportReport};
use crate::{Model, ModelError, ModelSpec, file};
use body::Draft;
use defaults::Classes;
use mesh::Meshes;
use names::Names;
use notes::Notes;
use settings::Compiler;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use tree::{Node, Tree};

/// Where a text comes from and where the files that it names are found.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Name of the text in messages.
    pub file: &'a str,
    /// Fetches an included file or a mesh by its path relative to the text, or says why it cannot.
    pub load: &'a dyn Fn(&str) -> Result<Vec<u8>, String>,
}

impl Default for Options<'_> {
    /// A text from memory that cannot reach other files.
    fn default() -> Self {
        Options { file: "<text>", load: &|_| Err("text from memory cannot reach other files".to_owned()) }
    }
}

/// Reads an MJCF file with all that it includes.
pub fn read(path: impl AsRef<Path>) -> Result<(ModelSpec, ImportReport), FormatError> {
    open(path.as_ref(), parse)
}

/// Reads an MJCF file and compiles it; an error of the model names the line of the element that it is about.
pub fn read_model(path: impl AsRef<Path>) -> Result<(Model, ImportReport), FormatError> {
    open(path.as_ref(), compile)
}

/// Hands the text of a file to `then`, with the means to reach the files beside it.
fn open<T>(
    path: &Path,
    then: impl Fn(&str, &Options<'_>) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    let label = path.display().to_string();
    let folder = path.parent().unwrap_or(Path::new(""));
    let load = |relative: &str| fetch(&folder.join(relative));
    let bytes = fetch(path).map_err(|why| FormatError::new(&label, 0, "", why))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| FormatError::new(&label, 0, "", "the file is not UTF-8 text"))?;
    then(&text, &Options { file: &label, load: &load })
}

/// Reads MJCF text.
///
/// ```
/// use sinew_dynamics::format::mjcf;
///
/// let text = r#"<mujoco model="pendulum">
///   <worldbody>
///     <body name="rod"><joint name="pivot" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -1"/></body>
///   </worldbody>
/// </mujoco>"#;
/// let (spec, report) = mjcf::parse(text, &mjcf::Options::default())?;
/// assert_eq!(spec.bodies[0].joints[0].name, "pivot");
/// assert!(report.assumed[0].contains("degrees"));
///
/// let typo = text.replace("axis", "axsi");
/// let error = mjcf::parse(&typo, &mjcf::Options::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"<text>:3: <joint name="pivot">: unknown attribute "axsi"; did you mean "axis"?"#
/// );
/// # Ok::<(), sinew_dynamics::format::FormatError>(())
/// ```
pub fn parse(text: &str, options: &Options<'_>) -> Result<(ModelSpec, ImportReport), FormatError> {
    let tree = Tree::new(text, options)?;
    let reader = Reader::run(tree.root(), options)?;
    Ok((reader.spec, reader.notes.report()))
}

impl Model {
    /// Reads and compiles MJCF text that stands alone.
    ///
    /// ```
    /// let text = r#"<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#;
    /// let (ball, _) = sinew_dynamics::Model::from_mjcf(text)?;
    /// assert_eq!((ball.nq(), ball.nv()), (7, 6));
    /// # Ok::<(), sinew_dynamics::format::FormatError>(())
    /// ```
    pub fn from_mjcf(text: &str) -> Result<(Model, ImportReport), FormatError> {
        compile(text, &Options::default())
    }
}

fn compile(text: &str, options: &Options<'_>) -> Result<(Model, ImportReport), FormatError> {
    let tree = Tree::new(text, options)?;
    let Reader { spec, drafts, notes, .. } = Reader::run(tree.root(), options)?;
    let places = places(&spec, &drafts);
    let model = Model::new(spec).map_err(|e| placed(e, tree.root(), &places))?;
    Ok((model, notes.report()))
}

/// Bodies and joints by the words that model errors begin with.
fn places<'t>(spec: &ModelSpec, drafts: &[Draft<'t>]) -> Vec<(String, Node<'t>)> {
    let mut places = Vec::new();
    for (body, draft) in spec.bodies.iter().zip(drafts) {
        let joints = body.joints.iter().zip(&draft.joints);
        places.extend(joints.map(|(joint, (node, _))| (format!("joint \"{}\" of ", joint.name), *node)));
        places.push((format!("body \"{}\"", body.name), draft.node));
    }
    places
}

/// Attaches a model error to its element, if that can be found.
fn placed(error: ModelError, root: Node<'_>, places: &[(String, Node<'_>)]) -> FormatError {
    match places.iter().find(|(label, _)| error.element.starts_with(label)) {
        Some((_, node)) => node.error(error.problem),
        None => FormatError::new(root.file(), 0, error.element, error.problem),
    }
}

/// The bytes of an ordinary file that is not too large.
pub(super) fn fetch(path: &Path) -> Result<Vec<u8>, String> {
    const MAX_BYTES: u64 = 256 << 20;
    file::read(path, MAX_BYTES).map_err(|e| format!("cannot be read: {e}"))
}

/// A model in the making.
struct Reader<'t, 'a> {
    options: &'a Options<'a>,
    compiler: Compiler,
    classes: Classes<'t>,
    meshes: Meshes<'t>,
    /// Vertices of all mesh geoms so far.
    mesh_vertices: usize,
    materials: HashMap<&'t str, Option<[f64; 4]>>,
    names: Names<'t>,
    drafts: Vec<Draft<'t>>,
    /// Names of bodies, and places of joints by name, once all bodies are read.
    bodies: HashSet<String>,
    joints: HashMap<String, (usize, usize)>,
    notes: Notes,
    spec: ModelSpec,
}

impl<'t, 'a> Reader<'t, 'a> {
    /// Reads the sections in the order in which they depend on each other, wherever they stand in the file.
    fn run(root: Node<'t>, options: &'a Options<'a>) -> Result<Reader<'t, 'a>, FormatError> {
        if root.tag() != "mujoco" {
            let hint = if root.tag() == "robot" { "; this is URDF: name the file .urdf" } else { "" };
            return Err(
                root.error(format!("not an MJCF model: the outermost element must be <mujoco>{hint}"))
            );
        }
        root.check_attributes("model")?;
        for section in root.children() {
            if !schema::SECTIONS.split_whitespace().any(|s| s == section.tag()) {
                return Err(section.unknown_child(schema::SECTIONS));
            }
        }
        let sections = |tag: &'static str| root.children().filter(move |s| s.tag() == tag);

        let mut notes = Notes::default();
        let mut spec = ModelSpec::new(root.attribute("model").unwrap_or("MuJoCo Model"));
        let compiler = Compiler::read(sections("compiler"), &mut notes)?;
        let disabled = settings::options(sections("option"), &mut spec, &mut notes)?;
        let classes = Classes::read(sections("default"), &mut notes)?;
        let mut reader = Reader {
            options,
            compiler,
            classes,
            meshes: Meshes::default(),
            mesh_vertices: 0,
            materials: HashMap::new(),
            names: Names::default(),
            drafts: Vec::new(),
            bodies: HashSet::new(),
            joints: HashMap::new(),
            notes,
            spec,
        };
        if let Some(section) = sections("extension").next() {
            return Err(section.error("plugins are not supported"));
        }
        sections("asset").try_for_each(|s| reader.assets(s))?;
        sections("worldbody").try_for_each(|s| reader.world(s))?;
        reader.finish_bodies()?;
        sections("deformable").try_for_each(|s| reader.deformable(s))?;
        sections("contact").try_for_each(|s| reader.contact(s))?;
        sections("tendon").try_for_each(|s| reader.tendons(s))?;
        sections("equality").try_for_each(|s| reader.equalities(s))?;
        sections("actuator").try_for_each(|s| reader.actuators(s))?;
        reader.efforts();
        sections("custom").try_for_each(|s| reader.custom(s))?;
        sections("keyframe").try_for_each(|s| reader.keyframes(s))?;
        for section in ["size", "statistic", "visual", "sensor"].into_iter().flat_map(sections) {
            reader.idle(section);
        }
        let Reader { spec, notes, .. } = &mut reader;
        disabled.apply(spec, notes);
        reader.check_magnitudes(root)?;
        Ok(reader)
    }
}
