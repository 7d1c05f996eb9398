//! Linear dynamics with quadratic costs: the value function is quadratic, `v = ½xᵀPx + pᵀx + s`.
//!
//! ```text
//! −Ṗ = Q + AᵀP + PA − PBR⁻¹BᵀP,    −ṗ = (A − BR⁻¹BᵀP)ᵀ p,    −ṡ = ½ tr(CCᵀP) − ½ pᵀBR⁻¹Bᵀp,    CCᵀ = λBR⁻¹Bᵀ
//! ```
//! integrated backwards by the classical Runge-Kutta method.

/// `½xᵀPx + pᵀx + s`
#[derive(Clone, Debug, PartialEq)]
pub struct Quadratic {
    /// P, symmetric, column-major.
    pub hessian: Vec<f64>,
    /// p
    pub gradient: Vec<f64>,
    /// s
    pub constant: f64,
}

impl Quadratic {
    /// `½(x − x̄)ᵀG(x − x̄)`
    pub fn about(center: &[f64], stiffness: &[f64]) -> Quadratic {
        let n = center.len();
        let pull = |i: usize| -(0..n).map(|j| stiffness[j * n + i] * center[j]).sum::<f64>();
        let gradient: Vec<f64> = (0..n).map(pull).collect();
        let constant = -0.5 * gradient.iter().zip(center).map(|(g, x)| g * x).sum::<f64>();
        Quadratic { hessian: stiffness.to_vec(), gradient, constant }
    }

    /// The value.
    pub fn value(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let one = |i: usize| {
            let row: f64 = (0..n).map(|j| self.hessian[j * n + i] * x[j]).sum();
            x[i] * (0.5 * row + self.gradient[i])
        };
        (0..n).map(one).sum::<f64>() + self.constant
    }

    /// Writes the gradient at `x`.
    pub fn slope(&self, x: &[f64], out: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            out[i] = self.gradient[i] + (0..n).map(|j| self.hessian[j * n + i] * x[j]).sum::<f64>();
        }
    }
}

/// `dx = (Ax + Bu) dt + C dω` with the cost `½xᵀQx + ½uᵀRu`.
///
/// ```
/// use sinew_solve::linear_bellman::{LinearQuadratic, Quadratic};
/// let lq = LinearQuadratic::new(1, &[0.0], &[1.0], &[1.0], &[1.0], 1.0);
/// let v = lq.back(&Quadratic::about(&[0.0], &[0.0]), 1.0, 100);
/// assert!((v.hessian[0] - 1f64.tanh()).abs() < 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LinearQuadratic {
    n: usize,
    a: Vec<f64>,
    q: Vec<f64>,
    /// `BR⁻¹Bᵀ`
    reach: Vec<f64>,
    softness: f64,
}

impl LinearQuadratic {
    /// Matrices are column-major; R is diagonal and given by its diagonal.
    ///
    /// # Panics
    /// When sizes do not agree.
    pub fn new(n: usize, a: &[f64], b: &[f64], q: &[f64], r: &[f64], softness: f64) -> LinearQuadratic {
        assert!(a.len() == n * n && q.len() == n * n && b.len() == n * r.len(), "sizes of matrices");
        let mut reach = vec![0.0; n * n];
        for (k, r) in r.iter().enumerate() {
            for j in 0..n {
                (0..n).for_each(|i| reach[j * n + i] += b[k * n + i] * b[k * n + j] / r);
            }
        }
        LinearQuadratic { n, a: a.to_vec(), q: q.to_vec(), reach, softness }
    }

    /// The value function a time before the end.
    pub fn back(&self, end: &Quadratic, time: f64, steps: usize) -> Quadratic {
        let h = time / steps as f64;
        let mut now = end.clone();
        for _ in 0..steps {
            let k1 = self.rate(&now);
            let k2 = self.rate(&moved(&now, &k1, 0.5 * h));
            let k3 = self.rate(&moved(&now, &k2, 0.5 * h));
            let k4 = self.rate(&moved(&now, &k3, h));
            for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
                now = moved(&now, &k, weight * h / 6.0);
            }
        }
        now
    }

    /// Derivatives with respect to the time to go.
    fn rate(&self, v: &Quadratic) -> Quadratic {
        let n = self.n;
        let (p, g) = (&v.hessian, &v.gradient);
        let at = |m: &[f64], i: usize, j: usize| m[j * n + i];
        let product = |x: &[f64], y: &[f64]| -> Vec<f64> {
            let one = |k: usize| (0..n).map(|l| at(x, k % n, l) * at(y, l, k / n)).sum();
            (0..n * n).map(one).collect()
        };
        let (pa, mp) = (product(p, &self.a), product(&self.reach, p));
        let pmp = product(p, &mp);
        let hessian = (0..n * n).map(|k| {
            let (i, j) = (k % n, k / n);
            self.q[k] + at(&pa, i, j) + at(&pa, j, i) - pmp[k]
        });
        let gradient = (0..n).map(|i| (0..n).map(|j| (at(&self.a, j, i) - at(&mp, j, i)) * g[j]).sum());
        let mg: Vec<f64> = (0..n).map(|i| (0..n).map(|j| at(&self.reach, i, j) * g[j]).sum()).collect();
        let trace: f64 = (0..n).map(|i| at(&mp, i, i)).sum();
        let pull: f64 = mg.iter().zip(g).map(|(m, g)| m * g).sum();
        Quadratic {
            hessian: hessian.collect(),
            gradient: gradient.collect(),
            constant: 0.5 * self.softness * trace - 0.5 * pull,
        }
    }
}

fn moved(from: &Quadratic, by: &Quadratic, step: f64) -> Quadratic {
    let add = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + step * b).collect();
    Quadratic {
        hessian: add(&from.hessian, &by.hessian),
        gradient: add(&from.gradient, &by.gradient),
        constant: from.constant + step * by.constant,
    }
}
