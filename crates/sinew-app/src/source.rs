//! Finding and loading the model that the user names: a built-in character or a file.

use anyhow::{Context, Result, bail};
use sinew::dynamics::format::{FormatError, ImportReport, mjcf, role_file, urdf};
use sinew::dynamics::{Model, ModelSpec, RoleGuess, Roles, characters, guess_roles};
use std::fmt;
use std::path::{Path, PathBuf};

/// A model and what is known about its making.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) origin: Origin,
    pub(crate) report: ImportReport,
    /// Roles of the file or its side file.
    pub(crate) given: Roles,
    /// Roles by the shape of the body.
    pub(crate) guess: RoleGuess,
}

/// Where a model came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    BuiltIn(String),
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::BuiltIn(name) => write!(f, "built-in {name}"),
            Origin::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Loads a built-in character or a file.
pub(crate) fn load(named: &str) -> Result<Loaded> {
    if let Some(text) = characters::text(named) {
        let (spec, report) = mjcf::parse(text, &mjcf::Options { file: named, ..Default::default() })?;
        return finish(spec, report, Origin::BuiltIn(named.to_owned()));
    }
    let path = Path::new(named);
    let looks_like_file = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !looks_like_file {
        let unknown = characters::UnknownCharacter { name: named.to_owned() };
        bail!("{unknown}. A model file ends in .xml or .urdf.");
    }
    let (spec, report) = read(path)?;
    finish(spec, report, Origin::File(path.to_owned()))
}

fn read(path: &Path) -> Result<(ModelSpec, ImportReport), FormatError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "urdf" => urdf::read(path, &urdf::UrdfOptions::default()),
        _ => mjcf::read(path),
    }
}

fn finish(mut spec: ModelSpec, report: ImportReport, origin: Origin) -> Result<Loaded> {
    let side = side_file(&spec, &origin)?;
    let guess = guess_roles(&spec);
    let mut given = spec.roles.clone();
    for (role, body) in side.iter().flat_map(Roles::iter) {
        given.set(role, body);
    }
    spec.complete_roles(side.as_ref());
    let model = Model::new(spec).with_context(|| format!("{origin}"))?;
    Ok(Loaded { model, origin, report, given, guess })
}

/// Roles from the file of the same name with the extension `roles`, when there is one.
fn side_file(spec: &ModelSpec, origin: &Origin) -> Result<Option<Roles>> {
    let Origin::File(path) = origin else { return Ok(None) };
    let path = path.with_extension("roles");
    if !path.exists() {
        return Ok(None);
    }
    let name = path.display().to_string();
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read `{name}`"))?;
    Ok(Some(role_file::parse(&text, &name, spec)?))
}
