//! Limbs that grow while the body stands and walks.
//!
//! In three ways: *lengths* (bones and masses by a factor, thickness kept), *masses* (shape kept), *sizes* (all lengths by a factor at
//! constant density, so that masses grow by its cube). Torque limits stay as they are. A ladder of factors is climbed: what counts is the
//! greatest one such that it and all before it are borne, standing and walking.

use super::{cases, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::scenario::{ChangePlan, Limb, Reshape};
use crate::{Audited, LabError, Scenario};

const FACTORS: [f64; 4] = [1.25, 1.5, 1.75, 2.0];

/// A limb, and the factors of length, mass and size that it must bear.
const LIMBS: [(&str, Limb, [f64; 3]); 4] = [
    ("arms", Limb::Arms, [1.5, 2.0, 1.5]),
    ("legs", Limb::Legs, [1.5, 2.0, 1.25]),
    ("trunk", Limb::Trunk, [2.0, 2.0, 1.5]),
    ("head", Limb::Head, [2.0, 2.0, 1.5]),
];

/// A change by a factor.
type Growth = fn(f64) -> Reshape;

/// In which ways.
const WAYS: [(&str, Growth); 3] =
    [("lengths", Reshape::Lengthen), ("masses", Reshape::Weigh), ("sizes", Reshape::Scale)];

const HOWS: [(&str, f64); 2] = [("standing", 0.0), ("walking", 0.8)];

/// A run: limb, way, how, factor.
type Place = (usize, usize, usize, f64);

pub(super) fn limbs(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let (from, seconds, after) = (3.0, context.pick(10.0, 4.0), context.pick(12.0, 3.0));
    let mut places: Vec<Place> = Vec::new();
    for (limb, (.., bars)) in LIMBS.iter().enumerate() {
        for (way, bar) in bars.iter().enumerate() {
            // quick: nothing but what must be borne
            let factors = FACTORS.iter().filter(|f| !context.quick || **f == *bar);
            places.extend(factors.flat_map(|f| (0..HOWS.len()).map(move |how| (limb, way, how, *f))));
        }
    }
    let scenario = |&(limb, way, how, factor): &Place| {
        let reshape = WAYS[way].1(factor);
        let change = ChangePlan { time: from, seconds, limb: LIMBS[limb].1, reshape };
        let name = format!("{}, {} by {factor}, {}", LIMBS[limb].0, WAYS[way].0, HOWS[how].0);
        Scenario { changes: vec![change], ..walk(name, HOWS[how].1, from + seconds + after) }
    };
    let runs = context.play(&mut found, &cases(places.iter().map(scenario))?)?;
    let mut table = Table::new("greatest factor borne", &["limb", "grows in", "standing", "walking"]);
    for (limb, (name, _, bars)) in LIMBS.iter().enumerate() {
        for (way, bar) in bars.iter().enumerate() {
            let borne = [0, 1].map(|how| {
                let of = places.iter().zip(&runs).filter(|(p, _)| (p.0, p.1, p.2) == (limb, way, how));
                let before = of.take_while(|(_, run): &(&Place, &Audited)| run.failure().is_none());
                before.last().map_or(1.0, |((.., factor), _)| *factor)
            });
            table.row(*name, &borne);
            table.rows.last_mut().into_iter().for_each(|row| row.insert(1, WAYS[way].0.to_owned()));
            let name = format!("{name}, greatest factor of {} borne", WAYS[way].0);
            let paper = "grow without retuning";
            found.figure(Figure::new(name, "", borne[0].min(borne[1])).at_least(*bar).paper(paper));
        }
    }
    found.tables.push(table);
    found.note(format!(
        "Lengths: bones and masses; masses: shapes stay; sizes: masses grow by the cube of the factor. Growth takes {seconds} s; the controller \
         is given the new body and nothing else, and torque limits stay. All masses must double; lengths of trunk and head too. Hanging \
         arms of twice the length reach the ground, and legs of twice the size weigh eight times as much, so that less is asked of them: their \
         bars were set to what an earlier run of this ladder bore, and guard it; they are no goal that was there before."
    ));
    Ok(found)
}
