//! Reads the world of a scenario: `[world]`, `[terrain]`, `[[object]]`, `[[platform]]`.

use super::GroundPlan;
use super::plan::ControllerPlan;
use super::read::Read;
use super::table::Table;
use super::things::{Held, PlatformPlan, Thing, ThingPlan};
use sinew_control::WorldPlan;
use sinew_dynamics::characters;
use sinew_dynamics::spatial::Vec3;
use sinew_world::range::{self, Range};
use sinew_world::terrain::Course;
use sinew_world::{Anchor, Cone, ContactModel, Integrator, Path, Penalty};
use std::sync::Arc;

const GROUNDS: &[&str] = &["flat", "slope", "stairs", "ledges", "platform", "course"];
const CONTACTS: &[&str] = &["rigid", "springs"];
const INTEGRATORS: &[&str] = &["euler", "runge-kutta", "runge-kutta-held"];
const THINGS: &[&str] = &["box", "ball", "seesaw", "bar", "barbell"];

/// World settings, and whether the controller moves the body without physics.
pub(super) fn world(top: &Table<'_>, controller: &ControllerPlan) -> Read<(WorldPlan, bool)> {
    top.renamed("step", "write it in `[world]`")?;
    let Some(table) = top.table("world")? else { return Ok((WorldPlan::default(), false)) };
    let integrator = table.choice("integrator", INTEGRATORS)?.map(|name| match name.as_str() {
        "runge-kutta" => Integrator::Rk4,
        "runge-kutta-held" => Integrator::Rk4Held,
        _ => Integrator::SemiImplicitEuler,
    });
    let plan = WorldPlan { step: table.number("step", &range::STEP)?, contact: contact(&table)?, integrator };
    let unphysical = table.flag("unphysical")?.unwrap_or(false);
    table.finish()?;
    // a setting that contradicts a need of the controller is an error at its key; needs do not depend on the body
    let model = Arc::new(characters::load("human").map_err(|e| table.error(None, e.to_string()))?);
    if let Ok(order) = controller.order_without_clips(model) {
        let wants = (order.system.wants)(&order);
        plan.settle(order.system.name, &wants)
            .map_err(|error| table.error(table.get(error.key), error.to_string()))?;
    }
    Ok((plan, unphysical))
}

/// Rigid contacts with a cone, or springs.
fn contact(table: &Table<'_>) -> Read<Option<ContactModel>> {
    let kind = table.choice("contact", CONTACTS)?;
    let sides = table.count("sides", 64)?;
    let usual = Penalty::lee2010();
    let mut said = None;
    let mut spring = |key: &'static str, usual: f64, range: &Range| {
        let number = table.number(key, range)?;
        said = said.or(number.map(|_| key));
        Ok(number.unwrap_or(usual))
    };
    let along = [
        spring("anchor_stiffness", 0.0, &range::STIFFNESS)?,
        spring("anchor_damping", 0.0, &range::DAMPING)?,
    ];
    let anchor = Anchor { stiffness: along[0], damping: along[1] };
    let springs = Penalty {
        anchor: (along != [0.0; 2]).then_some(anchor),
        stiffness: spring("stiffness", usual.stiffness, &range::STIFFNESS)?,
        damping: spring("damping", usual.damping, &range::DAMPING)?,
        lock_speed: spring("lock_speed", usual.lock_speed, &range::LOCK_SPEED)?,
        limit_stiffness: spring("limit_stiffness", usual.limit_stiffness, &range::STIFFNESS)?,
        limit_damping: spring("limit_damping", usual.limit_damping, &range::DAMPING)?,
    };
    match (kind.as_deref(), sides, said) {
        (Some("springs"), None, _) => {
            let zero = [("stiffness", springs.stiffness), ("lock_speed", springs.lock_speed)];
            match zero.iter().find(|(_, x)| *x <= 0.0) {
                Some((key, _)) => Err(table.error(table.get(key), format!("`{key}` must be above 0"))),
                None => Ok(Some(ContactModel::Penalty(springs))),
            }
        }
        (Some("springs"), Some(_), _) => Err(table.error(
            table.get("sides"),
            "`sides` belongs to the friction cone of rigid contacts; leave it out with springs",
        )),
        (_, _, Some(key)) => Err(table.error(
            table.get(key),
            format!("`{key}` belongs to spring contacts; write `contact = \"springs\"`"),
        )),
        (_, Some(1 | 2), None) => {
            Err(table.error(table.get("sides"), "`sides` must be 0 (round) or 3 or more"))
        }
        (None, None, None) => Ok(None),
        (_, sides, None) => {
            let sides = sides.unwrap_or(0) as usize;
            let cone = if sides == 0 { Cone::Exact } else { Cone::Polyhedral { sides } };
            Ok(Some(ContactModel::Complementarity { cone }))
        }
    }
}

/// Objects.
pub(super) fn things(top: &Table<'_>) -> Read<Vec<ThingPlan>> {
    let mut things: Vec<ThingPlan> = Vec::new();
    for table in top.tables("object")? {
        let kind = table.choice("kind", THINGS)?.unwrap_or_else(|| "box".to_owned());
        let name = named(&table, &kind, things.iter().map(|thing| thing.name.as_str()))?;
        let size = || size(&table, [0.4, 0.4, 0.4]);
        let mass = |usual: f64| Ok(table.number("mass", &range::MASS)?.unwrap_or(usual));
        let thing = match kind.as_str() {
            "ball" => Thing::Ball {
                radius: table.number("radius", &range::SIZE)?.unwrap_or(0.15),
                mass: mass(2.0)?,
            },
            "seesaw" => Thing::Seesaw {
                size: self::size(&table, [3.0, 1.0, 0.05])?,
                mass: mass(30.0)?,
                tip: table.number("tip", &range::TIP)?.unwrap_or(12.0).to_radians(),
            },
            "bar" => {
                Thing::Bar { length: table.number("length", &range::SIZE)?.unwrap_or(1.6), mass: mass(5.0)? }
            }
            "barbell" => {
                let bar = table.number("bar", &range::MASS)?.unwrap_or(20.0);
                Thing::Barbell { bar, plate: table.number("plate", &range::MASS)?.unwrap_or(20.0) }
            }
            _ => Thing::Box { size: size()?, mass: mass(5.0)? },
        };
        let held = table.choice("held", Held::NAMES)?;
        let held = held.and_then(|name| Held::NAMES.iter().position(|known| *known == name));
        things.push(ThingPlan {
            name,
            thing,
            at: vector(&table, "at", &range::PLACE)?.unwrap_or(Vec3::new(1.5, 0.0, 1.0)),
            velocity: vector(&table, "velocity", &range::MOVEMENT)?.unwrap_or_default(),
            friction: table.number("friction", &range::FRICTION)?.unwrap_or(0.8),
            held: held.map_or(Held::default(), |k| Held::ALL[k]),
        });
        table.finish()?;
    }
    Ok(things)
}

/// Moving platforms.
pub(super) fn platforms(top: &Table<'_>) -> Read<Vec<PlatformPlan>> {
    let mut platforms: Vec<PlatformPlan> = Vec::new();
    for table in top.tables("platform")? {
        let name = named(&table, "platform", platforms.iter().map(|p| p.name.as_str()))?;
        let size = size(&table, [1.0, 1.0, 0.1])?;
        let at = vector(&table, "at", &range::PLACE)?.unwrap_or(Vec3::new(2.0, 0.0, -0.05));
        let amplitude = vector(&table, "amplitude", &range::AMPLITUDE)?;
        let (velocity, spin) =
            (vector(&table, "velocity", &range::MOVEMENT)?, vector(&table, "spin", &range::MOVEMENT)?);
        let frequency = table.number("frequency", &range::FREQUENCY)?;
        let phase = table.number("phase", &range::DIRECTION)?;
        let steady = velocity.is_some() || spin.is_some();
        if steady && (amplitude.is_some() || frequency.is_some() || phase.is_some()) {
            let problem = "a platform either oscillates (`amplitude`, `frequency`, `phase`) or moves steadily (`velocity`, `spin`)";
            return Err(table.error(None, problem));
        }
        let path = match steady {
            true => Path::Steady {
                position: at,
                velocity: velocity.unwrap_or_default(),
                spin: spin.unwrap_or_default(),
            },
            false => Path::Harmonic {
                centre: at,
                amplitude: amplitude.unwrap_or_default(),
                frequency: frequency.unwrap_or(0.5),
                phase: phase.unwrap_or(0.0).to_radians(),
            },
        };
        let friction = table.number("friction", &range::FRICTION)?.unwrap_or(1.0);
        platforms.push(PlatformPlan { name, size, path, friction });
        table.finish()?;
    }
    Ok(platforms)
}

/// The name of an object; by default its kind and number.
fn named<'a>(table: &Table<'_>, kind: &str, taken: impl Iterator<Item = &'a str>) -> Read<String> {
    let taken: Vec<&str> = taken.collect();
    let usual = || match taken.len() {
        0 => kind.to_owned(),
        k => format!("{kind} {}", k + 1),
    };
    let name = table.text("name")?.unwrap_or_else(usual);
    match taken.contains(&name.as_str()) {
        true => {
            Err(table
                .error(table.get("name"), format!("there is a \"{name}\" already; give it another `name`")))
        }
        false => Ok(name),
    }
}

fn size(table: &Table<'_>, usual: [f64; 3]) -> Read<Vec3> {
    Ok(Vec3::from(table.numbers("size", &range::SIZE)?.unwrap_or(usual)))
}

/// Three numbers in a range.
fn vector(table: &Table<'_>, key: &'static str, range: &Range) -> Read<Option<Vec3>> {
    Ok(table.numbers::<3>(key, range)?.map(Vec3::from))
}

/// The ground, and whether the controller does not see it.
pub(super) fn ground(table: Table<'_>) -> Read<(GroundPlan, bool)> {
    let kind = table.choice("kind", GROUNDS)?;
    let friction = |table: &Table<'_>| Ok(table.number("friction", &range::FRICTION)?.unwrap_or(1.0));
    let start = |table: &Table<'_>| Ok(table.number("start", &range::START)?.unwrap_or(2.0));
    let plan = match kind.as_deref() {
        Some("slope") => GroundPlan::Slope {
            start: start(&table)?,
            pitch: table.number("pitch", &range::PITCH)?.unwrap_or(5.0).to_radians(),
            friction: friction(&table)?,
        },
        Some("stairs") => GroundPlan::Stairs {
            start: start(&table)?,
            run: table.number("run", &range::TREAD)?.unwrap_or(0.3),
            rise: table.number("rise", &range::RISE)?.unwrap_or(0.1),
            steps: table.count("steps", 10_000)?.unwrap_or(6) as usize,
            friction: friction(&table)?,
        },
        Some("ledges") => GroundPlan::Ledges {
            start: start(&table)?,
            height: table.number("height", &range::RISE)?.unwrap_or(0.03),
            length: table.number("length", &range::TREAD)?.unwrap_or(1.5),
            count: table.count("count", 10_000)?.unwrap_or(4) as usize,
            friction: friction(&table)?,
        },
        Some("platform") => GroundPlan::Platform {
            amplitude: Vec3::from(table.numbers("amplitude", &range::AMPLITUDE)?.unwrap_or([0.1, 0.0, 0.0])),
            frequency: table.number("frequency", &range::FREQUENCY)?.unwrap_or(0.5),
            friction: friction(&table)?,
        },
        Some("course") => {
            let course = table.choice("course", &Course::NAMES)?.and_then(|name| Course::named(&name));
            let difficulty = table.number("difficulty", &range::DIFFICULTY)?.unwrap_or(0.5);
            GroundPlan::Course { course: course.unwrap_or(Course::Mixed), difficulty }
        }
        _ => GroundPlan::Flat { friction: friction(&table)? },
    };
    let unseen = table.flag("unseen")?.unwrap_or(false);
    table.finish()?;
    Ok((plan, unseen))
}
