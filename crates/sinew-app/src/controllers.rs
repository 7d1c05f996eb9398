//! `sinew controllers`: lists controllers with their parameters, styles, requests and signals, from the registry.

use crate::cli::ControllersArgs;
use crate::inspect::table;
use crate::{Verdict, output};
use anyhow::{Result, anyhow};
use serde::Serialize;
use sinew::control::{Clips, Kind, Order, Param, Registry, Stage, System, Value, Wants};
use sinew::dynamics::characters;
use sinew_studio::protocol::catalogue::SystemOf;
use std::fmt::Write as _;
use std::sync::Arc;

/// A system, and the world settings that it wants.
#[derive(Serialize)]
struct Described {
    #[serde(flatten)]
    system: SystemOf,
    needs: Vec<&'static str>,
    /// What it knows besides what could be sensed.
    knows: Vec<&'static str>,
    world: World,
}

/// What it prefers, unless a scenario says otherwise.
#[derive(Serialize)]
struct World {
    step: f64,
    step_at_most: f64,
    contact: String,
    contacts: &'static str,
    integrator: String,
}

/// The verb.
pub(crate) fn run(args: &ControllersArgs) -> Result<Verdict> {
    let registry = Registry::built_in();
    let systems: Vec<&'static System> = match &args.name {
        Some(name) => vec![registry.get(name).ok_or_else(|| unknown(&registry, name))?],
        None => registry.iter().collect(),
    };
    let text = match (args.json, &args.name) {
        (true, None) => output::json(&systems.iter().map(|s| describe(s)).collect::<Result<Vec<_>>>()?)?,
        (true, Some(_)) => output::json(&describe(systems[0])?)?,
        (false, None) => list(&systems)?,
        (false, Some(_)) => page(systems[0])?,
    };
    output::emit(args.out.as_deref(), &text)?;
    Ok(Verdict::Good)
}

/// An error for an unknown name, with the nearest one.
pub(crate) fn unknown(registry: &Registry, name: &str) -> anyhow::Error {
    let names = registry.names();
    let near = names.iter().map(|known| (strsim::damerau_levenshtein(name, known), known)).min();
    match near.filter(|(distance, _)| *distance <= 1 + name.len() / 3) {
        Some((_, near)) => anyhow!("there is no controller `{name}`; did you mean `{near}`?"),
        None => anyhow!("there is no controller `{name}`; controllers are {}", names.join(", ")),
    }
}

fn wants(system: &'static System) -> Result<Wants> {
    Ok((system.wants)(&Order::new(system, Arc::new(characters::load("human")?))))
}

fn describe(system: &'static System) -> Result<Described> {
    let wants = wants(system)?;
    let world = World {
        step: wants.step,
        step_at_most: wants.step_at_most,
        contact: wants.contact.to_string(),
        contacts: wants.contacts.name(),
        integrator: wants.integrator.to_string(),
    };
    Ok(Described { system: SystemOf::of(system), needs: needs(system), knows: knows(&wants), world })
}

fn needs(system: &System) -> Vec<&'static str> {
    let clips = match system.needs.clips {
        Clips::None | Clips::Any => None,
        Clips::One => Some("a clip"),
        Clips::Library => Some("clips"),
    };
    let parts = [clips, system.needs.feet.then_some("two feet"), system.needs.hands.then_some("two hands")];
    parts.into_iter().flatten().collect()
}

fn knows(wants: &Wants) -> Vec<&'static str> {
    let peeks = wants.peeks;
    [
        (peeks.contact_forces, "contact forces of the coming step"),
        (peeks.outside, "external forces"),
        (peeks.law, "contact forces of the same step, by a law that is solved with the contacts"),
    ]
    .into_iter()
    .filter_map(|(known, words)| known.then_some(words))
    .collect()
}

fn or_dash(words: &[&str]) -> String {
    if words.is_empty() { "–".to_owned() } else { words.join(", ") }
}

/// All systems, a line each.
fn list(systems: &[&'static System]) -> Result<String> {
    let mut table = table(&["controller", "needs", "knows besides what it senses", "step ms", ""]);
    for system in systems {
        let wants = wants(system)?;
        let step = format!("{}", milliseconds(wants.step));
        let (needs, knows) = (or_dash(&needs(system)), or_dash(&knows(&wants)));
        table.add_row([system.name.to_owned(), needs, knows, step, system.about.to_owned()]);
    }
    Ok(format!("{table}\n\n`sinew controllers NAME` shows parameters, styles, requests and signals.\n"))
}

/// One system, whole.
fn page(system: &'static System) -> Result<String> {
    let wants = wants(system)?;
    let mut text = format!("{}: {}\n", system.name, system.about);
    if !system.paper.is_empty() {
        writeln!(text, "{}", system.paper)?;
    }
    writeln!(text, "\nneeds      {}", or_dash(&needs(system)))?;
    writeln!(text, "knows      {}", or_dash(&knows(&wants)))?;
    writeln!(
        text,
        "world      step {} ms (at most {}), {}, {}",
        milliseconds(wants.step),
        milliseconds(wants.step_at_most),
        wants.contact,
        wants.integrator
    )?;
    let names: Vec<&str> = system.styles.iter().map(|style| style.name).collect();
    writeln!(text, "styles     {}", or_dash(&names))?;
    for group in system.groups {
        writeln!(text, "\n{}: {}\n{}", group.name, group.about, params(group.params))?;
    }
    for request in system.requests {
        writeln!(text, "\nrequest `{}`: {}\n{}", request.name, request.about, params(request.params))?;
    }
    let mut signals = table(&["signal", "unit", ""]);
    for signal in system.signals() {
        signals.add_row([signal.name, signal.unit, signal.about]);
    }
    if system.signals().next().is_some() {
        writeln!(text, "\ncolumns in recordings\n{signals}")?;
    }
    Ok(text)
}

fn params(params: &[Param]) -> String {
    let mut table = table(&["parameter", "default", "takes", "unit", ""]);
    for param in params {
        let takes = match param.kind {
            Kind::Number { .. } => {
                param.wants(&Value::Flag(true)).map_or_else(String::new, |w| w.replace("a number ", ""))
            }
            _ => param.wants(&Value::Number(f64::NAN)).unwrap_or_default(),
        };
        let default = match param.default() {
            Value::Number(x) => Value::Number((1e9 * x / param.scale()).round() / 1e9).to_string(),
            other => other.to_string(),
        };
        let about = match param.stage {
            Stage::Live => param.about.to_owned(),
            Stage::Build => format!("{} (rebuilds the controller)", param.about),
            Stage::Prepare => format!("{} (needs a new preparation)", param.about),
        };
        table.add_row([param.name.to_owned(), default, takes, param.unit.to_owned(), about]);
    }
    table.to_string()
}

/// A time in ms, to four digits.
fn milliseconds(seconds: f64) -> f64 {
    (1e7 * seconds).round() / 1e4
}
