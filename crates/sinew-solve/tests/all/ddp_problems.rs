//! Systems for the tests of trajectory optimisation.
use sinew_solve::ddp::{Problem, Start};
use sinew_solve::riccati::{LqProblem, Stage, Terminal};

/// A linear-quadratic problem, with bounds or a tie between the ends if asked for.
pub(crate) struct Linear {
    pub(crate) lq: LqProblem,
    pub(crate) bounds: Option<(Vec<f64>, Vec<f64>)>,
    /// x_N = x_0 + shift, x_0 free.
    pub(crate) shift: Option<Vec<f64>>,
}

/// ½xᵀAx
fn half_square(a: &[f64], x: &[f64]) -> f64 {
    let n = x.len();
    (0..n).map(|j| (0..n).map(|i| 0.5 * x[i] * a[i.max(j) + i.min(j) * n] * x[j]).sum::<f64>()).sum()
}

/// y ← y + Ax
fn add(a: &[f64], x: &[f64], y: &mut [f64]) {
    let n = y.len();
    x.iter().enumerate().for_each(|(j, x)| (0..n).for_each(|i| y[i] += a[i + j * n] * x));
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Problem for Linear {
    type Data = ();
    fn nodes(&self) -> usize {
        self.lq.stages.len()
    }
    fn nx(&self) -> usize {
        self.lq.nx()
    }
    fn nu(&self, node: usize) -> usize {
        self.lq.stages[node].nu()
    }
    fn data(&self, _: usize) {}
    fn calc(&self, node: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        let s = &self.lq.stages[node];
        next.copy_from_slice(&s.f0);
        add(&s.fx, x, next);
        add(&s.fu, u, next);
        let mut cross = vec![0.0; x.len()];
        add(&s.lxu, u, &mut cross);
        half_square(&s.lxx, x)
            + half_square(&s.luu, u)
            + dot(&cross, x)
            + dot(&s.lx, x)
            + dot(&s.lu, u)
            + s.l0
    }
    fn calc_diff(&self, node: usize, x: &[f64], u: &[f64], _: &mut (), stage: &mut Stage) {
        let s = &self.lq.stages[node];
        *stage = s.clone();
        stage.l0 = 0.0;
        add(&s.lxx, x, &mut stage.lx);
        add(&s.lxu, u, &mut stage.lx);
        add(&s.luu, u, &mut stage.lu);
        for j in 0..u.len() {
            stage.lu[j] += dot(&s.lxu[j * x.len()..(j + 1) * x.len()], x);
        }
    }
    fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
        half_square(&self.lq.terminal.lxx, x) + dot(&self.lq.terminal.lx, x) + self.lq.terminal.l0
    }
    fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut Terminal) {
        *end = self.lq.terminal.clone();
        end.l0 = 0.0;
        add(&self.lq.terminal.lxx, x, &mut end.lx);
    }
    fn bounds(&self, node: usize) -> Option<(&[f64], &[f64])> {
        self.bounds.as_ref().map(|(lo, hi)| (&lo[..self.nu(node)], &hi[..self.nu(node)]))
    }
    fn start(&self) -> Start {
        if self.shift.is_some() { Start::Free } else { Start::Fixed }
    }
    fn boundary_len(&self) -> usize {
        self.shift.as_ref().map_or(0, Vec::len)
    }
    fn boundary(&self, first: &[f64], last: &[f64], c: &mut [f64]) {
        let shift = self.shift.as_ref().expect("asked only when there is one");
        (0..c.len()).for_each(|i| c[i] = last[i] - first[i] - shift[i]);
    }
    fn boundary_diff(&self, _: &[f64], _: &[f64], by_first: &mut [f64], by_last: &mut [f64]) {
        let n = self.nx();
        (0..n).for_each(|i| (by_first[i * (n + 1)], by_last[i * (n + 1)]) = (-1.0, 1.0));
    }
}

/// θ'' = u − 9.81 sin θ (0 hangs, π stands), semi-implicit Euler.
pub(crate) struct Pendulum {
    pub(crate) nodes: usize,
    pub(crate) h: f64,
    /// Weight of the last state's distance from standing still upright.
    pub(crate) weight: f64,
    /// Whether the last state must be there exactly.
    pub(crate) pinned: bool,
    pub(crate) limit: Option<([f64; 1], [f64; 1])>,
}

impl Pendulum {
    pub(crate) fn swing_up() -> Self {
        Self { nodes: 150, h: 0.02, weight: 100.0, pinned: false, limit: None }
    }
}

const R: f64 = 1e-2;
const TARGET: [f64; 2] = [std::f64::consts::PI, 0.0];

impl Problem for Pendulum {
    type Data = ();
    fn nodes(&self) -> usize {
        self.nodes
    }
    fn nx(&self) -> usize {
        2
    }
    fn nu(&self, _: usize) -> usize {
        1
    }
    fn data(&self, _: usize) {}
    fn calc(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        next[1] = x[1] + self.h * (u[0] - 9.81 * x[0].sin());
        next[0] = x[0] + self.h * next[1];
        0.5 * R * u[0] * u[0]
    }
    fn calc_diff(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), stage: &mut Stage) {
        let h = self.h;
        let a = -9.81 * h * x[0].cos();
        stage.fx.copy_from_slice(&[1.0 + h * a, a, h, 1.0]);
        stage.fu.copy_from_slice(&[h * h, h]);
        (stage.luu[0], stage.lu[0]) = (R, R * u[0]);
    }
    fn add_second_order(
        &self,
        _: usize,
        x: &[f64],
        _: &[f64],
        _: &mut (),
        costate: &[f64],
        stage: &mut Stage,
    ) {
        let h = self.h;
        stage.lxx[0] += (h * costate[0] + costate[1]) * 9.81 * h * x[0].sin();
    }
    fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
        0.5 * self.weight * (0..2).map(|i| (x[i] - TARGET[i]).powi(2)).sum::<f64>()
    }
    fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut Terminal) {
        end.lxx.copy_from_slice(&[self.weight, 0.0, 0.0, self.weight]);
        (0..2).for_each(|i| end.lx[i] = self.weight * (x[i] - TARGET[i]));
    }
    fn bounds(&self, _: usize) -> Option<(&[f64], &[f64])> {
        self.limit.as_ref().map(|(lo, hi)| (&lo[..], &hi[..]))
    }
    fn boundary_len(&self) -> usize {
        if self.pinned { 2 } else { 0 }
    }
    fn boundary(&self, _: &[f64], last: &[f64], c: &mut [f64]) {
        (0..2).for_each(|i| c[i] = last[i] - TARGET[i]);
    }
    fn boundary_diff(&self, _: &[f64], _: &[f64], _: &mut [f64], by_last: &mut [f64]) {
        by_last.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }
}

/// Derivatives of a step by central differences in the tangents, Gauss-Newton left to the caller.
pub(crate) fn differences<P: Problem>(
    p: &P,
    node: usize,
    x: &[f64],
    u: &[f64],
    data: &mut P::Data,
    stage: &mut Stage,
) {
    let (nx, n, m, e) = (p.nx(), p.ndx(), u.len(), 1e-6);
    let (mut moved, mut plus, mut minus, mut dx) =
        (vec![0.0; nx], vec![0.0; nx], vec![0.0; nx], vec![0.0; n]);
    let mut column = vec![0.0; n];
    let mut slope = |plus: &[f64], minus: &[f64], out: &mut [f64]| {
        p.difference(minus, plus, &mut column);
        out.iter_mut().zip(&column).for_each(|(o, c)| *o = c / (2.0 * e));
    };
    for j in 0..n {
        for (sign, out) in [(e, &mut plus), (-e, &mut minus)] {
            dx.fill(0.0);
            dx[j] = sign;
            p.integrate(x, &dx, &mut moved);
            p.calc(node, &moved, u, data, out);
        }
        slope(&plus, &minus, &mut stage.fx[j * n..(j + 1) * n]);
    }
    let mut v = u.to_vec();
    for j in 0..m {
        for (sign, out) in [(e, &mut plus), (-e, &mut minus)] {
            v.copy_from_slice(u);
            v[j] += sign;
            p.calc(node, x, &v, data, out);
        }
        slope(&plus, &minus, &mut stage.fu[j * n..(j + 1) * n]);
    }
}

/// Two unit links with unit masses at their ends and a motor between them; angles from the horizontal.
/// Semi-implicit Euler.
pub(crate) struct Acrobot {
    pub(crate) nodes: usize,
    pub(crate) h: f64,
}

impl Acrobot {
    pub(crate) fn acceleration(q: [f64; 2], v: [f64; 2], u: f64) -> [f64; 2] {
        let (s2, c2) = q[1].sin_cos();
        let g = 9.81;
        let m = [3.0 + 2.0 * c2, 1.0 + c2, 1.0];
        let b = [
            s2 * (2.0 * v[0] * v[1] + v[1] * v[1]) - g * (2.0 * q[0].cos() + (q[0] + q[1]).cos()),
            u - s2 * v[0] * v[0] - g * (q[0] + q[1]).cos(),
        ];
        let det = m[0] * m[2] - m[1] * m[1];
        [(m[2] * b[0] - m[1] * b[1]) / det, (m[0] * b[1] - m[1] * b[0]) / det]
    }
}

const HANDSTAND: [f64; 4] = [std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0];

impl Problem for Acrobot {
    type Data = ();
    fn nodes(&self) -> usize {
        self.nodes
    }
    fn nx(&self) -> usize {
        4
    }
    fn nu(&self, _: usize) -> usize {
        1
    }
    fn data(&self, _: usize) {}
    fn calc(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        let a = Self::acceleration([x[0], x[1]], [x[2], x[3]], u[0]);
        for i in 0..2 {
            next[2 + i] = x[2 + i] + self.h * a[i];
            next[i] = x[i] + self.h * next[2 + i];
        }
        0.5 * self.h * 0.1 * u[0] * u[0]
    }
    fn calc_diff(&self, node: usize, x: &[f64], u: &[f64], data: &mut (), stage: &mut Stage) {
        differences(self, node, x, u, data, stage);
        (stage.luu[0], stage.lu[0]) = (self.h * 0.1, self.h * 0.1 * u[0]);
    }
    fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
        (0..4).map(|i| 500.0 * (x[i] - HANDSTAND[i]).powi(2)).sum()
    }
    fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut Terminal) {
        for i in 0..4 {
            end.lxx[i * 5] = 1000.0;
            end.lx[i] = 1000.0 * (x[i] - HANDSTAND[i]);
        }
    }
}

/// A body that turns about its centre: state (quaternion w x y z, body angular velocity), torque control; to reach
/// a given attitude at rest.
pub(crate) struct Attitude {
    pub(crate) goal: [f64; 4],
}

const INERTIA: [f64; 3] = [1.0, 2.0, 0.5];

fn product(a: &[f64], b: &[f64]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

fn exp(w: &[f64]) -> [f64; 4] {
    let angle = dot(w, w).sqrt();
    let s = if angle < 1e-8 { 0.5 } else { (0.5 * angle).sin() / angle };
    [(0.5 * angle).cos(), s * w[0], s * w[1], s * w[2]]
}

fn log(q: [f64; 4]) -> [f64; 3] {
    let q = if q[0] < 0.0 { q.map(|v| -v) } else { q };
    let s = dot(&q[1..], &q[1..]).sqrt();
    let f = if s < 1e-12 { 2.0 } else { 2.0 * s.atan2(q[0]) / s };
    [f * q[1], f * q[2], f * q[3]]
}

impl Attitude {
    pub(crate) fn error(&self, x: &[f64]) -> [f64; 3] {
        let g = self.goal;
        log(product(&[g[0], -g[1], -g[2], -g[3]], &x[..4]))
    }
}

impl Problem for Attitude {
    type Data = ();
    fn nodes(&self) -> usize {
        50
    }
    fn nx(&self) -> usize {
        7
    }
    fn ndx(&self) -> usize {
        6
    }
    fn nu(&self, _: usize) -> usize {
        3
    }
    fn data(&self, _: usize) {}
    fn integrate(&self, x: &[f64], dx: &[f64], out: &mut [f64]) {
        out[..4].copy_from_slice(&product(&x[..4], &exp(&dx[..3])));
        (0..3).for_each(|i| out[4 + i] = x[4 + i] + dx[3 + i]);
    }
    fn difference(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        out[..3].copy_from_slice(&log(product(&[from[0], -from[1], -from[2], -from[3]], &to[..4])));
        (0..3).for_each(|i| out[3 + i] = to[4 + i] - from[4 + i]);
    }
    fn calc(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        let (w, h) = (&x[4..7], 0.04);
        let l = [INERTIA[0] * w[0], INERTIA[1] * w[1], INERTIA[2] * w[2]];
        let gyro = [w[1] * l[2] - w[2] * l[1], w[2] * l[0] - w[0] * l[2], w[0] * l[1] - w[1] * l[0]];
        let mut turn = [0.0; 3];
        for i in 0..3 {
            next[4 + i] = w[i] + h * (u[i] - gyro[i]) / INERTIA[i];
            turn[i] = h * next[4 + i];
        }
        next[..4].copy_from_slice(&product(&x[..4], &exp(&turn)));
        0.5 * h * dot(u, u)
    }
    fn calc_diff(&self, node: usize, x: &[f64], u: &[f64], data: &mut (), stage: &mut Stage) {
        differences(self, node, x, u, data, stage);
        (0..3).for_each(|i| (stage.luu[i * 4], stage.lu[i]) = (0.04, 0.04 * u[i]));
    }
    fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
        let e = self.error(x);
        500.0 * (dot(&e, &e) + dot(&x[4..], &x[4..]))
    }
    fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut Terminal) {
        // the logarithm's derivative is the identity to first order near the goal: Gauss-Newton with differences
        let (e, step) = (self.error(x), 1e-6);
        let mut jacobian = [[0.0; 3]; 3];
        for j in 0..3 {
            let mut d = [0.0; 6];
            d[j] = step;
            let mut moved = [0.0; 7];
            self.integrate(x, &d, &mut moved);
            let plus = self.error(&moved);
            d[j] = -step;
            self.integrate(x, &d, &mut moved);
            let minus = self.error(&moved);
            (0..3).for_each(|i| jacobian[j][i] = (plus[i] - minus[i]) / (2.0 * step));
        }
        for j in 0..3 {
            end.lx[j] = 1000.0 * dot(&jacobian[j], &e);
            end.lx[3 + j] = 1000.0 * x[4 + j];
            (0..3).for_each(|i| end.lxx[i + j * 6] = 1000.0 * dot(&jacobian[i], &jacobian[j]));
            end.lxx[(3 + j) * 7] = 1000.0;
        }
    }
}

/// A driven pendulum that is to follow a sine through one cycle and end where it began.
pub(crate) struct Cycle {
    pub(crate) nodes: usize,
}

impl Cycle {
    fn reference(&self, node: usize) -> f64 {
        (2.0 * std::f64::consts::PI * node as f64 / self.nodes as f64).sin()
    }
}

impl Problem for Cycle {
    type Data = ();
    fn nodes(&self) -> usize {
        self.nodes
    }
    fn nx(&self) -> usize {
        2
    }
    fn nu(&self, _: usize) -> usize {
        1
    }
    fn data(&self, _: usize) {}
    fn calc(&self, node: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        let h = 0.02;
        next[1] = x[1] + h * (u[0] - 9.81 * x[0].sin() - 0.5 * x[1]);
        next[0] = x[0] + h * next[1];
        0.5 * (1e-3 * u[0] * u[0] + (x[0] - self.reference(node)).powi(2))
    }
    fn calc_diff(&self, node: usize, x: &[f64], u: &[f64], data: &mut (), stage: &mut Stage) {
        differences(self, node, x, u, data, stage);
        (stage.luu[0], stage.lu[0]) = (1e-3, 1e-3 * u[0]);
        (stage.lxx[0], stage.lx[0]) = (1.0, x[0] - self.reference(node));
    }
    fn calc_end(&self, _: &[f64], _: &mut ()) -> f64 {
        0.0
    }
    fn calc_end_diff(&self, _: &[f64], _: &mut (), end: &mut Terminal) {
        end.lx.fill(0.0);
        end.lxx.fill(0.0);
    }
    fn start(&self) -> Start {
        Start::Free
    }
    fn boundary_len(&self) -> usize {
        2
    }
    fn boundary(&self, first: &[f64], last: &[f64], c: &mut [f64]) {
        (0..2).for_each(|i| c[i] = last[i] - first[i]);
    }
    fn boundary_diff(&self, _: &[f64], _: &[f64], by_first: &mut [f64], by_last: &mut [f64]) {
        by_first.copy_from_slice(&[-1.0, 0.0, 0.0, -1.0]);
        by_last.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }
}
