//! From bytes to a scenario, and what must hold of it.

use sinew_dynamics::Model;
use sinew_lab::{Scenario, Simulation};
use sinew_world::range::{self, Range};
use std::fmt::Write;
use std::sync::Arc;

/// Choices out of bytes; zeros when they have come to an end.
struct Dice<'b>(std::slice::Iter<'b, u8>);

impl Dice<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn chance(&mut self, of: u8) -> bool {
        self.byte() < of
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.byte() as usize % of.len()]
    }

    /// A number of a range: within, at an end, near 0, or beyond.
    fn number(&mut self, range: &Range) -> f64 {
        let share = f64::from(u16::from_le_bytes([self.byte(), self.byte()])) / 65535.0;
        match self.byte() % 16 {
            0 => range.least,
            1 => range.most,
            2 => range.most * (1.0 + share),
            3 => range.least - share,
            4 => 1e300 * share,
            5 => f64::NAN,
            6..=8 => range.least + share * share * share * (range.most - range.least),
            // what people mean is small
            _ => (range.least.max(-2.0)) + share * (range.most.min(2.0) - range.least.max(-2.0)),
        }
    }

    fn numbers(&mut self, range: &Range, count: usize) -> String {
        let list: Vec<String> = (0..count).map(|_| shown(self.number(range))).collect();
        format!("[{}]", list.join(", "))
    }
}

fn shown(x: f64) -> String {
    if x.is_nan() { "nan".to_owned() } else { format!("{x:?}") }
}

/// A scenario of a second at most.
fn text(dice: &mut Dice<'_>) -> String {
    let mut out = String::new();
    let characters = ["human", "child", "ostrich", "walker2d", "human29", "acrobot", "nobody"];
    let _ = writeln!(out, "seconds = 1.0\ncharacter = \"{}\"", dice.one(&characters));
    let _ = writeln!(out, "seed = {}", dice.byte());
    if dice.chance(60) {
        let _ = writeln!(out, "jitter = {}", dice.numbers(&range::JITTER, 2));
    }
    let _ = writeln!(out, "controller = \"{}\"", dice.one(&["walker", "balancer", "jumper", "limp", "none"]));
    if dice.chance(100) {
        let _ = writeln!(out, "[body]");
        for name in ["legs", "arms", "head", "load", "strength", "friction", "gravity"] {
            if dice.chance(60) {
                let _ = writeln!(out, "{name} = {}", shown(dice.number(&Range::new("", "", 0.0, 20.0))));
            }
        }
    }
    if dice.chance(100) {
        let _ = writeln!(out, "[world]\ncontact = \"{}\"", dice.one(&["rigid", "springs"]));
        if dice.chance(128) {
            let _ = writeln!(out, "step = {}", shown(dice.number(&Range::new("", "", 2e-4, 0.02))));
        }
        if dice.chance(80) {
            let _ = writeln!(out, "sides = {}", dice.byte() % 70);
        }
        for (key, range) in [("stiffness", &range::STIFFNESS), ("damping", &range::DAMPING)] {
            if dice.chance(60) {
                let _ = writeln!(out, "{key} = {}", shown(dice.number(range)));
            }
        }
    }
    if dice.chance(160) {
        let kinds = ["flat", "slope", "stairs", "ledges", "platform", "course"];
        let _ = writeln!(out, "[terrain]\nkind = \"{}\"", dice.one(&kinds));
        for (key, range) in [
            ("friction", &range::FRICTION),
            ("start", &range::START),
            ("pitch", &range::PITCH),
            ("run", &range::TREAD),
            ("rise", &range::RISE),
            ("height", &range::RISE),
            ("length", &range::TREAD),
            ("frequency", &range::FREQUENCY),
            ("difficulty", &range::DIFFICULTY),
        ] {
            if dice.chance(40) {
                let _ = writeln!(out, "{key} = {}", shown(dice.number(range)));
            }
        }
        if dice.chance(60) {
            let _ = writeln!(out, "amplitude = {}", dice.numbers(&range::AMPLITUDE, 3));
        }
    }
    for _ in 0..dice.byte() % 3 {
        let _ = writeln!(out, "[[push]]\ntime = {}", shown(dice.number(&Range::new("", "", 0.0, 1.0))));
        let _ = writeln!(out, "seconds = {}", shown(dice.number(&range::PUSH_SPAN)));
        if dice.chance(128) {
            let _ = writeln!(out, "impulse = {}", dice.numbers(&range::IMPULSE, 3));
        } else {
            let _ = writeln!(out, "direction = {}", shown(dice.number(&range::DIRECTION)));
            let _ = writeln!(out, "strength = {}", shown(dice.number(&range::STRENGTH)));
        }
    }
    for _ in 0..dice.byte() % 3 {
        let _ = writeln!(
            out,
            "[[object]]\nkind = \"{}\"",
            dice.one(&["box", "ball", "seesaw", "bar", "barbell"])
        );
        let _ = writeln!(out, "at = {}", dice.numbers(&range::PLACE, 3));
        let _ = writeln!(out, "velocity = {}", dice.numbers(&range::MOVEMENT, 3));
        for (key, range) in [("mass", &range::MASS), ("radius", &range::SIZE), ("length", &range::SIZE)] {
            if dice.chance(40) {
                let _ = writeln!(out, "{key} = {}", shown(dice.number(range)));
            }
        }
        let _ = writeln!(out, "held = \"{}\"", dice.one(&["nothing", "world", "hands", "world and hands"]));
    }
    for _ in 0..dice.byte() % 2 {
        let _ = writeln!(
            out,
            "[[change]]\nlimb = \"{}\"",
            dice.one(&["arms", "legs", "leg_left", "trunk", "head"])
        );
        let _ = writeln!(out, "time = {}", shown(dice.number(&Range::new("", "", 0.0, 1.0))));
        match dice.chance(128) {
            true => drop(writeln!(out, "load = {}", shown(dice.number(&range::LOAD)))),
            false => {
                let key = dice.one(&["scale", "grow", "lengthen", "weigh"]);
                let _ = writeln!(out, "{key} = {}", shown(dice.number(&range::FACTOR)));
            }
        }
    }
    let mut time = 0.0;
    for _ in 0..dice.byte() % 3 {
        let _ = writeln!(out, "[[command]]\ntime = {}", shown(time));
        let _ = writeln!(out, "velocity = {}", dice.numbers(&range::SPEED, 2));
        let _ = writeln!(out, "heading = {}", shown(dice.number(&range::DIRECTION)));
        time += 0.3;
    }
    if dice.chance(40) {
        let _ = writeln!(
            out,
            "[outputs]\nrecording = \"{}\"",
            dice.one(&["a.npz", "../a.npz", "/a.npz", "a.txt"])
        );
    }
    out
}

/// Takes an input.
pub(crate) fn run(input: &[u8]) {
    let text = match input {
        [0xFF, rest @ ..] => match core::str::from_utf8(rest) {
            Ok(text) => text.to_owned(),
            Err(_) => return,
        },
        choices => text(&mut Dice(choices.iter())),
    };
    let mut scenario = match Scenario::parse(&text, "fuzz.toml") {
        Ok(scenario) => scenario,
        Err(problem) => {
            assert!(
                problem.to_string().starts_with("fuzz.toml:") && problem.to_string().len() < 1500,
                "{problem}"
            );
            return;
        }
    };
    assert_eq!(Scenario::parse(&scenario.to_toml(), "again.toml").as_ref(), Ok(&scenario), "{text}");
    scenario.seconds = scenario.seconds.min(1.0);
    let Ok(model): Result<Arc<Model>, _> = scenario.built_in() else { return };
    let Ok(mut simulation) = Simulation::new(scenario, model) else { return };
    // a step of a fifth of a millisecond at least: fewer than 5000
    for _ in 0..5000 {
        if simulation.ended() || simulation.step().is_err() {
            break;
        }
    }
    let actor = &simulation.world().actors()[0];
    assert!(actor.q.iter().chain(&actor.v).all(|x| x.is_finite()), "{text}");
}
