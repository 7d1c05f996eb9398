//! glTF out: a character in its skin, and its motion, as one `.glb` file for Blender, Unity, Unreal, three.js.
//!
//! One node per body, named as it is, with the axes of the body and its origin where the body's first joint is anchored; a
//! [`Skin`] over the character's shapes that follows the nodes; and, for a motion, rotations of all bodies, places of the root and
//! of bodies that slide, sampled at the frames: frame k is at the time k/rate.
//!
//! glTF is y up, z forward, x left, in metres. Ours is z up, x forward, y left: the axes are renamed, `(x, y, z) → (y, z, x)`, and no
//! number changes but for rounding to single precision. Quaternions keep their sign from frame to frame.
//!
//! What the motion is made of is in `asset.extras.sinew`. The same input gives the same bytes.
//!
//! Source: Khronos, glTF 2.0 specification, sections 3.6 (geometry), 3.7.3 (skins), 3.11 (animation), 4 (GLB).

mod animation;
mod buffer;
mod nodes;
mod surface;

use crate::Clip;
use crate::skin::Skin;
use buffer::Builder;
use gltf_json as json;
use serde_json::{Map, Value};
use sinew_dynamics::Model;
use std::io;
use std::path::Path;

/// How to write a file.
///
/// ```
/// use sinew_motion::gltf::Options;
/// let coarse = Options { fineness: 100, ..Options::default() };
/// assert!(coarse.about.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Cells of the skin along the diagonal of the character.
    pub fineness: usize,
    /// What else to say in `asset.extras.sinew`: the scenario of a run, its seed.
    pub about: Map<String, Value>,
}

impl Default for Options {
    fn default() -> Options {
        Options { fineness: 150, about: Map::new() }
    }
}

/// What cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The container counts bytes with 32 bits.
    #[error("{bytes} bytes are more than a .glb file holds; export a part, or at fewer frames per second")]
    TooLarge {
        /// Size of the data.
        bytes: usize,
    },
    /// Single precision has no such number.
    #[error("the document cannot be written: {0}")]
    Document(#[from] serde_json::Error),
    /// The file system said no.
    #[error("cannot write `{file}`: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

/// The bytes of a `.glb` file with a motion.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, gltf};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let still = Clip::new("still", human.clone(), 30.0, human.neutral().repeat(31))?;
/// let options = gltf::Options { fineness: 60, ..gltf::Options::default() };
/// let bytes = gltf::bytes(&still, &options)?;
/// assert_eq!(&bytes[..4], b"glTF");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bytes(clip: &Clip, options: &Options) -> Result<Vec<u8>, GltfError> {
    let mut about = options.about.clone();
    about.insert("name".into(), clip.name.clone().into());
    about.insert("rate".into(), clip.rate.into());
    about.insert("frames".into(), clip.len().into());
    about.insert("provenance".into(), serde_json::to_value(&clip.provenance)?);
    let mut builder = scene(clip.model(), options);
    animation::add(&mut builder, clip);
    finish(builder, clip.model(), about)
}

/// Writes a motion to a file, which appears whole or not at all.
pub fn save(path: impl AsRef<Path>, clip: &Clip, options: &Options) -> Result<(), GltfError> {
    let path = path.as_ref();
    let whole = bytes(clip, options)?;
    let io = |source| GltfError::Io { file: path.display().to_string(), source };
    sinew_world::file::write_whole(path, &whole).map_err(io)
}

/// The bytes of a `.glb` file with a character at rest.
pub fn character(model: &Model, options: &Options) -> Result<Vec<u8>, GltfError> {
    finish(scene(model, options), model, options.about.clone())
}

/// Nodes and skin.
fn scene(model: &Model, options: &Options) -> Builder {
    let mut builder = Builder::default();
    let skin = Skin::grow(model, options.fineness);
    let mesh = surface::add(&mut builder, &skin, model.name());
    nodes::add(&mut builder, model, mesh);
    builder
}

fn finish(mut builder: Builder, model: &Model, mut about: Map<String, Value>) -> Result<Vec<u8>, GltfError> {
    let version = env!("CARGO_PKG_VERSION");
    about.insert("character".into(), model.name().into());
    about.insert("version".into(), version.into());
    let extras = serde_json::value::to_raw_value(&serde_json::json!({ "sinew": about }))?;
    builder.root.asset = json::Asset {
        generator: Some(format!("Sinew {version}")),
        extras: Some(extras),
        ..json::Asset::default()
    };
    builder.finish()
}
