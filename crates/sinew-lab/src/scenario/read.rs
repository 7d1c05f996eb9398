//! From the text of a scenario to a [`Scenario`].

use super::table::{ANY, FROM_ZERO, POSITIVE, ScenarioError, Source, Span, Table};
use super::{ChangePlan, ControllerPlan, GroundPlan, Limb, Outputs, PushPlan, Reshape, Scenario, Strength};
use sinew_control::Command;
use sinew_control::features::{Gait, Jump, Legs, Stance};
use sinew_control::whole_body::Priorities;
use sinew_dynamics::Role;
use sinew_dynamics::spatial::Vec3;
use sinew_world::terrain::Course;
use std::path::Path;
use toml::de::DeTable;

type Read<T> = Result<T, ScenarioError>;

const DURATION: Span =
    Span { words: "a number above 0 and at most 36000", holds: |x| x > 0.0 && x <= 36_000.0 };
const SHARE: Span = Span { words: "a number from 0 to 1", holds: |x| (0.0..=1.0).contains(&x) };
const CROUCH: Span = Span { words: "a number from 0.05 to 0.6", holds: |x| (0.05..=0.6).contains(&x) };
const TURN: Span = Span { words: "an angle from -270 to 270 degrees", holds: |x| x.abs() <= 270.0 };
const PITCH: Span = Span { words: "an angle from -45 to 45 degrees", holds: |x| x.abs() <= 45.0 };
const SPEED: f64 = 20.0;

const STEP: Span = Span { words: "a number from 0.0001 to 0.02", holds: |x| (1e-4..=0.02).contains(&x) };

const GROUNDS: &[&str] = &["flat", "slope", "stairs", "ledges", "platform", "course"];
const COURSES: &[&str] = &["flat", "ramps", "stairs", "ledges", "stones", "blocks", "rough", "mixed"];

pub(super) fn scenario(text: &str, file: &str) -> Read<Scenario> {
    let source = Source { text, file };
    let parsed =
        DeTable::parse(text).map_err(|e| source.error(e.span().unwrap_or(0..0), e.message().to_owned()))?;
    let top = Table::new(source, parsed.span(), parsed.get_ref());
    let usual = Scenario::default();
    let stem = Path::new(file).file_stem().map_or(usual.name, |stem| stem.to_string_lossy().into_owned());
    let seconds = top.number("seconds", &DURATION)?.unwrap_or(usual.seconds);
    let (controller, priorities) = controller(&top)?;
    let (ground, unseen) = top.table("terrain")?.map_or(Ok((usual.ground, usual.unseen)), ground)?;
    let scenario = Scenario {
        name: top.text("name")?.unwrap_or(stem),
        character: top.text("character")?.unwrap_or(usual.character),
        controller,
        priorities,
        ground,
        unseen,
        seconds,
        step: top.number("step", &STEP)?.unwrap_or(usual.step),
        seed: top.count("seed", i64::MAX as u64)?.unwrap_or(usual.seed),
        jitter: jitter(&top)?,
        commands: commands(&top)?,
        gait: gait(&top)?,
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

/// `controller = "walker"`, or a table with parameters.
fn controller(top: &Table<'_>) -> Read<(ControllerPlan, Priorities)> {
    let named = |name: Option<String>| {
        name.and_then(|name| ControllerPlan::named(&name)).unwrap_or(Scenario::default().controller)
    };
    let mut priorities = Priorities::Strict;
    let mut plan = match top.get("controller") {
        Some(value) if value.get_ref().is_table() => {
            let table = top.as_table("controller", value)?;
            let mut plan = named(table.choice("kind", ControllerPlan::NAMES)?);
            if let Some(parameters) = table.table("gait")? {
                let gait = plan.gait_mut();
                parameters.parameters(Gait::NAMES, Gait::range, |name, value| {
                    gait.get_mut(name).into_iter().for_each(|parameter| *parameter = value);
                })?;
            }
            if let ControllerPlan::Balancer { stance, .. } = &mut plan
                && let Some(parameters) = table.table("stance")?
            {
                parameters.parameters(Stance::NAMES, Stance::range, |name, value| {
                    stance.get_mut(name).into_iter().for_each(|parameter| *parameter = value);
                })?;
            }
            if let Some(weights) = table.list("weights", &POSITIVE)? {
                priorities = Priorities::Weighted(weights);
            }
            table.finish()?;
            plan
        }
        _ => named(top.choice("controller", ControllerPlan::NAMES)?),
    };
    let mut read = Vec::new();
    for table in top.tables("jump")? {
        let time = table.number("time", &FROM_ZERO)?.unwrap_or(0.0);
        if !matches!(plan, ControllerPlan::Jumper { .. }) {
            let problem = format!("a {} does not jump; write `controller = \"jumper\"`", plan.name());
            return Err(table.error(None, problem));
        }
        in_order(&table, time, read.last().map(|(time, _)| *time))?;
        read.push((time, jump(table)?));
    }
    if let ControllerPlan::Jumper { jumps, .. } = &mut plan {
        *jumps = read;
    }
    Ok((plan, priorities))
}

/// Parameters of the gait over time.
fn gait(top: &Table<'_>) -> Read<Vec<(f64, &'static str, f64)>> {
    let (mut gait, mut before) = (Vec::new(), None);
    for table in top.tables("gait")? {
        let time = table.number("time", &FROM_ZERO)?.unwrap_or(0.0);
        in_order(&table, time, before)?;
        table.parameters(Gait::NAMES, Gait::range, |name, value| gait.push((time, name, value)))?;
        before = Some(time);
    }
    Ok(gait)
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

fn jump(table: Table<'_>) -> Read<Jump> {
    let usual = Jump::default();
    let jump = Jump {
        height: table.number("height", &POSITIVE)?.unwrap_or(usual.height),
        crouch: table.number("crouch", &CROUCH)?.unwrap_or(usual.crouch),
        twist: table.number("twist", &TURN)?.map_or(usual.twist, f64::to_radians),
        forward: table.number("forward", &ANY)?.unwrap_or(usual.forward),
        legs: match table.choice("legs", &["hang", "scissor", "split"])?.as_deref() {
            Some("scissor") => Legs::Scissor,
            Some("split") => Legs::Split,
            _ => usual.legs,
        },
    };
    table.finish()?;
    Ok(jump)
}

/// The ground, and whether the controller does not see it.
fn ground(table: Table<'_>) -> Read<(GroundPlan, bool)> {
    let kind = table.choice("kind", GROUNDS)?;
    let friction = |table: &Table<'_>| Ok(table.number("friction", &FROM_ZERO)?.unwrap_or(1.0));
    let start = |table: &Table<'_>| Ok(table.number("start", &POSITIVE)?.unwrap_or(2.0));
    let plan = match kind.as_deref() {
        Some("slope") => GroundPlan::Slope {
            start: start(&table)?,
            pitch: table.number("pitch", &PITCH)?.unwrap_or(5.0).to_radians(),
            friction: friction(&table)?,
        },
        Some("stairs") => GroundPlan::Stairs {
            start: start(&table)?,
            run: table.number("run", &POSITIVE)?.unwrap_or(0.3),
            rise: table.number("rise", &ANY)?.unwrap_or(0.1),
            steps: table.count("steps", 10_000)?.unwrap_or(6) as usize,
            friction: friction(&table)?,
        },
        Some("ledges") => GroundPlan::Ledges {
            start: start(&table)?,
            height: table.number("height", &ANY)?.unwrap_or(0.03),
            length: table.number("length", &POSITIVE)?.unwrap_or(1.5),
            count: table.count("count", 10_000)?.unwrap_or(4) as usize,
            friction: friction(&table)?,
        },
        Some("platform") => GroundPlan::Platform {
            amplitude: Vec3::from(table.numbers("amplitude")?.unwrap_or([0.1, 0.0, 0.0])),
            frequency: table.number("frequency", &FROM_ZERO)?.unwrap_or(0.5),
            friction: friction(&table)?,
        },
        Some("course") => {
            let name = table.choice("course", COURSES)?;
            let place = COURSES.iter().position(|known| name.as_deref() == Some(known));
            let difficulty = table.number("difficulty", &SHARE)?.unwrap_or(0.5);
            GroundPlan::Course { course: place.map_or(Course::Mixed, |i| Course::ALL[i]), difficulty }
        }
        _ => GroundPlan::Flat { friction: friction(&table)? },
    };
    let unseen = table.flag("unseen")?.unwrap_or(false);
    table.finish()?;
    Ok((plan, unseen))
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

fn in_order(table: &Table<'_>, time: f64, before: Option<f64>) -> Read<()> {
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
