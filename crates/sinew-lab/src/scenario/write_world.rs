//! Writes the world of a scenario: `[world]`, `[terrain]`, `[[object]]`, `[[platform]]`.

use super::things::{PlatformPlan, Thing, ThingPlan};
use super::write::{Text, degrees, quoted};
use super::{GroundPlan, Scenario};
use sinew_control::WorldPlan;
use sinew_world::{Cone, ContactModel, Integrator, Path};

pub(super) fn world(scenario: &Scenario, text: &mut Text) {
    let Scenario { world, unphysical, ground, unseen, .. } = scenario;
    if *unphysical || *world != WorldPlan::default() {
        text.table("world");
        steps(world, text);
        if *unphysical {
            text.key("unphysical", true);
        }
    }
    if *unseen || *ground != GroundPlan::default() {
        text.table("terrain");
        self::ground(ground, text);
        if *unseen {
            text.key("unseen", true);
        }
    }
    scenario.things.iter().for_each(|plan| thing(plan, text));
    scenario.platforms.iter().for_each(|plan| platform(plan, text));
}

fn steps(plan: &WorldPlan, text: &mut Text) {
    plan.step.iter().for_each(|step| text.number("step", *step));
    match plan.contact {
        Some(ContactModel::Complementarity { cone }) => {
            text.key("contact", quoted("rigid"));
            if let Cone::Polyhedral { sides } = cone {
                text.key("sides", sides);
            }
        }
        Some(ContactModel::Penalty(springs)) => {
            text.key("contact", quoted("springs"));
            text.number("stiffness", springs.stiffness);
            text.number("damping", springs.damping);
            text.number("lock_speed", springs.lock_speed);
            text.number("limit_stiffness", springs.limit_stiffness);
            text.number("limit_damping", springs.limit_damping);
            if let Some(anchor) = springs.anchor {
                text.number("anchor_stiffness", anchor.stiffness);
                text.number("anchor_damping", anchor.damping);
            }
        }
        _ => {}
    }
    plan.integrator.iter().for_each(|integrator| {
        let name = match integrator {
            Integrator::SemiImplicitEuler => "euler",
            Integrator::Rk4 => "runge-kutta",
            Integrator::Rk4Held => "runge-kutta-held",
        };
        text.key("integrator", quoted(name));
    });
}

fn ground(plan: &GroundPlan, text: &mut Text) {
    let kind = |text: &mut Text, name: &str| text.key("kind", quoted(name));
    match *plan {
        GroundPlan::Flat { friction } => {
            kind(text, "flat");
            text.number("friction", friction);
        }
        GroundPlan::Slope { start, pitch, friction } => {
            kind(text, "slope");
            text.number("start", start);
            text.key("pitch", degrees(pitch));
            text.number("friction", friction);
        }
        GroundPlan::Stairs { start, run, rise, steps, friction } => {
            kind(text, "stairs");
            text.number("start", start);
            text.number("run", run);
            text.number("rise", rise);
            text.key("steps", steps);
            text.number("friction", friction);
        }
        GroundPlan::Ledges { start, height, length, count, friction } => {
            kind(text, "ledges");
            text.number("start", start);
            text.number("height", height);
            text.number("length", length);
            text.key("count", count);
            text.number("friction", friction);
        }
        GroundPlan::Platform { amplitude, frequency, friction } => {
            kind(text, "platform");
            text.vector("amplitude", amplitude);
            text.number("frequency", frequency);
            text.number("friction", friction);
        }
        GroundPlan::Course { course, difficulty } => {
            kind(text, "course");
            text.key("course", quoted(course.name()));
            text.number("difficulty", difficulty);
        }
    }
}

fn thing(plan: &ThingPlan, text: &mut Text) {
    text.list("object");
    text.key("name", quoted(&plan.name));
    let kind = |text: &mut Text, name: &str| text.key("kind", quoted(name));
    match plan.thing {
        Thing::Box { size, mass } => {
            kind(text, "box");
            text.vector("size", size);
            text.number("mass", mass);
        }
        Thing::Ball { radius, mass } => {
            kind(text, "ball");
            text.number("radius", radius);
            text.number("mass", mass);
        }
        Thing::Seesaw { size, mass, tip } => {
            kind(text, "seesaw");
            text.vector("size", size);
            text.number("mass", mass);
            text.key("tip", degrees(tip));
        }
        Thing::Bar { length, mass } => {
            kind(text, "bar");
            text.number("length", length);
            text.number("mass", mass);
        }
        Thing::Barbell { bar, plate } => {
            kind(text, "barbell");
            text.number("bar", bar);
            text.number("plate", plate);
        }
    }
    text.vector("at", plan.at);
    text.vector("velocity", plan.velocity);
    text.number("friction", plan.friction);
    text.key("held", quoted(plan.held.name()));
}

fn platform(plan: &PlatformPlan, text: &mut Text) {
    text.list("platform");
    text.key("name", quoted(&plan.name));
    text.vector("size", plan.size);
    match plan.path {
        Path::Steady { position, velocity, spin } => {
            text.vector("at", position);
            text.vector("velocity", velocity);
            text.vector("spin", spin);
        }
        Path::Harmonic { centre, amplitude, frequency, phase } => {
            text.vector("at", centre);
            text.vector("amplitude", amplitude);
            text.number("frequency", frequency);
            text.key("phase", degrees(phase));
        }
    }
    text.number("friction", plan.friction);
}
