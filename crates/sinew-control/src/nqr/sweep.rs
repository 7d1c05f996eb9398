//! The backward sweep over cycles of a plan: gains of the linear law, and the quadratic cost to go of the nonlinear one.
//!
//! State of node `k` is `x_k = (q_{k−1}, v_k)`: the pose before, and the velocity that leads to frame `k`. Step `k` moves it to
//! `(q_k, v_{k+1})`, with torques and forces of frame `k`, exactly affine in them (equations 3 to 5). With `a = M⁻¹(τ + Jᵀλ − h)` at `(q_k, v_k)`,
//! `T_q`, `T_v` the derivatives of `q_{k−1} ⊕ Δv_k`,
//!
//! ```text
//! A = [ T_q, T_v ; Δ a_q T_q, 1 + Δ a_q T_v + Δ a_v ],      B = [ 0 ; Δ M⁻¹ [E  Jᵀ] ]
//! ```
//!
//! with only the forces of points that are down. The recursion is [`sinew_solve::riccati`]'s; a cycle is swept again, from the cost to go that the
//! last sweep found at its beginning, until that settles.

use super::weights::Weights;
use crate::spacetime::{Ends, POINTS, Plan, Points, StepModel};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, crba, factored_mass_matrix, forward_kinematics};
use sinew_motion::Travel;
use sinew_solve::riccati::{LqProblem, NotConvex, Riccati};

/// Change of the cost to go at which sweeps end, and the most of them.
const SETTLED: f64 = 1e-3;
const SWEEPS: usize = 6;
/// Frames that a motion which ends is thought to stand.
const STANDS: usize = 240;

/// What run time needs of a frame. Matrices are column-major.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Rows of speed of the cost to go behind the frame: by place and by speed, nv × nv each; and its gradient.
    pub(super) by_place: Vec<f64>,
    pub(super) by_speed: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    /// Linear law: `K`, m × 2nv, and the feed-forward.
    pub(super) gain: Vec<f64>,
    pub(super) feedforward: Vec<f64>,
}

/// A cost to go: its matrix of 2 nv × 2 nv numbers, and its gradient.
pub(super) type CostToGo = (Vec<f64>, Vec<f64>);

/// Sweeps over a plan; nodes of its frames, how many sweeps it took, and the cost to go at its beginning.
pub(super) fn sweep(plan: &Plan, weights: &Weights) -> Result<(Vec<Node>, usize, CostToGo), NotConvex> {
    let model = &plan.reference.model;
    let (nv, count) = (model.nv(), plan.len());
    let n = 2 * nv;
    let travel = match plan.reference.ends {
        Ends::Cycle(travel) => Some(travel),
        Ends::Open { .. } => None,
    };
    let mut problem = stages(plan, weights);
    if travel.is_none() && count > 2 {
        // a motion that ends goes on standing as it ends
        let last = problem.stages[count - 2].clone();
        problem.stages.truncate(count - 1);
        problem.stages.extend((0..STANDS).map(|_| last.clone()));
    }
    let mut riccati = Riccati::new(&problem);
    for d in 0..n {
        problem.terminal.lxx[d * (n + 1)] = weights.state[d];
    }
    let root = model.free_root().map_or(0, |j| j.v);
    let (mut start, mut last, mut sweeps) = (vec![0.0; n * n], vec![0.0; n * n], 0);
    loop {
        riccati.backward(&problem, 0.0)?;
        sweeps += 1;
        let Some(travel) = travel else { break };
        riccati.value_hessian(0, &mut start);
        let size = start.iter().map(|x| x * x).sum::<f64>().sqrt();
        let change = start.iter().zip(&last).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        if change < SETTLED * size || sweeps >= SWEEPS {
            break;
        }
        last.copy_from_slice(&start);
        problem.terminal.lx.copy_from_slice(riccati.value_gradient(0));
        carry(&mut start, &mut problem.terminal.lx, n, [root, nv + root], &travel);
        problem.terminal.lxx.copy_from_slice(&start);
    }
    riccati.value_hessian(0, &mut start);
    let beginning = (start, riccati.value_gradient(0).to_vec());
    Ok((nodes(&riccati, nv, count), sweeps, beginning))
}

/// One sweep over a plan that is followed by something of which the cost to go is known, in its own axes.
pub(super) fn sweep_into(plan: &Plan, weights: &Weights, next: &CostToGo) -> Result<Vec<Node>, NotConvex> {
    let model = &plan.reference.model;
    let (nv, count) = (model.nv(), plan.len());
    let mut problem = stages(plan, weights);
    let (mut hessian, mut gradient) = next.clone();
    if let Ends::Cycle(travel) = plan.reference.ends {
        let root = model.free_root().map_or(0, |j| j.v);
        carry(&mut hessian, &mut gradient, 2 * nv, [root, nv + root], &travel);
    }
    problem.terminal.lxx.copy_from_slice(&hessian);
    problem.terminal.lx.copy_from_slice(&gradient);
    let mut riccati = Riccati::new(&problem);
    riccati.backward(&problem, 0.0)?;
    Ok(nodes(&riccati, nv, count))
}

/// What run time needs of every frame.
fn nodes(riccati: &Riccati, nv: usize, count: usize) -> Vec<Node> {
    let n = 2 * nv;
    let mut start = vec![0.0; n * n];
    let mut nodes = Vec::with_capacity(count);
    for k in 0..count {
        riccati.value_hessian(k + 1, &mut start);
        let block = |rows: usize, cols: usize| -> Vec<f64> {
            (0..nv)
                .flat_map(|c| (0..nv).map(move |r| (r, c)))
                .map(|(r, c)| start[(cols + c) * n + rows + r])
                .collect()
        };
        let gain = riccati.gain(k);
        let m = gain.rows();
        nodes.push(Node {
            by_place: block(nv, 0),
            by_speed: block(nv, nv),
            gradient: riccati.value_gradient(k + 1)[nv..].to_vec(),
            gain: (0..n * m).map(|i| gain.get(i % m, i / m)).collect(),
            feedforward: riccati.feedforward(k).to_vec(),
        });
    }
    nodes
}

/// A cost to go at the beginning of a cycle as one at its end: errors of the root's place and velocity are turned along.
fn carry(hessian: &mut [f64], gradient: &mut [f64], n: usize, blocks: [usize; 2], travel: &Travel) {
    let turn = |x: &mut [f64], at: usize, stride: usize| {
        let v = travel.direction(&Vec3::new(x[at], x[at + stride], x[at + 2 * stride]));
        (0..3).for_each(|i| x[at + i * stride] = v[i]);
    };
    for b in blocks {
        turn(gradient, b, 1);
        (0..n).for_each(|c| turn(hessian, c * n + b, 1));
        (0..n).for_each(|r| turn(hessian, b * n + r, n));
    }
}

/// Linearised steps and their costs.
pub(super) fn stages(plan: &Plan, weights: &Weights) -> LqProblem {
    let reference = &plan.reference;
    let model = &reference.model;
    let (nv, count, dt) = (model.nv(), plan.len(), 1.0 / reference.rate);
    let n = 2 * nv;
    let root = model.free_root().map_or(0, |j| j.v);
    let joints: Vec<usize> = (0..nv).filter(|d| d.wrapping_sub(root) >= 6).collect();
    let active = |k: usize| (0..POINTS).filter(|p| reference.down[k][*p]).collect::<Vec<_>>();
    let mut problem = LqProblem::new(n, (0..count).map(|k| joints.len() + 3 * active(k).len()));
    let points = Points::of(model).expect("a plan has two feet");
    let mut step = StepModel::new(model.clone(), points, dt);
    let mut data = Data::new(model);
    let mut column = vec![0.0; nv];
    for k in 0..count {
        let points = active(k);
        let stage = &mut problem.stages[k];
        let m = joints.len() + 3 * points.len();
        let inside = plan.has_both(k);
        if inside {
            step.linearise(plan, k);
        } else {
            // the ends of an open motion: nobody steps from there
            step.stand_still();
        }
        crba(model, &mut data, plan.configuration(k));
        let _ = factored_mass_matrix(model, &mut data, plan.configuration(k));
        forward_kinematics(model, &mut data, plan.configuration(k));
        // Δ M⁻¹ times columns
        let solve = |data: &Data, column: &mut [f64]| {
            data.solve_mass_matrix(model, column);
            column.iter_mut().for_each(|x| *x *= dt);
        };
        let mut jerk = vec![0.0; 2 * nv * nv];
        for (half, by) in [&step.by_q, &step.by_v].into_iter().enumerate() {
            for c in 0..nv {
                column.iter_mut().zip(&by[c * nv..(c + 1) * nv]).for_each(|(x, d)| *x = -d);
                solve(&data, &mut column);
                jerk[(half * nv + c) * nv..(half * nv + c + 1) * nv].copy_from_slice(&column);
            }
        }
        let (by_q, by_v) = jerk.split_at(nv * nv);
        let fx = &mut stage.fx;
        // columns of T_q and T_v are sparse: identity but for rotations
        for c in 0..nv {
            for r in 0..nv {
                let (tq, tv) = (step.t_q[c * nv + r], step.t_v[c * nv + r]);
                fx[c * n + r] = tq;
                fx[(nv + c) * n + r] = tv;
                if tq != 0.0 {
                    (0..nv).for_each(|i| fx[c * n + nv + i] += tq * by_q[r * nv + i]);
                }
                if tv != 0.0 {
                    (0..nv).for_each(|i| fx[(nv + c) * n + nv + i] += tv * by_q[r * nv + i]);
                }
            }
            fx[(nv + c) * n + nv + c] += 1.0;
            (0..nv).for_each(|i| fx[(nv + c) * n + nv + i] += by_v[c * nv + i]);
        }
        for (c, d) in joints.iter().enumerate() {
            column.fill(0.0);
            column[*d] = 1.0;
            solve(&data, &mut column);
            stage.fu[c * n + nv..(c + 1) * n].copy_from_slice(&column);
            stage.luu[c * (m + 1)] = weights.error[*d] + weights.size[*d];
            stage.lu[c] = weights.size[*d] * plan.torques(k)[*d];
        }
        for (i, &p) in points.iter().enumerate() {
            let mut jacobian = vec![0.0; 3 * nv];
            let place = step.points.place(model, &data, p);
            data.point_jacobian(model, step.points.body(p), &place, &mut jacobian);
            for x in 0..3 {
                let c = joints.len() + 3 * i + x;
                (0..nv).for_each(|d| column[d] = jacobian[3 * d + x]);
                solve(&data, &mut column);
                stage.fu[c * n + nv..(c + 1) * n].copy_from_slice(&column);
                stage.luu[c * (m + 1)] = weights.force[p];
                stage.lu[c] = weights.force[p] * plan.forces[k][p][x];
            }
        }
        (0..n).for_each(|d| stage.lxx[d * (n + 1)] = weights.state[d]);
    }
    problem
}
