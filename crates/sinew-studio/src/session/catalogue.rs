//! What there is to choose from, for the page's first message.

use super::body::{BodyPlan, Slider};
use super::driver::CONTROLLERS;
use super::setup::{STANCE, TERRAINS, gait_range};
use crate::protocol::VERSION;
use crate::protocol::server::Hello;
use crate::protocol::server::StyleOf;
use sinew::control::features::Gait;
use sinew::control::features::Style;
use sinew::dynamics::characters;
use sinew::motion::motions;

/// Parameters of the gait that say something to everybody: name, what is written, unit. The others follow.
const FIRST: [(&str, &str, &str); 9] = [
    ("step_time", "step time", "√(leg/g)"),
    ("lift", "foot lift", "leg"),
    ("spread", "stance width", "leg"),
    ("height", "hip height", "×"),
    ("lean", "lean", "rad"),
    ("nod", "nod", "rad"),
    ("drop", "vault", ""),
    ("double_support", "double support", ""),
    ("heel_off", "heel off", ""),
];

/// The first message.
pub fn hello(token: &str, resumed: bool) -> Hello {
    Hello {
        protocol: VERSION,
        version: env!("CARGO_PKG_VERSION"),
        token: token.to_owned(),
        resumed,
        characters: characters::names().map(str::to_owned).collect(),
        controllers: CONTROLLERS.to_vec(),
        styles: Style::ALL.iter().map(|s| StyleOf { name: s.name, gait: s.changes }).collect(),
        terrains: TERRAINS.to_vec(),
        gait: gait(),
        stance: STANCE.to_vec(),
        body: BodyPlan::SLIDERS.to_vec(),
        motions: motions::names().collect(),
    }
}

fn gait() -> Vec<Slider> {
    let usual = Gait::default();
    let first = FIRST.iter().copied();
    let others = Gait::NAMES.iter().filter(|n| !FIRST.iter().any(|(f, ..)| f == *n)).map(|n| (*n, *n, ""));
    let slider = |(name, label, unit): (&'static str, &'static str, &'static str)| {
        let default = usual.get(name)?;
        let [min, max] = gait_range(name, default);
        let step = 10_f64.powf(((max - min) / 200.0).log10().floor());
        Some(Slider { name, label, min, max, step, default, unit })
    };
    first.chain(others).filter_map(slider).collect()
}
