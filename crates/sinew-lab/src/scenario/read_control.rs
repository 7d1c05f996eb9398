//! Reads the controller of a scenario: `[controller]`, `[[set]]`, `[[request]]`, according to the system's declaration.

use super::BodyPlan;
use super::plan::{ControllerPlan, Setting};
use super::read::{Read, in_order};
use super::table::{Item, Table, unknown};
use sinew_control::{Group, Kind, Param, Parameters, Registry, Request, RequestKind, Style, System, Value};
use sinew_world::range;

/// `controller = "walker"`, or a table with `system`, `style`, clips and parameters.
pub(super) fn controller(top: &Table<'_>, registry: &Registry) -> Read<ControllerPlan> {
    let usual = || ControllerPlan::new(registry.usual());
    let Some(value) = top.get("controller") else { return Ok(usual()) };
    if !value.get_ref().is_table() {
        let name = top.choice("controller", &registry.names())?;
        return Ok(name.and_then(|name| registry.get(&name)).map_or_else(usual, ControllerPlan::new));
    }
    let table = top.as_table("controller", value)?;
    table.renamed("kind", "write `system`")?;
    let system = table.choice("system", &registry.names())?.and_then(|name| registry.get(&name));
    let mut plan = system.map_or_else(usual, ControllerPlan::new);
    plan.style = style(&table, plan.system)?;
    plan.clips.extend(table.text("clip")?.map(Into::into));
    plan.clips.extend(table.texts("clips")?.into_iter().flatten().map(Into::into));
    parameters(&table, plan.system, |path, value| drop(plan.values.insert(path, value)))?;
    Ok(plan)
}

fn style(table: &Table<'_>, system: &'static System) -> Read<Option<&'static Style>> {
    let names: Vec<&str> = system.styles.iter().map(|style| style.name).collect();
    match table.get("style") {
        Some(value) if names.is_empty() => {
            Err(table.error(Some(value), format!("a {} has no styles", system.name)))
        }
        _ => Ok(table.choice("style", &names)?.and_then(|name| system.style(&name))),
    }
}

/// All keys that were not read yet: a group with a table of its parameters, or a parameter by its own name.
fn parameters(table: &Table<'_>, system: &'static System, mut put: impl FnMut(String, Value)) -> Read<()> {
    for item in table.rest() {
        let name = item.name();
        if let Some(group) = system.groups.iter().find(|group| group.name == name) {
            let inner = table.as_table(name, item.value())?;
            for item in inner.rest() {
                put(path(group, known(&inner, group.params, &item)?), of(&inner, group.params, &item)?);
            }
        } else if let Some((group, param)) = system.param(name) {
            put(path(group, param), value(table, param, &item)?);
        } else {
            let groups = system.groups.iter();
            let names: Vec<&str> =
                groups.flat_map(|g| g.params.iter().map(|p| p.name).chain([g.name])).collect();
            return Err(
                table.error_at(&item, unknown(&format!("parameter of a {}", system.name), name, &names))
            );
        }
    }
    Ok(())
}

fn path(group: &Group, param: &Param) -> String {
    format!("{}.{}", group.name, param.name)
}

fn known<'p>(table: &Table<'_>, params: &'p [Param], item: &Item<'_>) -> Read<&'p Param> {
    let names: Vec<&str> = params.iter().map(|p| p.name).collect();
    let found = params.iter().find(|p| p.name == item.name());
    found.ok_or_else(|| table.error_at(item, unknown("parameter", item.name(), &names)))
}

fn of(table: &Table<'_>, params: &[Param], item: &Item<'_>) -> Read<Value> {
    value(table, known(table, params, item)?, item)
}

/// The value of a parameter, in its range.
fn value(table: &Table<'_>, param: &Param, item: &Item<'_>) -> Read<Value> {
    let value = match param.kind {
        Kind::Number { .. } => table.item_number(item).map(|x| Value::Number(x * param.scale())),
        Kind::Flag { .. } => item.value().get_ref().as_bool().map(Value::Flag),
        Kind::Choice { .. } => item.value().get_ref().as_str().map(|name| Value::Name(name.to_owned())),
        Kind::Numbers { .. } => table.item_list(item).map(Value::Numbers),
    };
    // a value of another kind gets the same error
    match param.wants(value.as_ref().unwrap_or(&Value::Numbers(vec![f64::NAN]))) {
        None => Ok(value.unwrap_or_else(|| param.default())),
        Some(wanted) => Err(table.wrong(item.name(), item.value(), &wanted)),
    }
}

/// `[body]`: changes to the body relative to its file.
pub(super) fn body(top: &Table<'_>) -> Read<BodyPlan> {
    let mut body = BodyPlan::default();
    let Some(table) = top.table("body")? else { return Ok(body) };
    for item in table.rest() {
        let param = known(&table, BodyPlan::PARAMS, &item)?;
        body.set_value(param.name, &value(&table, param, &item)?);
    }
    Ok(body)
}

/// Parameters and styles over time.
pub(super) fn settings(top: &Table<'_>, system: &'static System) -> Read<Vec<(f64, Setting)>> {
    top.renamed("gait", "write `[[set]]`")?;
    let (mut settings, mut before) = (Vec::new(), None);
    for table in top.tables("set")? {
        let time = table.number("time", &range::TIME)?.unwrap_or(0.0);
        in_order(&table, time, before)?;
        settings.extend(style(&table, system)?.map(|style| (time, Setting::Style(style))));
        parameters(&table, system, |path, value| settings.push((time, Setting::Value(path, value))))?;
        before = Some(time);
    }
    Ok(settings)
}

/// Requests over time: `[[request]]` with the `name` of a request that the system takes.
pub(super) fn requests(
    top: &Table<'_>,
    system: &'static System,
    registry: &Registry,
) -> Read<Vec<(f64, Request)>> {
    for kind in registry.iter().flat_map(|system| system.requests) {
        top.renamed(kind.name, &format!("write `[[request]]` with `name = \"{}\"`", kind.name))?;
    }
    let mut requests: Vec<(f64, Request)> = Vec::new();
    for table in top.tables("request")? {
        let time = table.number("time", &range::TIME)?.unwrap_or(0.0);
        in_order(&table, time, requests.last().map(|(time, _)| *time))?;
        requests.push((time, request(&table, system, registry)?));
    }
    Ok(requests)
}

fn request(table: &Table<'_>, system: &'static System, registry: &Registry) -> Read<Request> {
    let taken: Vec<&str> = system.requests.iter().map(|kind| kind.name).collect();
    let Some(name) = table.text("name")? else {
        return Err(
            table.error(None, format!("a request has a `name`; a {} takes: {}", system.name, list(&taken)))
        );
    };
    let Some(kind) = system.request(&name) else {
        let other = registry.that_takes(&name);
        let problem = match other {
            Some(other) => format!(
                "a {} takes no request `{name}`; write `controller = \"{}\"`",
                system.name, other.name
            ),
            None => unknown("request", &name, &taken),
        };
        return Err(table.error(table.get("name"), problem));
    };
    fill(table, kind)
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn fill(table: &Table<'_>, kind: &'static RequestKind) -> Read<Request> {
    let mut request = Request::new(kind);
    for item in table.rest() {
        let param = known(table, kind.params, &item)?;
        let value = value(table, param, &item)?;
        request = kind.with(request, param.name, value).map_err(|e| table.error_at(&item, e.to_string()))?;
    }
    Ok(request)
}
