//! From the text of a scenario to a [`Scenario`].

use super::table::{ScenarioError, Source, Table, clip};
use super::{ChangePlan, Limb, Outputs, PushPlan, Reshape, Scenario, Strength, read_control, read_world};
use sinew_control::{Command, Registry};
use sinew_dynamics::Role;
use sinew_dynamics::spatial::Vec3;
use sinew_world::range;
use std::path::{Component, Path, PathBuf};
use toml::de::DeTable;

pub(super) type Read<T> = Result<T, ScenarioError>;

pub(super) fn scenario(text: &str, file: &str, registry: &Registry) -> Read<Scenario> {
    let source = Source { text, file };
    let parsed =
        DeTable::parse(text).map_err(|e| source.error(e.span().unwrap_or(0..0), e.message().to_owned()))?;
    let top = Table::new(source, parsed.span(), parsed.get_ref());
    let usual = Scenario::default();
    let stem = Path::new(file).file_stem().map_or(usual.name, |stem| stem.to_string_lossy().into_owned());
    let seconds = top.number("seconds", &range::DURATION)?.unwrap_or(usual.seconds);
    let controller = read_control::controller(&top, registry)?;
    let system = controller.system;
    let (world, unphysical) = read_world::world(&top, &controller)?;
    let terrain = top.table("terrain")?;
    let (ground, unseen) = terrain.map_or(Ok((usual.ground, usual.unseen)), read_world::ground)?;
    let scenario = Scenario {
        name: top.text("name")?.unwrap_or(stem),
        character: top.text("character")?.unwrap_or(usual.character),
        body: read_control::body(&top)?,
        settings: read_control::settings(&top, system)?,
        requests: read_control::requests(&top, system, registry)?,
        controller,
        world,
        unphysical,
        ground,
        unseen,
        things: read_world::things(&top)?,
        platforms: read_world::platforms(&top)?,
        seconds,
        seed: top.count("seed", i64::MAX as u64)?.unwrap_or(usual.seed),
        jitter: jitter(&top)?,
        commands: commands(&top)?,
        pushes: top.tables("push")?.into_iter().map(push).collect::<Read<_>>()?,
        changes: top.tables("change")?.into_iter().map(change).collect::<Read<_>>()?,
        outputs: top.table("outputs")?.map_or(Ok(Outputs::default()), outputs)?,
    };
    top.finish()?;
    Ok(scenario)
}

/// Random offsets of the joints at the beginning.
fn jitter(top: &Table<'_>) -> Read<[f64; 2]> {
    Ok(top.numbers("jitter", &range::JITTER)?.unwrap_or([0.0; 2]))
}

fn change(table: Table<'_>) -> Read<ChangePlan> {
    let limb = table.choice("limb", Limb::NAMES)?.and_then(|name| Limb::named(&name));
    let given = [
        table.number("load", &range::LOAD)?.map(Reshape::Load),
        table.number("scale", &range::FACTOR)?.map(Reshape::Scale),
        table.number("grow", &range::FACTOR)?.map(Reshape::Grow),
        table.number("lengthen", &range::FACTOR)?.map(Reshape::Lengthen),
        table.number("weigh", &range::FACTOR)?.map(Reshape::Weigh),
    ];
    let time = table.number("time", &range::TIME)?.unwrap_or(0.0);
    let seconds = table.number("seconds", &range::SPAN)?.unwrap_or(0.0);
    table.finish()?;
    let mut given = given.into_iter().flatten();
    let (Some(reshape), None) = (given.next(), given.next()) else {
        let problem = "a change has one of `load` (kg), `scale`, `grow`, `lengthen` and `weigh` (factors)";
        return Err(table.error(None, problem));
    };
    let limb = limb.ok_or_else(|| table.error(None, "a change has a `limb`"))?;
    Ok(ChangePlan { time, seconds, limb, reshape })
}

/// Commands, each from its time on; values that it does not give stay as they were.
fn commands(top: &Table<'_>) -> Read<Vec<(f64, Command)>> {
    let mut commands: Vec<(f64, Command)> = Vec::new();
    for table in top.tables("command")? {
        let (before, mut command) = commands.last().map_or((None, Command::STAND), |(t, c)| (Some(*t), *c));
        let time = table.number("time", &range::TIME)?.unwrap_or(0.0);
        in_order(&table, time, before)?;
        command.velocity = table.numbers("velocity", &range::SPEED)?.unwrap_or(command.velocity);
        command.heading =
            table.number("heading", &range::DIRECTION)?.map_or(command.heading, f64::to_radians);
        table.finish()?;
        commands.push((time, command));
    }
    Ok(commands)
}

pub(super) fn in_order(table: &Table<'_>, time: f64, before: Option<f64>) -> Read<()> {
    match before.filter(|before| !(time > *before)) {
        Some(before) => {
            let problem = format!("`time` must be after that of the one before, {before} s, not {time}");
            Err(table.error(table.get("time"), problem))
        }
        None => Ok(()),
    }
}

fn push(table: Table<'_>) -> Read<PushPlan> {
    let given = (
        table.numbers("impulse", &range::IMPULSE)?,
        table.number("direction", &range::DIRECTION)?,
        table.number("strength", &range::STRENGTH)?,
    );
    let parts: Vec<String> = Role::all().map(|role| role.to_string()).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let part = table.choice("body", &parts)?.and_then(|name| name.parse().ok()).unwrap_or(Role::Trunk);
    let time = table.number("time", &range::TIME)?.unwrap_or(0.0);
    let seconds = table.number("seconds", &range::PUSH_SPAN)?.unwrap_or(0.2);
    // report a misspelt key before the missing one
    table.finish()?;
    let strength = match given {
        (Some([x, y, z]), None, None) => Strength::Impulse(Vec3::new(x, y, z)),
        (None, Some(direction), Some(impulse)) => {
            Strength::PerMass { direction: direction.to_radians(), impulse }
        }
        _ => {
            let problem = "a push has either `impulse` (N·s along x, y, z) or `direction` (degrees) and `strength` (N·s/kg)";
            return Err(table.error(None, problem));
        }
    };
    Ok(PushPlan { time, seconds, strength, part })
}

/// Files to write: only below the folder of the scenario, because a scenario may come from an untrusted source.
fn outputs(table: Table<'_>) -> Read<Outputs> {
    let outputs = Outputs {
        recording: output(&table, "recording", "npz")?,
        summary: output(&table, "summary", "json")?,
    };
    table.finish()?;
    Ok(outputs)
}

fn output(table: &Table<'_>, key: &'static str, ending: &str) -> Read<Option<PathBuf>> {
    let Some(text) = table.text(key)? else { return Ok(None) };
    let (path, value) = (PathBuf::from(&text), table.get(key));
    if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        let problem = format!(
            "`{key}` must be a file in the folder of the scenario or below it, not \"{}\"; `--out` writes a recording anywhere",
            clip(&text)
        );
        return Err(table.error(value, problem));
    }
    if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case(ending)) {
        return Err(table.error(value, format!("`{key}` must end in .{ending}, not \"{}\"", clip(&text))));
    }
    Ok(Some(path))
}
