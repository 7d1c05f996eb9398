//! Limbs that grow while the body stands and walks.
//!
//! There are four kinds of growth. *Sizes* is the paper's: all lengths grow by a factor at constant density, masses by its cube, and the
//! torque limits of the limb's joints with the masses. The others keep the strength: *lengths* (bones and masses by a factor, thickness
//! kept), *masses* (shape kept), and *sizes* again. The result is the greatest factor such that the character survives it and all smaller
//! ones, standing and walking.

use super::{cases, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::scenario::{ChangePlan, Limb, Reshape};
use crate::{Audited, LabError, Scenario};

const FACTORS: [f64; 4] = [1.25, 1.5, 1.75, 2.0];

const LIMBS: [(&str, Limb); 4] =
    [("arms", Limb::Arms), ("legs", Limb::Legs), ("trunk", Limb::Trunk), ("head", Limb::Head)];

/// A change by a factor.
type Growth = fn(f64) -> Reshape;

/// Kinds of growth, and the factor that the character must survive.
const WAYS: [(&str, Growth, Option<f64>); 4] = [
    ("size", Reshape::Grow, Some(2.0)),
    ("length alone", Reshape::Lengthen, None),
    ("mass alone", Reshape::Weigh, Some(2.0)),
    ("size without strength", Reshape::Scale, None),
];

const HOWS: [(&str, f64); 2] = [("standing", 0.0), ("walking", 0.8)];

/// A run: limb, way, how, factor.
type Place = (usize, usize, usize, f64);

pub(super) fn limbs(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let (from, seconds, after) = (3.0, 10.0, context.pick(12.0, 3.0));
    let mut places: Vec<Place> = Vec::new();
    for limb in 0..LIMBS.len() {
        for (way, (.., bar)) in WAYS.iter().enumerate() {
            // the quick form has only the required factor
            let factors = FACTORS.iter().filter(|f| !context.quick || Some(**f) == *bar);
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
    let tried = |(_, (.., bar)): &(usize, &(&str, Growth, Option<f64>))| !context.quick || bar.is_some();
    for (way, (grows, _, bar)) in WAYS.iter().enumerate().filter(tried) {
        for (limb, (name, _)) in LIMBS.iter().enumerate() {
            let borne = [0, 1].map(|how| {
                let of = places.iter().zip(&runs).filter(|(p, _)| (p.0, p.1, p.2) == (limb, way, how));
                let before = of.take_while(|(_, run): &(&Place, &Audited)| run.failure().is_none());
                before.last().map_or(1.0, |((.., factor), _)| *factor)
            });
            table.row(*name, &borne);
            table.rows.last_mut().into_iter().for_each(|row| row.insert(1, (*grows).to_owned()));
            let figure =
                Figure::new(format!("{name}, greatest factor of {grows} borne"), "", borne[0].min(borne[1]));
            found.figure(match bar {
                Some(bar) => figure.at_least(*bar).paper("grows to twice without retuning"),
                None => figure,
            });
        }
    }
    found.tables.push(table);
    found.note(format!(
        "Growth takes {seconds} s; the controller is given the new body and nothing else. Size: masses and torque limits of the limb grow by \
         the cube of the factor. Length alone: bones and masses by the factor; mass alone: shapes stay; in these two and in size without \
         strength torque limits stay. Arms that would reach the ground are bent at the elbows."
    ));
    Ok(found)
}
