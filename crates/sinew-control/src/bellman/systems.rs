//! The declarations of the systems.

use super::combination::{Combination, Sharing};
use super::tape::{self, Costs, Tape};
use crate::features::{BALANCER, WALKER};
use crate::{Clips, Contacts, Group, Needs, Order, Prepared, Signal, System, Wants};
use std::borrow::Cow;
use std::sync::Arc;

const PAPER: &str =
    "da Silva, Durand, Popović 2009: Linear Bellman Combination for Control of Character Animation";

const SHARING: Group =
    Group { name: "sharing", about: "How the parts share control", params: Sharing::PARAMS };
const COSTS: Group = Group { name: "costs", about: "Costs of the trajectory", params: Costs::PARAMS };

const SHARES: &[Signal] = &[
    Signal::new("share_0", "", "Share of the first part"),
    Signal::new("share_1", "", "Share of the second part"),
    Signal::new("share_2", "", "Share of the third part"),
    Signal::new("share_3", "", "Share of the fourth part"),
    Signal::new("share_4", "", "Share of the fifth part"),
    Signal::new("share_5", "", "Share of the sixth part"),
    Signal::new("value_0", "", "Expected cost of the first part"),
    Signal::new("value_1", "", "Expected cost of the second part"),
    Signal::new("value_2", "", "Expected cost of the third part"),
    Signal::new("value_3", "", "Expected cost of the fourth part"),
    Signal::new("value_4", "", "Expected cost of the fifth part"),
    Signal::new("value_5", "", "Expected cost of the sixth part"),
];

const OFF: &[Signal] = &[Signal::new("off", "", "Distance of the state from the trajectory")];

/// [`Combination`].
pub static BELLMAN: System = System {
    paper: PAPER,
    groups: &[SHARING],
    signals: &[SHARES],
    wants: combined,
    ..System::new("bellman", "Mixes controllers by their expected costs", |order, prepared| {
        let none = Prepared::default();
        let parts = parts(order);
        let parts = parts.iter().enumerate().map(|(k, part)| {
            let prepared = prepared.parts.get(k).unwrap_or(&none);
            Ok((part.system.name, part.build(prepared)?))
        });
        Ok(Box::new(Combination::new(&order.model, parts.collect::<Result<_, _>>()?)?))
    })
};

/// [`Tape`].
pub static TAPE: System = System {
    paper: PAPER,
    groups: &[COSTS],
    signals: &[OFF],
    balances: false,
    needs: Needs { clips: Clips::One, ..Needs::NOTHING },
    wants: |order| {
        let step = Costs::of(order).step;
        Wants { step, step_at_most: step, ..Wants::default() }
    },
    prepare: Some(tape::prepare),
    ..System::new(
        "tape",
        "Plays an optimal movement in the air, from a clip, with feedback",
        |order, prepared| Ok(Box::new(Tape::new(order, prepared)?)),
    )
};

/// Its parts; by default the walker and the balancer.
fn parts(order: &Order) -> Cow<'_, [Order]> {
    if order.parts.is_empty() {
        let part = |system| Order::new(system, Arc::clone(&order.model));
        return Cow::Owned(vec![part(&WALKER), part(&BALANCER)]);
    }
    Cow::Borrowed(&order.parts)
}

/// World settings for all parts: the shortest step; the contacts of the first part that needs a kind, else of the first part; all peeks.
fn combined(order: &Order) -> Wants {
    let all: Vec<Wants> = parts(order).iter().map(|part| (part.system.wants)(part)).collect();
    let picky = all.iter().find(|wants| wants.contacts != Contacts::Any);
    let Some(first) = picky.or(all.first()) else { return Wants::default() };
    let mut wants = first.clone();
    for other in &all {
        wants.step = wants.step.min(other.step);
        wants.step_at_most = wants.step_at_most.min(other.step_at_most);
        wants.peeks.contact_forces |= other.peeks.contact_forces;
        wants.peeks.outside |= other.peeks.outside;
        wants.peeks.law |= other.peeks.law;
    }
    wants
}
