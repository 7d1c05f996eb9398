//! Value functions along trajectories: an optimal trajectory, feedback, and a quadratic model of the cost to go around it.
//!
//! ```text
//! v̂(x, t) = v(t) + p(t)ᵀΔx + ½ Δxᵀ P(t) Δx,      u = ū(t) + K(t) Δx,      Δx = x ⊖ x̄(t)
//! ```
//! [`Ddp`] gives all of it. For a stochastic problem `s(t) = ½∫ tr(CCᵀP)` is added; it cancels in the shares of components only where
//! their `P` agree.
//!
//! The model is local and has no error bound. Far from its trajectory it may promise less than nothing, so values are held at zero and above, and
//! a [`Trust`] adds `½ ((‖Δx‖_W/r)² − 1)²` beyond the radius `r`: a component far from where it knows its way never looks cheap.
//!
//! Components are kept in files: bytes with a version and lengths, little-endian, read with checks.

use crate::ddp::{Ddp, Problem};
use crate::dense::Cholesky;

/// The region in which a local model is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Trust {
    /// Weights W of the squares of the differences, one per tangent coordinate.
    pub weights: Vec<f64>,
    /// r
    pub radius: f64,
    /// Cost per unit of what is beyond.
    pub cost: f64,
}

/// A trajectory with feedback and values. See [`Along::of`].
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    step: f64,
    sizes: Sizes,
    /// States x̄, nx each.
    xs: Vec<f64>,
    /// Controls ū, nu each.
    us: Vec<f64>,
    /// K, nu × ndx each, column-major.
    gains: Vec<f64>,
    /// v
    values: Vec<f64>,
    /// p
    gradients: Vec<f64>,
    /// P, both triangles.
    hessians: Vec<f64>,
    /// Region in which the model is used; everywhere by default.
    pub trust: Option<Trust>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    nodes: usize,
    nx: usize,
    ndx: usize,
    nu: usize,
}

/// Bytes that are not a component.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlongError {
    /// Something else, or a later version.
    #[error("this is not a component of version 1; prepare it again")]
    Kind,
    /// Too short, too long, or with a number that is not finite.
    #[error("the component is damaged ({0}); prepare it again")]
    Damaged(&'static str),
}

const MAGIC: &[u8; 8] = b"snwalng1";

impl Along {
    /// The component of a solved problem with a time step in s; the number of controls must be the same in every step. With the softness λ of a
    /// stochastic problem, `s(t)` is added.
    ///
    /// # Panics
    /// When the number of controls varies.
    pub fn of<P: Problem>(problem: &P, ddp: &Ddp<P>, step: f64, softness: Option<f64>) -> Along {
        let (nodes, nx, ndx) = (problem.nodes(), problem.nx(), problem.ndx());
        let nu = if nodes > 0 { problem.nu(0) } else { 0 };
        assert!((0..nodes).all(|k| problem.nu(k) == nu), "as many controls in every step");
        let sizes = Sizes { nodes, nx, ndx, nu };
        let mut along = Along {
            step,
            sizes,
            xs: (0..=nodes).flat_map(|k| ddp.state(k).to_vec()).collect(),
            us: (0..nodes).flat_map(|k| ddp.control(k).to_vec()).collect(),
            gains: Vec::with_capacity(nodes * nu * ndx),
            values: vec![0.0; nodes + 1],
            gradients: (0..=nodes).flat_map(|k| ddp.policy().value_gradient(k).to_vec()).collect(),
            hessians: vec![0.0; (nodes + 1) * ndx * ndx],
            trust: None,
        };
        for k in 0..nodes {
            let gain = ddp.policy().gain(k);
            along
                .gains
                .extend((0..ndx).flat_map(|j| (0..nu).map(move |i| (i, j))).map(|(i, j)| gain.get(i, j)));
        }
        for k in 0..=nodes {
            ddp.policy().value_hessian(k, &mut along.hessians[k * ndx * ndx..][..ndx * ndx]);
        }
        let mut next = vec![0.0; nx];
        along.values[nodes] = problem.calc_end(ddp.state(nodes), &mut problem.data(nodes));
        let mut cholesky = Cholesky::with_capacity(nu);
        for k in (0..nodes).rev() {
            let cost = problem.calc(k, ddp.state(k), ddp.control(k), &mut problem.data(k), &mut next);
            let stage = &ddp.linearisation().stages[k];
            let ahead = &along.hessians[(k + 1) * ndx * ndx..][..ndx * ndx];
            let noise = softness
                .map_or(0.0, |l| 0.5 * l * reach(ahead, &stage.fu, &stage.luu, (ndx, nu), &mut cholesky));
            along.values[k] = along.values[k + 1] + cost + noise;
        }
        along
    }

    /// The trust model.
    #[must_use]
    pub fn trusted(self, trust: Trust) -> Along {
        Along { trust: Some(trust), ..self }
    }

    /// Number of steps.
    pub fn nodes(&self) -> usize {
        self.sizes.nodes
    }

    /// Length of a step, s.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// How long it takes, s.
    pub fn duration(&self) -> f64 {
        self.step * self.sizes.nodes as f64
    }

    /// The node of a time, held to the trajectory.
    pub fn node(&self, t: f64) -> usize {
        // a step that ends within rounding of a node has reached it
        (libm::floor(t / self.step + 1e-9).max(0.0) as usize).min(self.sizes.nodes)
    }

    /// x̄ at a node.
    pub fn state(&self, node: usize) -> &[f64] {
        &self.xs[node * self.sizes.nx..][..self.sizes.nx]
    }

    /// ū of a step; that of the last one at the end.
    pub fn control(&self, node: usize) -> &[f64] {
        let node = node.min(self.sizes.nodes.saturating_sub(1));
        &self.us[node * self.sizes.nu..][..self.sizes.nu]
    }

    /// Writes `ū + KΔx`.
    pub fn law(&self, node: usize, dx: &[f64], u: &mut [f64]) {
        let Sizes { nodes, ndx, nu, .. } = self.sizes;
        let node = node.min(nodes.saturating_sub(1));
        u.copy_from_slice(self.control(node));
        for (j, d) in dx.iter().enumerate() {
            let column = &self.gains[(node * ndx + j) * nu..][..nu];
            u.iter_mut().zip(column).for_each(|(u, k)| *u += k * d);
        }
    }

    /// P at a node, column-major.
    pub fn hessian(&self, node: usize) -> &[f64] {
        let square = self.sizes.ndx * self.sizes.ndx;
        &self.hessians[node * square..][..square]
    }

    /// v̂ at a node: never below zero, and with a high cost outside the region of trust.
    pub fn value(&self, node: usize, dx: &[f64]) -> f64 {
        let n = self.sizes.ndx;
        let (p, hessian) = (&self.gradients[node * n..][..n], self.hessian(node));
        let mut v = self.values[node];
        for (j, d) in dx.iter().enumerate() {
            let row: f64 = hessian[j * n..][..n].iter().zip(dx).map(|(h, x)| h * x).sum();
            v += d * (p[j] + 0.5 * row);
        }
        v = v.max(0.0);
        if let Some(trust) = &self.trust {
            let far: f64 = dx.iter().zip(&trust.weights).map(|(d, w)| w * d * d).sum();
            let beyond = far / (trust.radius * trust.radius) - 1.0;
            if beyond > 0.0 {
                v += 0.5 * trust.cost * beyond * beyond;
            }
        }
        v
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Sizes { nodes, nx, ndx, nu } = self.sizes;
        let mut bytes = MAGIC.to_vec();
        let trusted = self.trust.as_ref().map_or(0, |t| t.weights.len());
        for n in [nodes, nx, ndx, nu, trusted] {
            bytes.extend((n as u64).to_le_bytes());
        }
        let trust = self
            .trust
            .as_ref()
            .map_or(Vec::new(), |t| t.weights.iter().copied().chain([t.radius, t.cost]).collect());
        let lists: [&[f64]; 8] = [
            &[self.step],
            &self.xs,
            &self.us,
            &self.gains,
            &self.values,
            &self.gradients,
            &self.hessians,
            &trust,
        ];
        bytes.extend(lists.iter().flat_map(|list| list.iter()).flat_map(|v| v.to_le_bytes()));
        bytes
    }

    /// From bytes.
    ///
    /// # Errors
    /// When they are something else, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Along, AlongError> {
        let (head, rest) = bytes.split_at_checked(48).ok_or(AlongError::Kind)?;
        if &head[..8] != MAGIC {
            return Err(AlongError::Kind);
        }
        let (words, numbers) = (head[8..].chunks_exact(8), rest.chunks_exact(8));
        let sizes: Vec<usize> = words.map(|w| number(w, u64::from_le_bytes) as usize).collect();
        let [nodes, nx, ndx, nu, trusted] = sizes[..] else { return Err(AlongError::Kind) };
        if sizes.iter().any(|n| *n > 1 << 20) || !numbers.remainder().is_empty() {
            return Err(AlongError::Damaged("sizes"));
        }
        let trust = if trusted > 0 { trusted + 2 } else { 0 };
        let lengths = [1, (nodes + 1) * nx, nodes * nu, nodes * nu * ndx, nodes + 1, (nodes + 1) * ndx];
        let lengths: Vec<usize> = lengths.into_iter().chain([(nodes + 1) * ndx * ndx, trust]).collect();
        if lengths.iter().sum::<usize>() * 8 != rest.len() || (trusted > 0 && trusted != ndx) {
            return Err(AlongError::Damaged("length"));
        }
        let mut numbers = numbers.map(|w| number(w, f64::from_le_bytes));
        let mut lists: Vec<Vec<f64>> = lengths.iter().map(|n| numbers.by_ref().take(*n).collect()).collect();
        if lists.iter().flatten().any(|v| !v.is_finite()) || !(lists[0][0] > 0.0) {
            return Err(AlongError::Damaged("a number"));
        }
        let mut take = |k: usize| std::mem::take(&mut lists[k]);
        let mut weights = take(7);
        let trust = weights.pop().zip(weights.pop()).map(|(cost, radius)| Trust { weights, radius, cost });
        Ok(Along {
            step: take(0)[0],
            sizes: Sizes { nodes, nx, ndx, nu },
            xs: take(1),
            us: take(2),
            gains: take(3),
            values: take(4),
            gradients: take(5),
            hessians: take(6),
            trust,
        })
    }
}

/// Eight bytes as a number.
fn number<T>(word: &[u8], read: fn([u8; 8]) -> T) -> T {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(word);
    read(bytes)
}

/// `tr(P F_u L_uu⁻¹ F_uᵀ)`, the noise of a step in terms of its control: with costs and dynamics of a step of length h this is `h tr(P B R⁻¹Bᵀ)`.
fn reach(p: &[f64], fu: &[f64], luu: &[f64], (n, m): (usize, usize), cholesky: &mut Cholesky) -> f64 {
    if cholesky.factor(m, luu).is_err() {
        return 0.0;
    }
    let (mut sum, mut row) = (0.0, vec![0.0; m]);
    for i in 0..n {
        // row i of F_u, then L_uu⁻¹ of it
        (0..m).for_each(|k| row[k] = fu[k * n + i]);
        cholesky.solve(&mut row);
        for j in 0..n {
            let entry: f64 = (0..m).map(|k| row[k] * fu[k * n + j]).sum();
            sum += p[j * n + i] * entry;
        }
    }
    sum
}
