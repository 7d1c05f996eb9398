//! Writes a [`Scenario`] as the text of its file. Default values are left out, except a few that every reader looks for.

use super::plan::{ControllerPlan, Setting};
use super::{ChangePlan, PushPlan, Reshape, Scenario, Strength, write_world};
use sinew_control::{Command, Param, Request, System, Value};
use sinew_dynamics::spatial::Vec3;
use std::fmt::{Display, Write};

pub(super) fn scenario(scenario: &Scenario) -> String {
    let usual = Scenario::default();
    let mut text = Text::default();
    text.key("name", quoted(&scenario.name));
    text.key("character", quoted(&scenario.character));
    text.number("seconds", scenario.seconds);
    text.key("seed", scenario.seed);
    if scenario.jitter != usual.jitter {
        text.numbers("jitter", &scenario.jitter);
    }
    if scenario.body != usual.body {
        text.table("body");
        scenario.body.changed().for_each(|(name, value)| text.number(name, value));
    }
    controller(&scenario.controller, &mut text);
    write_world::world(scenario, &mut text);
    scenario.commands.iter().for_each(|(time, command)| self::command(*time, command, &mut text));
    settings(&scenario.settings, scenario.controller.system, &mut text);
    scenario
        .requests
        .iter()
        .for_each(|(time, request)| self::request(*time, request, scenario.controller.system, &mut text));
    scenario.pushes.iter().for_each(|plan| push(plan, &mut text));
    scenario.changes.iter().for_each(|plan| change(plan, &mut text));
    let files = [("recording", &scenario.outputs.recording), ("summary", &scenario.outputs.summary)];
    if scenario.outputs != usual.outputs {
        text.table("outputs");
        for (key, file) in files {
            file.iter().for_each(|file| text.key(key, quoted(&file.to_string_lossy())));
        }
    }
    text.0
}

fn controller(plan: &ControllerPlan, text: &mut Text) {
    text.table("controller");
    text.key("system", quoted(plan.system.name));
    plan.style.iter().for_each(|style| text.key("style", quoted(style.name)));
    if !plan.clips.is_empty() {
        let files: Vec<String> = plan.clips.iter().map(|file| quoted(&file.to_string_lossy())).collect();
        text.key("clips", format_args!("[{}]", files.join(", ")));
    }
    parameters(plan.system, plan.values.iter(), text);
}

fn command(time: f64, command: &Command, text: &mut Text) {
    text.list("command");
    text.number("time", time);
    text.numbers("velocity", &command.velocity);
    text.key("heading", degrees(command.heading));
}

/// Changes at the same time share one table.
fn settings(settings: &[(f64, Setting)], system: &System, text: &mut Text) {
    for moment in settings.chunk_by(|(one, _), (other, _)| one == other) {
        text.list("set");
        text.number("time", moment[0].0);
        let mut values = Vec::new();
        for (_, setting) in moment {
            match setting {
                Setting::Style(style) => text.key("style", quoted(style.name)),
                Setting::Value(path, value) => values.push((path, value)),
            }
        }
        parameters(system, values.into_iter(), text);
    }
}

fn request(time: f64, request: &Request, system: &System, text: &mut Text) {
    text.list("request");
    text.number("time", time);
    text.key("name", quoted(request.name));
    let params = system.request(request.name).map_or(&[][..], |kind| kind.params);
    for (name, value) in &request.values {
        let param = params.iter().find(|param| param.name == *name);
        text.key(name, shown(value, param));
    }
}

/// Keys in tables of parameters that are not parameters.
const TAKEN: [&str; 6] = ["system", "kind", "style", "clip", "clips", "time"];

/// Parameters by their own names if these are unique, otherwise with their groups.
fn parameters<'v>(
    system: &System,
    values: impl Iterator<Item = (&'v String, &'v Value)> + Clone,
    text: &mut Text,
) {
    let name = |path: &'v String| path.split_once('.').map_or(path.as_str(), |(_, name)| name);
    let taken = |name: &str| TAKEN.contains(&name) || system.groups.iter().any(|group| group.name == name);
    let own = values.clone().all(|(path, _)| !taken(name(path)) && system.param(name(path)).is_some());
    for (path, value) in values {
        let shown = shown(value, system.param(path).map(|(_, param)| param));
        text.key(if own { name(path) } else { path }, shown);
    }
}

fn push(plan: &PushPlan, text: &mut Text) {
    text.list("push");
    text.number("time", plan.time);
    text.number("seconds", plan.seconds);
    text.key("body", quoted(&plan.part.to_string()));
    match plan.strength {
        Strength::Impulse(impulse) => text.vector("impulse", impulse),
        Strength::PerMass { direction, impulse } => {
            text.key("direction", degrees(direction));
            text.number("strength", impulse);
        }
    }
}

fn change(plan: &ChangePlan, text: &mut Text) {
    text.list("change");
    text.number("time", plan.time);
    text.number("seconds", plan.seconds);
    text.key("limb", quoted(plan.limb.name()));
    let (key, value) = match plan.reshape {
        Reshape::Load(mass) => ("load", mass),
        Reshape::Scale(factor) => ("scale", factor),
        Reshape::Grow(factor) => ("grow", factor),
        Reshape::Lengthen(factor) => ("lengthen", factor),
        Reshape::Weigh(factor) => ("weigh", factor),
    };
    text.number(key, value);
}

/// A value as it stands in files, where parameters of unit `°` are in degrees.
fn shown(value: &Value, param: Option<&Param>) -> String {
    match value {
        Value::Number(x) if param.is_some_and(|param| param.scale() != 1.0) => degrees(*x),
        Value::Number(x) => format!("{x:?}"),
        Value::Flag(yes) => yes.to_string(),
        Value::Name(name) => quoted(name),
        Value::Numbers(list) => format!("{list:?}"),
    }
}

/// The shortest number of degrees that is read as this angle.
pub(super) fn degrees(angle: f64) -> String {
    let near = angle.to_degrees();
    let same = |text: &String| text.parse().is_ok_and(|d: f64| d.to_radians() == angle);
    let short = (0..17).map(|digits| format!("{near:.digits$}")).find(same);
    let neighbours = [near, near.next_up(), near.next_down()];
    let long = || neighbours.into_iter().map(|d| format!("{d:?}")).find(same);
    short.or_else(long).unwrap_or_else(|| format!("{near:?}"))
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => drop(write!(quoted, "\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Lines of TOML.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn key(&mut self, key: &str, value: impl Display) {
        // writing into a text cannot fail
        let _ = writeln!(self.0, "{key} = {value}");
    }

    pub(super) fn number(&mut self, key: &str, value: f64) {
        self.key(key, format_args!("{value:?}"));
    }

    pub(super) fn numbers(&mut self, key: &str, values: &[f64]) {
        self.key(key, format_args!("{values:?}"));
    }

    pub(super) fn vector(&mut self, key: &str, v: Vec3) {
        self.numbers(key, v.as_slice());
    }

    pub(super) fn table(&mut self, name: &str) {
        let _ = writeln!(self.0, "\n[{name}]");
    }

    pub(super) fn list(&mut self, name: &str) {
        let _ = writeln!(self.0, "\n[[{name}]]");
    }
}
