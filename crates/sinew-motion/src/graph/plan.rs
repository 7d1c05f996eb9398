//! The best sequence of fragments for a wish: best-first search over time.
//!
//! The cost of a sequence is the time integral of what is wrong with it, plus what its joins cost:
//! ```text
//! Σ_fragments T ( w_turn (ψ − ψ*)² + w_speed (v − v*)² + w_style [other style] ) + w_join Σ_joins d
//! ```
//! with `ψ` the heading at the fragment's end. Sequences are extended in order of their cost until one is as long as the
//! horizon: the first is the best. Ties go to the one found first, so that the same wish gives the same plan everywhere.

use super::MotionGraph;
use core::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// How far to turn from the present heading, rad; left is positive.
    pub turn: f64,
    /// m/s.
    pub speed: f64,
    /// Only this kind of motion, when there is a choice.
    pub style: Option<String>,
}

/// Weights of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanParams {
    /// Duration to plan, s. Default 3.
    pub horizon: f64,
    /// Per rad² and s. Default 1.
    pub turn: f64,
    /// Per (m/s)² and s. Default 1.
    pub speed: f64,
    /// Per s. Default 2.
    pub style: f64,
    /// Per m of distance at a join. Default 2.
    pub join: f64,
    /// Most sequences that are looked at. Default 20 000.
    pub most: usize,
}

impl Default for PlanParams {
    fn default() -> Self {
        PlanParams { horizon: 3.0, turn: 1.0, speed: 1.0, style: 2.0, join: 2.0, most: 20_000 }
    }
}

/// A sequence of fragments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planned {
    /// Indices of nodes, the one it starts from not among them.
    pub nodes: Vec<usize>,
    /// Its cost.
    pub cost: f64,
    /// How far it turns, rad.
    pub turn: f64,
    /// Whether it is as long as the horizon; otherwise the graph ends, or the search was cut short.
    pub complete: bool,
}

/// A sequence by its last node and the one before it.
struct Step {
    node: usize,
    before: Option<usize>,
    cost: f64,
    turn: f64,
    time: f64,
}

#[derive(PartialEq)]
struct Open {
    cost: f64,
    index: usize,
}

impl Eq for Open {}
impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        // the heap gives the greatest: least cost first, then the oldest
        other.cost.total_cmp(&self.cost).then(other.index.cmp(&self.index))
    }
}

impl MotionGraph {
    /// The best fragments to follow node `from` for a wish.
    ///
    /// # Panics
    /// If there is no node `from`.
    pub fn plan(&self, from: usize, wish: &Wish, params: &PlanParams) -> Planned {
        let mut steps = vec![Step { node: from, before: None, cost: 0.0, turn: 0.0, time: 0.0 }];
        let mut open = BinaryHeap::from([Open { cost: 0.0, index: 0 }]);
        let mut furthest = 0;
        while let Some(Open { index, .. }) = open.pop() {
            if steps[index].time >= params.horizon {
                return self.sequence(&steps, index, true);
            }
            if steps[index].time > steps[furthest].time {
                furthest = index;
            }
            if steps.len() >= params.most {
                break;
            }
            let (node, cost, turn, time) =
                (steps[index].node, steps[index].cost, steps[index].turn, steps[index].time);
            for edge in &self.edges[node] {
                let next = &self.nodes[edge.to];
                let lasts = next.clip.duration().max(1e-3);
                let turned = turn + next.travel.yaw;
                let (off, slow) = (turned - wish.turn, next.speed() - wish.speed);
                let other = wish.style.as_ref().is_some_and(|style| *style != next.style);
                let wrong = params.turn * off * off
                    + params.speed * slow * slow
                    + params.style * f64::from(u8::from(other));
                let cost = cost + lasts * wrong + params.join * edge.cost;
                let step =
                    Step { node: edge.to, before: Some(index), cost, turn: turned, time: time + lasts };
                open.push(Open { cost, index: steps.len() });
                steps.push(step);
            }
        }
        self.sequence(&steps, furthest, false)
    }

    fn sequence(&self, steps: &[Step], last: usize, complete: bool) -> Planned {
        let mut nodes = Vec::new();
        let mut at = last;
        while let Some(before) = steps[at].before {
            nodes.push(steps[at].node);
            at = before;
        }
        nodes.reverse();
        Planned { nodes, cost: steps[last].cost, turn: steps[last].turn, complete }
    }
}
