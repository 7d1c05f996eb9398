//! Islands: groups of constraints that do not influence each other.
//!
//! Actors that touch or hold each other form an island with all their constraints; what happens in one island has no
//! effect on another, so each is solved by itself and stops when it is done.

use super::{Problem, SolveReport};
use std::ops::Range;

/// A constraint of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Tie(usize),
    Bounded(usize),
    Contact(usize),
}

/// Coupled constraints and degrees of freedom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Place in [`Islands::items`].
    pub(crate) items: Range<usize>,
    /// Number of degrees of freedom.
    pub(crate) dofs: usize,
    /// How well it was solved.
    pub(crate) solved: SolveReport,
}

/// All islands of a problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    pub(crate) list: Vec<Island>,
    pub(crate) items: Vec<Item>,
    /// Number of each degree of freedom in its island.
    pub(crate) local: Vec<u32>,
    parent: Vec<usize>,
    of_side: Vec<usize>,
}

impl Islands {
    /// Finds the islands of a prepared problem.
    pub(crate) fn find(&mut self, problem: &Problem) {
        let Islands { list, items, local, parent, of_side } = self;
        let n = problem.sides.len();
        parent.clear();
        parent.extend(0..n);
        let pairs = problem.contacts.iter().map(|c| &c.pair).chain(problem.ties.iter().map(|t| &t.pair));
        for pair in pairs {
            if let Some(b) = &pair.b {
                let (x, y) = (root(parent, pair.a.side), root(parent, b.side));
                // the lower number is the root, independent of the order of the pairs
                parent[x.max(y)] = x.min(y);
            }
        }
        list.clear();
        of_side.clear();
        local.clear();
        for side in 0..n {
            let leader = root(parent, side);
            let island = if leader == side {
                list.push(Island::default());
                list.len() - 1
            } else {
                of_side[leader]
            };
            of_side.push(island);
            let island = &mut list[island];
            let count = problem.first[side + 1] - problem.first[side];
            local.extend((island.dofs..island.dofs + count).map(|k| k as u32));
            island.dofs += count;
        }
        // counted, then placed
        each(problem, |side, _| list[of_side[side]].items.end += 1);
        let mut start = 0;
        for island in list.iter_mut() {
            let count = island.items.end;
            island.items = start..start;
            start += count;
        }
        items.clear();
        items.resize(start, Item::Tie(0));
        each(problem, |side, item| {
            let place = &mut list[of_side[side]].items.end;
            items[*place] = item;
            *place += 1;
        });
    }
}

/// Visits all constraints with the side that they belong to: ties, bounded rows, contacts.
fn each(problem: &Problem, mut visit: impl FnMut(usize, Item)) {
    problem.ties.iter().enumerate().for_each(|(k, t)| visit(t.pair.a.side, Item::Tie(k)));
    problem.bounded.iter().enumerate().for_each(|(k, b)| visit(b.side, Item::Bounded(k)));
    problem.contacts.iter().enumerate().for_each(|(k, c)| visit(c.pair.a.side, Item::Contact(k)));
}

fn root(parent: &mut [usize], mut k: usize) -> usize {
    while parent[k] != k {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    k
}
