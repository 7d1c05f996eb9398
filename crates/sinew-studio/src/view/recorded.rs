//! A recording as a scene.

use super::drawing::Paint;
use super::resample::{RATE, Resampler};
use super::scene::{About, Form, Part, Scene, Shape, origin};
use super::skin::DrawnSkin;
use super::{ViewError, drawing};
use sinew::dynamics::{Data, Model};
use sinew::world::recording::{Info, RecordingReader};
use std::io::{Read, Seek};

type Result<T> = std::result::Result<T, ViewError>;

/// Longest scenario that is a title.
const TITLE: usize = 60;

/// A scene, and notes on what could not be drawn exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The scene.
    pub scene: Scene,
    /// Notes.
    pub notes: Vec<String>,
}

/// Reads a recording; `name` is the title if the recording's scenario has none.
///
/// # Errors
/// When it cannot be read, or holds nothing to draw.
pub fn read<R: Read + Seek>(mut run: RecordingReader<R>, name: &str) -> Result<Drawn> {
    let info = run.info().clone();
    if info.rows == 0 {
        return Err(ViewError::of("the recording", "it holds no step"));
    }
    let mut notes = Vec::new();
    let model = with_roles(&info.model)?;
    let mut skin = DrawnSkin::of(&model);
    let objects = objects(&info, model.bodies().len(), &mut skin, &mut notes)?;
    let terrain = terrain(&info, &mut notes)?;

    let mut frames = Resampler::new();
    let mut data = Data::new(&info.model);
    while let Some(row) = run.next_row()? {
        // a change of the body keeps bodies and joints: the same workspace serves
        frames.push(info.model_at(row.step), &mut data, &row);
    }
    if !info.changed.is_empty() {
        notes.push("the body changes during the run; it is drawn with the shapes of its beginning".into());
    }
    let (start, frames) = frames.finish();
    let about = About {
        title: title(&info, name),
        character: info.model.name().to_owned(),
        mass: info.model.mass(),
        gravity: info.model.gravity().norm(),
        start,
        rate: RATE,
    };
    let bodies = drawing::parts(&model, Paint::Character);
    Ok(Drawn { scene: Scene { about, bodies, objects, skin, terrain, frames }, notes })
}

/// The model with every role that can be guessed, for left and right and the face.
fn with_roles(model: &Model) -> Result<Model> {
    let mut spec = model.spec().clone();
    spec.complete_roles(None);
    Model::new(spec).map_err(|e| ViewError::of("the character", e))
}

/// The scenario when it is a name, else the name of the file.
fn title(info: &Info, name: &str) -> String {
    let scenario = info.meta.scenario.trim();
    let named = !scenario.is_empty() && scenario.chars().count() <= TITLE && !scenario.contains('\n');
    if named { scenario.to_owned() } else { name.to_owned() }
}

/// The objects in the order of their poses, with the shapes that `meta.objects` gives them.
///
/// What has several bodies wears a skin as the character does, whose bodies are the first parts of the scene.
fn objects(
    info: &Info,
    character: usize,
    skin: &mut DrawnSkin,
    notes: &mut Vec<String>,
) -> Result<Vec<Part>> {
    let mut known: Vec<(String, Part)> = Vec::new();
    for (actor, text) in &info.meta.objects {
        let (model, _) =
            Model::from_mjcf(text).map_err(|e| ViewError::of(format!("the recorded object `{actor}`"), e))?;
        let model = with_roles(&model)?;
        let alone = model.bodies().len() == 1;
        let first = known.len();
        for part in drawing::parts(&model, Paint::Thing) {
            let name = if alone { actor.clone() } else { format!("{actor}/{}", part.name) };
            known.push((name, part));
        }
        let place = |(name, _): &(String, Part)| info.object_names.iter().position(|n| n == name);
        let places: Option<Vec<usize>> = known[first..].iter().map(place).collect();
        if let (false, Some(places)) = (alone, places) {
            skin.add(&model, Paint::Thing, places.into_iter().map(|p| character + p).collect());
        }
    }
    let mut objects: Vec<Part> = Vec::new();
    for (i, name) in info.object_names.iter().enumerate() {
        let found = known.iter().find(|(n, _)| n == name);
        if found.is_none() {
            notes.push(format!("the recording has no shape for `{name}`; it is drawn as a small ball"));
        }
        let mut part = found.map_or_else(unknown, |(_, part)| part.clone());
        // the bodies of one actor follow each other: parents are counted from its first
        let actor = name.split_once('/').map_or(name.as_str(), |(actor, _)| actor);
        let first = info.object_names.iter().position(|n| n.split('/').next() == Some(actor)).unwrap_or(i);
        part.parent = part.parent.map(|p| p + first);
        part.name.clone_from(name);
        objects.push(part);
    }
    Ok(objects)
}

/// A ball for an object without recorded shape.
fn unknown() -> Part {
    let ball = Shape { form: Form::Sphere { radius: 0.04 }, at: origin(), color: None };
    Part { shapes: vec![ball], ..drawing::at_origin() }
}

/// The ground in `meta.terrain`; level ground by default.
fn terrain(info: &Info, notes: &mut Vec<String>) -> Result<Vec<Shape>> {
    let said = &info.meta.terrain;
    let mut terrain = drawing::fixed(info.model.spec());
    if said.is_null() {
        if terrain.is_empty() {
            notes.push("the recording has no ground; level ground is drawn".into());
            terrain.push(Shape { form: Form::Plane { half: [0.0, 0.0] }, at: origin(), color: None });
        }
        return Ok(terrain);
    }
    let shapes: Vec<Shape> = serde_json::from_value(said.clone()).map_err(|e| {
        let wanted = format!("a list of shapes was expected, as docs/viewing.md describes them: {e}");
        ViewError::of("meta.terrain", wanted)
    })?;
    terrain.extend(shapes);
    Ok(terrain)
}
