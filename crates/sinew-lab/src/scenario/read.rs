//! From the text of a scenario to a [`Scenario`].

use super::table::{ANY, FROM_ZERO, POSITIVE, ScenarioError, Source, Span, Table};
use super::{ChangePlan, Limb, Outputs, PushPlan, Reshape, Scenario, Strength, read_control, read_world};
use sinew_control::{Command, Registry};
use sinew_dynamics::Role;
use sinew_dynamics::spatial::Vec3;
use std::path::Path;
use toml::de::DeTable;

pub(super) type Read<T> = Result<T, ScenarioError>;

const DURATION: Span =
    Span { words: "a number above 0 and at most 36000", holds: |x| x > 0.0 && x <= 36_000.0 };
const SPEED: f64 = 20.0;

pub(super) fn scenario(text: &str, file: &str, registry: &Registry) -> Read<Scenario> {
    let source = Source { text, file };
    let parsed =
        DeTable::parse(text).map_err(|e| source.error(e.span().unwrap_or(0..0), e.message().to_owned()))?;
    let top = Table::new(source, parsed.span(), parsed.get_ref());
    let usual = Scenario::default();
    let stem = Path::new(file).file_stem().map_or(usual.name, |stem| stem.to_string_lossy().into_owned());
    let seconds = top.number("seconds", &DURATION)?.unwrap_or(usual.seconds);
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

/// By how much joints are off at the beginning.
fn jitter(top: &Table<'_>) -> Read<[f64; 2]> {
    let jitter = top.numbers("jitter")?.unwrap_or([0.0; 2]);
    match jitter.iter().all(|x| (0.0..=1.0).contains(x)) {
        true => Ok(jitter),
        false => Err(top.error(top.get("jitter"), "`jitter` must be two numbers from 0 to 1")),
    }
}

fn change(table: Table<'_>) -> Read<ChangePlan> {
    let limb = table.choice("limb", Limb::NAMES)?.and_then(|name| Limb::named(&name));
    let given = [
        table.number("load", &ANY)?.map(Reshape::Load),
        table.number("scale", &POSITIVE)?.map(Reshape::Scale),
        table.number("grow", &POSITIVE)?.map(Reshape::Grow),
        table.number("lengthen", &POSITIVE)?.map(Reshape::Lengthen),
        table.number("weigh", &POSITIVE)?.map(Reshape::Weigh),
    ];
    let time = table.number("time", &FROM_ZERO)?.unwrap_or(0.0);
    let seconds = table.number("seconds", &FROM_ZERO)?.unwrap_or(0.0);
    table.finish()?;
    let mut given = given.into_iter().flatten();
    let (Some(reshape), None) = (given.next(), given.next()) else {
        let problem = "a change has one of `load` (kg), `scale`, `grow`, `lengthen` and `weigh` (factors)";
        return Err(table.error(None, problem));
    };
    let limb = limb.ok_or_else(|| table.error(None, "a change has a `limb`"))?;
    Ok(ChangePlan { time, seconds, limb, reshape })
}

/// Commands, each from its time on; what it does not say stays as it was.
fn commands(top: &Table<'_>) -> Read<Vec<(f64, Command)>> {
    let mut commands: Vec<(f64, Command)> = Vec::new();
    for table in top.tables("command")? {
        let (before, mut command) = commands.last().map_or((None, Command::STAND), |(t, c)| (Some(*t), *c));
        let time = table.number("time", &FROM_ZERO)?.unwrap_or(0.0);
        in_order(&table, time, before)?;
        if let Some(velocity) = table.numbers("velocity")? {
            if velocity.iter().any(|v: &f64| v.abs() > SPEED) {
                let problem = format!("`velocity` must be at most {SPEED} m/s either way");
                return Err(table.error(table.get("velocity"), problem));
            }
            command.velocity = velocity;
        }
        command.heading = table.number("heading", &ANY)?.map_or(command.heading, f64::to_radians);
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
    let given =
        (table.numbers("impulse")?, table.number("direction", &ANY)?, table.number("strength", &ANY)?);
    let parts: Vec<String> = Role::all().map(|role| role.to_string()).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let part = table.choice("body", &parts)?.and_then(|name| name.parse().ok()).unwrap_or(Role::Trunk);
    let time = table.number("time", &FROM_ZERO)?.unwrap_or(0.0);
    let seconds = table.number("seconds", &POSITIVE)?.unwrap_or(0.2);
    // a misspelt key is named before it is missed
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

fn outputs(table: Table<'_>) -> Read<Outputs> {
    let outputs = Outputs {
        recording: table.text("recording")?.map(Into::into),
        summary: table.text("summary")?.map(Into::into),
    };
    table.finish()?;
    Ok(outputs)
}
