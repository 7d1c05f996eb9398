//! Random linear-quadratic problems, and their solution as one dense system of equations.
use crate::random::Random;
use nalgebra::{DMatrix, DVector};
use sinew_solve::riccati::LqProblem;

/// What the problems should be like.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Rank of the Hessians in the state.
    pub(crate) rank: usize,
    /// Part of the curvature in the state that is taken off: makes the values indefinite.
    pub(crate) indefinite: f64,
}

pub(crate) fn problem(random: &mut Random, nx: usize, controls: &[usize], kind: Kind) -> LqProblem {
    let mut problem = LqProblem::new(nx, controls.iter().copied());
    for stage in &mut problem.stages {
        let nu = stage.nu();
        stage.fx = random.vector(nx * nx).iter().map(|v| 0.3 * v).collect();
        (0..nx).for_each(|i| stage.fx[i * (nx + 1)] += 1.0);
        stage.fu = random.vector(nx * nu);
        stage.f0 = random.vector(nx);
        stage.lxx = random.semidefinite(nx, kind.rank, 1.0, -kind.indefinite);
        stage.luu = random.semidefinite(nu, nu, 1.0, 1.0);
        stage.lxu = random.vector(nx * nu).iter().map(|v| 0.05 * v).collect();
        stage.lx = random.vector(nx);
        stage.lu = random.vector(nu);
        stage.l0 = random.number();
    }
    problem.terminal.lxx = random.semidefinite(nx, kind.rank, 1.0, 0.0);
    problem.terminal.lx = random.vector(nx);
    problem.terminal.l0 = random.number();
    problem
}

/// Hessian H, gradient g over (x_0, u_0, x_1, …, x_N), and the rows C z = d of the dynamics. The layout is given
/// by the offsets.
pub(crate) struct Dense {
    pub(crate) h: DMatrix<f64>,
    pub(crate) g: DVector<f64>,
    pub(crate) c: DMatrix<f64>,
    pub(crate) d: DVector<f64>,
    /// Offset of x_k and of u_k.
    pub(crate) x: Vec<usize>,
    pub(crate) u: Vec<usize>,
    pub(crate) constant: f64,
}

impl Dense {
    pub(crate) fn new(p: &LqProblem) -> Self {
        let n = p.nx();
        let (mut x, mut u, mut size) = (vec![], vec![], 0);
        for s in &p.stages {
            x.push(size);
            u.push(size + n);
            size += n + s.nu();
        }
        x.push(size);
        size += n;
        let rows = n * p.stages.len();
        let (mut h, mut g) = (DMatrix::zeros(size, size), DVector::zeros(size));
        let (mut c, mut d) = (DMatrix::zeros(rows, size), DVector::zeros(rows));
        let mut constant = p.terminal.l0;
        for (k, s) in p.stages.iter().enumerate() {
            let m = s.nu();
            h.view_mut((x[k], x[k]), (n, n)).copy_from(&DMatrix::from_column_slice(n, n, &s.lxx));
            h.view_mut((u[k], u[k]), (m, m)).copy_from(&DMatrix::from_column_slice(m, m, &s.luu));
            let lxu = DMatrix::from_column_slice(n, m, &s.lxu);
            h.view_mut((x[k], u[k]), (n, m)).copy_from(&lxu);
            h.view_mut((u[k], x[k]), (m, n)).copy_from(&lxu.transpose());
            g.rows_mut(x[k], n).copy_from_slice(&s.lx);
            g.rows_mut(u[k], m).copy_from_slice(&s.lu);
            // x⁺ − F_x x − F_u u = f_0
            c.view_mut((k * n, x[k]), (n, n)).copy_from(&-DMatrix::from_column_slice(n, n, &s.fx));
            c.view_mut((k * n, u[k]), (n, m)).copy_from(&-DMatrix::from_column_slice(n, m, &s.fu));
            c.view_mut((k * n, x[k + 1]), (n, n)).copy_from(&DMatrix::identity(n, n));
            d.rows_mut(k * n, n).copy_from_slice(&s.f0);
            constant += s.l0;
        }
        let last = x[p.stages.len()];
        h.view_mut((last, last), (n, n)).copy_from(&DMatrix::from_column_slice(n, n, &p.terminal.lxx));
        g.rows_mut(last, n).copy_from_slice(&p.terminal.lx);
        Self { h, g, c, d, x, u, constant }
    }

    /// Adds the rows x_0 = value.
    pub(crate) fn fix_start(&mut self, value: &[f64]) {
        let (rows, size, n) = (self.c.nrows(), self.c.ncols(), value.len());
        self.c = self.c.clone().resize_vertically(rows + n, 0.0);
        self.d = self.d.clone().resize_vertically(rows + n, 0.0);
        self.c.view_mut((rows, 0), (n, size.min(n))).copy_from(&DMatrix::identity(n, n));
        self.d.rows_mut(rows, n).copy_from_slice(value);
    }

    /// Adds the rows x_N − x_0 = shift.
    pub(crate) fn tie_ends(&mut self, shift: &[f64]) {
        let (rows, n, last) = (self.c.nrows(), shift.len(), self.x[self.x.len() - 1]);
        self.c = self.c.clone().resize_vertically(rows + n, 0.0);
        self.d = self.d.clone().resize_vertically(rows + n, 0.0);
        for i in 0..n {
            (self.c[(rows + i, i)], self.c[(rows + i, last + i)]) = (-1.0, 1.0);
            self.d[rows + i] = shift[i];
        }
    }

    /// Solves the optimality conditions; returns z and the optimal cost.
    pub(crate) fn solve(&self) -> (DVector<f64>, f64) {
        let (size, rows) = (self.h.nrows(), self.c.nrows());
        let mut kkt = DMatrix::zeros(size + rows, size + rows);
        kkt.view_mut((0, 0), (size, size)).copy_from(&self.h);
        kkt.view_mut((size, 0), (rows, size)).copy_from(&self.c);
        kkt.view_mut((0, size), (size, rows)).copy_from(&self.c.transpose());
        let mut rhs = DVector::zeros(size + rows);
        rhs.rows_mut(0, size).copy_from(&-&self.g);
        rhs.rows_mut(size, rows).copy_from(&self.d);
        let z = kkt.full_piv_lu().solve(&rhs).expect("a regular system").rows(0, size).into_owned();
        let cost = (0.5 * z.transpose() * &self.h * &z)[0] + self.g.dot(&z) + self.constant;
        (z, cost)
    }
}
