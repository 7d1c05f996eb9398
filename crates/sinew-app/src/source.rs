//! Finds and loads a model: a built-in character or a file.

use crate::cli::{ModelArgs, Root};
use anyhow::{Context, Result, bail};
use sinew::dynamics::format::urdf::{self, UrdfOptions, UrdfRoot};
use sinew::dynamics::format::{ImportReport, mjcf, role_file};
use sinew::dynamics::{Model, ModelSpec, RoleGuess, Roles, characters, file, guess_roles};
use sinew::motion::on_its_feet;
use std::fmt;
use std::path::{Path, PathBuf};

/// A model and information on its import.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) origin: Origin,
    pub(crate) report: ImportReport,
    /// Roles of the file or its side file.
    pub(crate) given: Roles,
    /// Roles guessed from the shape of the body.
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

/// Loads what the command line names.
pub(crate) fn load(args: &ModelArgs) -> Result<Loaded> {
    let root = match args.root {
        Root::Guess => UrdfRoot::Guess,
        Root::Free => UrdfRoot::Free,
        Root::Fixed => UrdfRoot::Fixed,
    };
    let skip_missing_meshes = args.skip_missing_meshes;
    load_with(&args.name, &UrdfOptions { root, skip_missing_meshes, ..UrdfOptions::default() })
}

/// Loads a built-in character or a file as it is.
pub(crate) fn load_plain(named: &str) -> Result<Loaded> {
    load_with(named, &UrdfOptions::default())
}

fn load_with(named: &str, options: &UrdfOptions<'_>) -> Result<Loaded> {
    if let Some(text) = characters::text(named) {
        let (model, report) = Model::from_mjcf(text)?;
        return finish(model, report, Origin::BuiltIn(named.to_owned()));
    }
    let path = Path::new(named);
    let looks_like_file = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !looks_like_file {
        let unknown = characters::UnknownCharacter { name: named.to_owned() };
        bail!("{unknown}. A model file ends in .xml or .urdf.");
    }
    if !path.exists() {
        // users often write `human.xml` for `human`
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_lowercase();
        let hint = match characters::text(&stem) {
            Some(_) => format!("; the built-in character is `{stem}`, without an ending"),
            None => String::new(),
        };
        bail!("`{}`: there is no such file{hint}", path.display());
    }
    if path.is_dir() {
        bail!("`{}` is a folder; name the .xml (MJCF) or .urdf file in it", path.display());
    }
    let (model, report) = read(path, options)?;
    finish(model, report, Origin::File(path.to_owned()))
}

fn read(path: &Path, options: &UrdfOptions<'_>) -> Result<(Model, ImportReport)> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "urdf" => {
            let (spec, report) = urdf::read(path, options)?;
            let model = Model::new(spec).with_context(|| path.display().to_string())?;
            Ok((model, report))
        }
        "xml" | "mjcf" => Ok(mjcf::read_model(path)?),
        _ => bail!("`{}`: a model file ends in .xml (MJCF) or .urdf", path.display()),
    }
}

/// The text of a file that a person wrote.
pub(crate) fn text(path: &Path) -> Result<String> {
    file::read_text(path, file::MOST_TEXT).with_context(|| format!("cannot read `{}`", path.display()))
}

/// The same for a body that is to stand; what had to be done for that is told.
pub(crate) fn load_standing(named: &str) -> Result<(Model, Vec<String>)> {
    let Loaded { model, origin, .. } = load_plain(named)?;
    if matches!(origin, Origin::BuiltIn(_)) {
        return Ok((model, Vec::new()));
    }
    let (spec, notes) = on_its_feet(model.spec().clone());
    Ok((Model::new(spec).with_context(|| origin.to_string())?, notes))
}

/// Completes the roles.
fn finish(model: Model, report: ImportReport, origin: Origin) -> Result<Loaded> {
    let mut spec = model.spec().clone();
    let side = side_file(&spec, &origin)?;
    let guess = guess_roles(&spec);
    let mut given = spec.roles.clone();
    for (role, body) in side.iter().flat_map(Roles::iter) {
        given.set(role, body);
    }
    spec.complete_roles(side.as_ref());
    let model = Model::new(spec).with_context(|| origin.to_string())?;
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
    Ok(Some(role_file::parse(&text(&path)?, &name, spec)?))
}
