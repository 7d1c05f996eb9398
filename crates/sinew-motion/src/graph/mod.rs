//! Motion graphs: which piece of motion may follow which, and the best sequence for a wish.
//!
//! Nodes are fragments, the pieces of clips between changes of support ([`Fragment`]). An edge leads
//! from A to B where B may follow A: the feet that are down at A's end are those at B's start, and the poses are alike. With
//! both put over each other on the floor, the distance of two states is
//! ```text
//! d² = mean over the parts of the body of |x_A − x_B|² + τ² |ẋ_A − ẋ_B|²        τ = 0.2 s
//! ```
//! a length that says how far parts are from each other now and in a moment. What follows in the same clip costs nothing.
//!
//! [`MotionGraph::plan`] finds the sequence of fragments of least cost for a wish of heading, speed and style by best-first
//! search; [`ReferenceQueue`] plays it, and bends it at run time.
//!
//! Source: Lee, Chai, Reitsma, Hodgins, Pollard 2002 for graphs; Lee, Kim, Lee 2010 for fragments and the queue.

mod plan;
mod queue;

pub use plan::{PlanParams, Planned, Wish};
pub use queue::{QueueError, ReferenceQueue};

use crate::contacts::{FootTracks, Fragment, Support, Thresholds, segment, support};
use crate::edit::{Limb, Limbs, cut};
use crate::{Clip, Interpolation, Outside, Sampler, Travel};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, Role, Side, forward_velocities};
use std::sync::Arc;

/// Weight `τ` of velocities, s.
const MOMENT: f64 = 0.2;

/// A fragment of motion in a graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its frames, first and last shared with the neighbours in the clip it was cut from.
    pub clip: Arc<Clip>,
    /// What kind of motion it belongs to.
    pub style: String,
    /// Which feet are down, the landing that ends it apart.
    pub support: Support,
    /// Lowest ankle after the first frame, m.
    pub ground: f64,
    /// How far it leads over the floor.
    pub travel: Travel,
    start: State,
    end: State,
}

impl Node {
    /// A fragment made elsewhere: by other thresholds, or of a blend.
    pub fn new(clip: Clip, style: &str, support: Support, ground: f64) -> Node {
        let last = clip.len() - 1;
        let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Clamp);
        let mut pulse = Pulse::new(clip.model());
        let mut state = |frame: usize| State {
            down: clip
                .contacts
                .as_ref()
                .map_or(support, |contacts| crate::contacts::support(contacts, frame)),
            parts: pulse.parts(&curve, frame as f64 / clip.rate),
        };
        let (start, end) = (state(0), state(last));
        let travel = local_travel(clip.model(), clip.frame(0), clip.frame(last));
        Node { travel, style: style.into(), support, ground, start, end, clip: Arc::new(clip) }
    }

    /// Mean speed over the floor, m/s.
    pub fn speed(&self) -> f64 {
        self.travel.shift.norm() / self.clip.duration().max(1e-9)
    }
}

/// That one fragment may follow another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Index of the fragment that follows.
    pub to: usize,
    /// Distance of the states at the join, m.
    pub cost: f64,
}

/// Places and velocities of the parts of the body in the heading of the root, and the feet that are down.
#[derive(Clone, Debug)]
struct State {
    down: Support,
    parts: Vec<(Vec3, Vec3)>,
}

/// Fragments and what may follow what.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{graph::{MotionGraph, Wish}, motions};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut graph = MotionGraph::default();
/// for name in ["walk", "walk-fast", "turn-left-90", "turn-right-90"] {
///     graph.add(&motions::load(name, &human)?, name, name.starts_with("walk"));
/// }
/// graph.connect(0.15);
/// let wish = Wish { turn: std::f64::consts::FRAC_PI_2, speed: 1.0, style: None };
/// let plan = graph.plan(0, &wish, &Default::default());
/// let styles: Vec<_> = plan.nodes.iter().map(|n| graph.nodes()[*n].style.as_str()).collect();
/// assert!(styles.contains(&"turn-left-90"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MotionGraph {
    nodes: Vec<Node>,
    edges: Vec<Vec<Edge>>,
}

impl MotionGraph {
    /// Cuts a clip with contacts into fragments and adds them, each followed by the next; a cycle's last by its first. Gives
    /// the indices of the new nodes; none without contacts.
    pub fn add(&mut self, clip: &Clip, style: &str, cyclic: bool) -> core::ops::Range<usize> {
        let from = self.nodes.len();
        let Some(contacts) = &clip.contacts else { return from..from };
        let curve =
            Sampler::new(clip, Interpolation::Cubic, if cyclic { Outside::Loop } else { Outside::Clamp });
        let mut pulse = Pulse::new(clip.model());
        for fragment in fragments(clip) {
            let Ok(part) = cut(clip, fragment.first..=fragment.last) else { continue };
            let mut state = |frame: usize| State {
                down: support(contacts, frame),
                parts: pulse.parts(&curve, frame as f64 / clip.rate),
            };
            self.nodes.push(Node {
                travel: local_travel(clip.model(), part.frame(0), part.frame(part.len() - 1)),
                style: style.into(),
                support: fragment.support,
                ground: fragment.ground,
                start: state(fragment.first),
                end: state(fragment.last),
                clip: Arc::new(part),
            });
            self.edges.push(Vec::new());
        }
        let to = self.nodes.len();
        for node in from..to {
            match (node + 1 < to, cyclic) {
                (true, _) => self.edges[node].push(Edge { to: node + 1, cost: 0.0 }),
                (false, true) => self.edges[node].push(Edge { to: from, cost: 0.0 }),
                _ => {}
            }
        }
        from..to
    }

    /// Adds edges between all fragments whose ends and starts fit and are nearer than `distance` (m).
    pub fn connect(&mut self, distance: f64) {
        for from in 0..self.nodes.len() {
            for to in 0..self.nodes.len() {
                let known = self.edges[from].iter().any(|e| e.to == to);
                let (a, b) = (&self.nodes[from].end, &self.nodes[to].start);
                if known || a.down != b.down || !follows(self.nodes[from].support, self.nodes[to].support) {
                    continue;
                }
                let cost = a.distance(b);
                if cost < distance {
                    self.edges[from].push(Edge { to, cost });
                }
            }
            self.edges[from].sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.to.cmp(&b.to)));
        }
    }

    /// The fragments.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What may follow a fragment, the nearest first.
    pub fn edges(&self, node: usize) -> &[Edge] {
        &self.edges[node]
    }
}

/// After one foot's swing the other's, or standing, or flight; never the same foot again.
fn follows(before: Support, after: Support) -> bool {
    before != after || before == Support::Double
}

/// Fragments of a clip, heights from its own ankles.
fn fragments(clip: &Clip) -> Vec<Fragment> {
    let Some(contacts) = &clip.contacts else { return Vec::new() };
    let mut limbs = Limbs::new(clip.model());
    let mut heel = [Vec::new(), Vec::new()];
    for q in clip.frames() {
        limbs.look_at(q);
        for side in Side::BOTH {
            heel[side as usize].push(limbs.place(Limb::Leg(side)).unwrap_or_default());
        }
    }
    let tracks = FootTracks { rate: clip.rate, toe: heel.clone(), heel };
    let mut found = segment(contacts, &tracks, &Thresholds { ends: true, ..Thresholds::default() });
    // the landing that ends a clip belongs to the step before
    found.retain(|f| f.last > f.first);
    found
}

/// The way from one root to another as seen from the first: ahead is x.
fn local_travel(model: &Model, from: &[f64], to: &[f64]) -> Travel {
    let origin = Travel::between(model, &model.neutral(), from);
    let (mut a, mut b) = (from.to_vec(), to.to_vec());
    origin.inverse().apply_to(model, &mut a);
    origin.inverse().apply_to(model, &mut b);
    Travel::between(model, &a, &b)
}

impl State {
    fn distance(&self, other: &State) -> f64 {
        let each = self.parts.iter().zip(&other.parts);
        let sum: f64 = each
            .map(|((x, v), (y, w))| (x - y).norm_squared() + MOMENT * MOMENT * (v - w).norm_squared())
            .sum();
        libm::sqrt(sum / self.parts.len().max(1) as f64)
    }
}

/// Measures states.
struct Pulse {
    model: Arc<Model>,
    data: Data,
    bodies: Vec<BodyId>,
}

impl Pulse {
    fn new(model: &Arc<Model>) -> Pulse {
        let bodies = Role::all().filter_map(|role| model.role(role)).collect();
        Pulse { model: model.clone(), data: Data::new(model), bodies }
    }

    fn parts(&mut self, curve: &Sampler, t: f64) -> Vec<(Vec3, Vec3)> {
        let model = &self.model;
        let (mut q, mut v, mut a) = (model.neutral(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
        curve.state(t, &mut q, &mut v, &mut a);
        let back = Travel::between(model, &model.neutral(), &q).inverse();
        let turn = rotation::to_matrix(&back.turn());
        forward_velocities(model, &mut self.data, &q, &v);
        let part = |body: &BodyId| {
            let at = self.data.body_placement(model, *body).pos;
            (back.apply(&at), turn * self.data.point_velocity(model, *body, &at))
        };
        self.bodies.iter().map(part).collect()
    }
}
