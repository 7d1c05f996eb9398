//! All constraints as one linear complementarity problem, solved by Lemke's pivoting.
//!
//! The cone of friction gets flat sides (Stewart and Trinkle 1996). With directions `d_1 … d_s` around the normal, a contact
//! has the impulse `p = p_n n + Σ β_j d_j` and the laws
//! ```text
//! 0 ≤ p_n ⟂ n·c⁺ ≥ 0        0 ≤ β_j ⟂ d_j·c⁺ + σ ≥ 0        0 ≤ σ ⟂ μ p_n − Σ β_j ≥ 0
//! ```
//! where `c⁺` is the velocity after the step less the wanted one, and `σ` becomes the speed of sliding. Joint limits are one pair
//! each, dry friction is a variable between two bounds, the rows of grips and welds are equations. Every variable is an
//! impulse along some rows of the actors, `v⁺ = v + Λ p`, so the matrix is `Λ` between variables, bordered by the `σ` rows.
//!
//! Torque laws of actors ([`Law`]) add to the columns of contacts, and a variable for each torque that would exceed its
//! limit; which those are is found by solving again until none is left. A law without limits may leave no solution: then
//! all its torques get such variables at once.
//!
//! The small compliance of the iterative solver ([`SOFTNESS`]) is on the diagonal here too: it makes the shares of
//! redundant contacts unique. It is increased when pivoting fails.

use super::islands::Item;
use super::law::Law;
use super::newton::set_impulse;
use super::problem::{Pair, SOFTNESS};
use super::{Problem, SolveReport};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_solve::lcp::{BoxedLemke, LemkeStatus};

/// An impulse along a row of a side.
#[derive(Clone, Copy, Debug)]
struct Entry {
    side: usize,
    row: usize,
    weight: f64,
}

/// What a variable of the LCP is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// Normal impulse of a contact.
    Normal(usize),
    /// Friction of a contact along a direction.
    Friction(usize, usize),
    /// Speed of sliding.
    Sliding(usize),
    Bounded(usize),
    /// A row of a tie.
    Tie(usize, usize),
    /// Excess of a law's torque that is cut.
    Cut(Cut),
}

/// A torque at its limit: side, degree of freedom, and direction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    side: usize,
    dof: usize,
    direction: f64,
}

/// Contacts of an island that pivoting solves where sweeps fail, at most, and the sides of their cones.
pub(crate) const FEW: usize = 16;
pub(crate) const SIDES: usize = 8;
/// Unknowns for which memory is reserved from the start: those contacts with 96 limits, brakes and dry frictions of joints and rows of grips,
/// 64 of them dry frictions, which have two bounds. That takes 5.4 MB, which are first touched when they are needed.
const UNKNOWNS: usize = FEW * (SIDES + 2) + 96;
const TWICE: usize = 64;

/// Workspace; it grows for larger problems.
#[derive(Debug)]
pub(crate) struct Pivoting {
    what: Vec<What>,
    /// Entries of variable i are `start[i]..start[i + 1]`.
    entries: Vec<Entry>,
    start: Vec<usize>,
    /// Cosine and sine of the friction directions.
    directions: Vec<(f64, f64)>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    z: Vec<f64>,
    cuts: Vec<Cut>,
    answer: Vec<f64>,
    /// Reserved numbers of unknowns, and of unknowns with two bounds.
    room: (usize, usize),
    lemke: BoxedLemke,
}

impl Default for Pivoting {
    fn default() -> Pivoting {
        Pivoting::with_room(UNKNOWNS, TWICE)
    }
}

/// A workspace of the same size, without what was computed in this one.
impl Clone for Pivoting {
    fn clone(&self) -> Pivoting {
        Pivoting::with_room(self.room.0, self.room.1)
    }
}

/// Factors of the compliance, tried one after the other.
const SOFTER: [f64; 3] = [1.0, 1e2, 1e4];

impl Pivoting {
    fn with_room(unknowns: usize, twice: usize) -> Pivoting {
        let numbers = || Vec::with_capacity(unknowns);
        Pivoting {
            what: Vec::with_capacity(unknowns),
            // two ends of three rows
            entries: Vec::with_capacity(6 * unknowns),
            start: Vec::with_capacity(unknowns + 1),
            directions: Vec::with_capacity(SIDES),
            matrix: Vec::with_capacity(unknowns * unknowns),
            rhs: numbers(),
            low: numbers(),
            high: numbers(),
            z: numbers(),
            cuts: Vec::new(),
            answer: Vec::new(),
            room: (unknowns, twice),
            lemke: BoxedLemke::with_room(unknowns, twice),
        }
    }

    /// Solves some constraints of a prepared problem that are independent of the others; `None` when pivoting
    /// finds no solution.
    pub(crate) fn solve(
        &mut self,
        problem: &mut Problem,
        items: &[Item],
        sides: usize,
        tolerance: f64,
    ) -> Option<SolveReport> {
        self.cuts.clear();
        let mut pivots = 0;
        loop {
            self.list(problem, items, sides);
            let Some(mut report) = self.pivot(problem, tolerance) else {
                // without limits a law may leave no solution where with them there is one
                if self.cut_all(problem) {
                    continue;
                }
                return None;
            };
            pivots += report.iterations;
            self.read(problem, items);
            if !self.cut_more(problem) {
                report.iterations = pivots;
                problem.refresh();
                return Some(report);
            }
        }
    }

    /// Torques of laws that were cut.
    pub(crate) fn cuts(&self) -> usize {
        self.what.iter().zip(&self.z).filter(|(what, z)| matches!(what, What::Cut(_)) && **z > 0.0).count()
    }

    /// Solves the LCP of the variables listed.
    fn pivot(&mut self, problem: &Problem, tolerance: f64) -> Option<SolveReport> {
        let n = self.what.len();
        self.z.clear();
        self.z.resize(n, 0.0);
        if n == 0 {
            return Some(SolveReport { converged: true, ..SolveReport::default() });
        }
        let twice = self.low.iter().zip(&self.high).filter(|(l, h)| l.is_finite() && h.is_finite()).count();
        if n > self.room.0 || twice > self.room.1 {
            self.room = (self.room.0.max(n.next_power_of_two()), self.room.1.max(twice.next_power_of_two()));
            self.lemke = BoxedLemke::with_room(self.room.0, self.room.1);
        }
        let mut iterations = 0;
        for softer in SOFTER {
            self.assemble(problem, softer * SOFTNESS);
            let report = self.lemke.solve(&self.matrix, &self.rhs, &self.low, &self.high, &mut self.z);
            iterations += report.pivots;
            if report.status == LemkeStatus::Solved && report.residual <= tolerance {
                return Some(SolveReport { iterations, residual: report.residual, converged: true });
            }
        }
        None
    }

    /// Lists all torques of laws that have limits; whether there were any not listed before.
    fn cut_all(&mut self, problem: &Problem) -> bool {
        let known = self.cuts.len();
        for (side, law) in problem.sides.iter().map(|s| &s.law).enumerate().filter(|(_, l)| l.exists()) {
            let nv = law.torque.len();
            let moved = |dof: usize| law.gain.iter().skip(dof).step_by(nv).any(|g| *g != 0.0);
            for dof in (0..nv).filter(|dof| law.limit[*dof].is_finite() && moved(*dof)) {
                for direction in [1.0, -1.0] {
                    let cut = Cut { side, dof, direction };
                    if !self.cuts.contains(&cut) {
                        self.cuts.push(cut);
                    }
                }
            }
        }
        self.cuts.len() > known
    }

    /// Lists torques that exceed their limits and are not cut yet; whether there were any.
    fn cut_more(&mut self, problem: &Problem) -> bool {
        let known = self.cuts.len();
        for (side, law) in problem.sides.iter().map(|s| &s.law).enumerate().filter(|(_, l)| l.exists()) {
            for dof in 0..law.torque.len() {
                let (wanted, limit) = (law.torque[dof] + law.impulse[dof], law.limit[dof]);
                let cut = Cut { side, dof, direction: wanted.signum() };
                if wanted.abs() > limit * (1.0 + 1e-12) && !self.cuts.contains(&cut) {
                    self.cuts.push(cut);
                }
            }
        }
        self.cuts.len() > known
    }

    /// Lists the variables: contacts, bounded rows, ties, torques cut.
    fn list(&mut self, problem: &Problem, items: &[Item], sides: usize) {
        let Pivoting { what, entries, start, directions, low, high, cuts, .. } = self;
        if directions.len() != sides {
            let turn = 2.0 * core::f64::consts::PI / sides as f64;
            directions.clear();
            directions.extend((0..sides).map(|j| rotation::cos_sin(turn * j as f64)));
        }
        what.clear();
        entries.clear();
        start.clear();
        low.clear();
        high.clear();
        start.push(0);
        let mut add = |kind: What, bounds: (f64, f64), of: &dyn Fn(&mut Vec<Entry>)| {
            what.push(kind);
            low.push(bounds.0);
            high.push(bounds.1);
            of(entries);
            start.push(entries.len());
        };
        let positive = (0.0, f64::INFINITY);
        for &item in items {
            let Item::Contact(k) = item else { continue };
            let c = &problem.contacts[k];
            let [normal, t1, t2] = [0, 1, 2].map(|i| Vec3::from(c.frame.column(i)));
            add(What::Normal(k), positive, &|to| along(&c.pair, &normal, to));
            if c.mu > 0.0 {
                for (j, (x, y)) in directions.iter().enumerate() {
                    add(What::Friction(k, j), positive, &|to| along(&c.pair, &(t1 * *x + t2 * *y), to));
                }
                add(What::Sliding(k), positive, &|_| {});
            }
        }
        for &item in items {
            let Item::Bounded(k) = item else { continue };
            let b = &problem.bounded[k];
            add(What::Bounded(k), (b.low, b.high), &|to| {
                let weighted = b.rows.iter().filter(|(_, w)| *w != 0.0);
                to.extend(weighted.map(|(row, weight)| Entry { side: b.side, row: *row, weight: *weight }));
            });
        }
        for &item in items {
            let Item::Tie(k) = item else { continue };
            let t = &problem.ties[k];
            for axis in 0..3 {
                let unit = Vec3::ith(axis, 1.0);
                let free = (f64::NEG_INFINITY, f64::INFINITY);
                add(What::Tie(k, axis), free, &|to| along(&t.pair, &unit, to));
            }
        }
        for cut in cuts.iter() {
            add(What::Cut(*cut), positive, &|_| {});
        }
    }

    fn entries(&self, i: usize) -> &[Entry] {
        &self.entries[self.start[i]..self.start[i + 1]]
    }

    /// The matrix, column by column, and the velocities without impulses.
    fn assemble(&mut self, problem: &Problem, softness: f64) {
        let n = self.what.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.rhs.resize(n, 0.0);
        for j in 0..n {
            for i in 0..=j {
                let x = between(problem, self.entries(i), self.entries(j));
                self.matrix[j * n + i] = x;
                self.matrix[i * n + j] = x;
            }
        }
        // sliding stands right behind the friction of its contact
        let mut normal = 0;
        for i in 0..n {
            let velocity: f64 =
                self.entries(i).iter().map(|e| e.weight * problem.sides[e.side].velocity[e.row]).sum();
            let own = self.matrix[i * n + i];
            let (bias, soft) = match self.what[i] {
                What::Normal(k) => {
                    normal = i;
                    let c = &problem.contacts[k];
                    (c.bias.x, c.own.matrix.trace())
                }
                What::Friction(k, j) => {
                    let (c, (x, y)) = (&problem.contacts[k], self.directions[j]);
                    (x * c.bias.y + y * c.bias.z, c.own.matrix.trace())
                }
                What::Sliding(k) => {
                    self.matrix[normal * n + i] = problem.contacts[k].mu;
                    for friction in normal + 1..i {
                        self.matrix[friction * n + i] = -1.0;
                        self.matrix[i * n + friction] = 1.0;
                    }
                    (0.0, 0.0)
                }
                What::Bounded(k) => (problem.bounded[k].bias, own),
                What::Tie(k, axis) => (problem.ties[k].bias[axis], own),
                What::Cut(Cut { side, dof, direction }) => {
                    let law = &problem.sides[side].law;
                    self.matrix[i * n + i] = 1.0;
                    (direction * law.torque[dof] - law.limit[dof], 0.0)
                }
            };
            self.rhs[i] = velocity - bias;
            self.matrix[i * n + i] += softness * soft;
        }
        for (s, side) in problem.sides.iter().enumerate().filter(|(_, side)| side.law.exists()) {
            self.add_law(problem, s, &side.law, side.velocity.len());
        }
    }

    /// Adds a side's law to the matrix.
    fn add_law(&mut self, problem: &Problem, side: usize, law: &Law, rows: usize) {
        let n = self.what.len();
        let mut answer = core::mem::take(&mut self.answer);
        for j in 0..n {
            let contact = self.axis(problem, j);
            match (contact, self.what[j]) {
                (Some((k, axis)), _) => law.answer(k, &axis, rows, &mut answer),
                (None, What::Cut(cut)) if cut.side == side => {
                    answer.clear();
                    answer.extend(law.joint(cut.dof, rows).iter().map(|x| -cut.direction * x));
                }
                _ => continue,
            }
            for i in 0..n {
                let mine = self.entries(i).iter().filter(|e| e.side == side);
                let mut x: f64 = mine.map(|e| e.weight * answer[e.row]).sum();
                if let (What::Cut(cut), Some((k, axis))) = (self.what[i], contact)
                    && cut.side == side
                {
                    x -= cut.direction * law.gives(cut.dof, k, &axis);
                }
                self.matrix[j * n + i] += x;
            }
        }
        self.answer = answer;
    }

    /// Contact and direction of a variable, if it is an impulse of a contact.
    fn axis(&self, problem: &Problem, j: usize) -> Option<(usize, Vec3)> {
        match self.what[j] {
            What::Normal(k) => Some((k, problem.contacts[k].frame.column(0).into())),
            What::Friction(k, j) => {
                let (frame, (x, y)) = (&problem.contacts[k].frame, self.directions[j]);
                Some((k, frame.column(1) * x + frame.column(2) * y))
            }
            _ => None,
        }
    }

    /// Reads the impulses of constraints and laws.
    fn read(&self, problem: &mut Problem, items: &[Item]) {
        items.iter().for_each(|item| set_impulse(problem, *item, &Vec3::zeros()));
        for (what, z) in self.what.iter().zip(&self.z) {
            match *what {
                What::Normal(k) => problem.contacts[k].impulse.x = *z,
                What::Friction(k, j) => {
                    let (x, y) = self.directions[j];
                    problem.contacts[k].impulse += Vec3::new(0.0, x * z, y * z);
                }
                What::Bounded(k) => problem.bounded[k].impulse = *z,
                What::Tie(k, axis) => problem.ties[k].impulse[axis] = *z,
                What::Sliding(_) | What::Cut(_) => {}
            }
        }
        let Problem { sides, contacts, .. } = problem;
        sides.iter_mut().filter(|s| s.law.exists()).for_each(|s| s.law.follow(contacts));
        for (what, z) in self.what.iter().zip(&self.z) {
            if let What::Cut(Cut { side, dof, direction }) = *what {
                sides[side].law.impulse[dof] -= direction * z;
            }
        }
    }
}

/// Rows of an impulse along an axis between two ends.
fn along(pair: &Pair, axis: &Vec3, to: &mut Vec<Entry>) {
    for (end, sign) in [(Some(pair.a), 1.0), (pair.b, -1.0)] {
        let Some(end) = end else { continue };
        to.extend((0..3).map(|k| Entry { side: end.side, row: end.row + k, weight: sign * axis[k] }));
    }
}

/// How the velocity along some rows answers an impulse along others.
fn between(problem: &Problem, of: &[Entry], to: &[Entry]) -> f64 {
    let mut sum = 0.0;
    for x in of {
        let side = &problem.sides[x.side];
        let n = side.velocity.len();
        let row = &side.space.last_inverse_inertia()[x.row * n..(x.row + 1) * n];
        for y in to.iter().filter(|y| y.side == x.side) {
            sum += x.weight * y.weight * row[y.row];
        }
    }
    sum
}
