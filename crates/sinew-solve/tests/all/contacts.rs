//! Random frictional contact problems, in the form of Stewart and Trinkle.
use crate::random::Random;

/// Contact velocities w = A f + b over (normal, tangent, tangent) of each contact, and friction coefficients.
pub(crate) struct Contacts {
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) mu: Vec<f64>,
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let l = a.iter().map(|v| v * v).sum::<f64>().sqrt();
    a.map(|v| v / l)
}

impl Contacts {
    /// `count` contacts of `bodies` free boxes with the ground or with each other. With many contacts on few
    /// bodies most of them are redundant, as the four corners of a foot are.
    pub(crate) fn boxes(random: &mut Random, bodies: usize, count: usize) -> Self {
        let nv = 6 * bodies;
        let mut jacobian = vec![0.0; 3 * count * nv];
        let inertia: Vec<f64> = (0..bodies)
            .flat_map(|_| {
                let m = 1.0 + 4.0 * random.number().abs();
                let i = [0.02, 0.03, 0.05].map(|k| k * m);
                [m, m, m, i[0], i[1], i[2]]
            })
            .collect();
        let velocity: Vec<f64> =
            (0..nv).map(|k| random.number() - if k % 6 == 2 { 0.5 } else { 0.0 }).collect();
        for c in 0..count {
            let first = random.below(bodies);
            let second = (bodies > 1 && random.below(3) == 0).then(|| (first + 1) % bodies);
            // towards the first body; the ground is level, other faces are not
            let normal = if second.is_none() {
                [0.0, 0.0, 1.0]
            } else {
                unit([random.number(), random.number(), 1.5 + random.number()])
            };
            let t1 =
                unit(cross(normal, if normal[0].abs() > 0.5 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] }));
            let axes = [normal, t1, cross(normal, t1)];
            for (body, sign) in [(Some(first), 1.0), (second, -1.0)] {
                let Some(body) = body else { continue };
                let corner = random.below(8);
                let side = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                // corners of a box: many contacts share a place
                let arm =
                    [0.15 * side(0), 0.1 * side(1), if second.is_none() { -0.2 } else { 0.2 * side(2) }];
                for (k, axis) in axes.iter().enumerate() {
                    let turn = cross(arm, *axis);
                    for i in 0..3 {
                        jacobian[(3 * c + k) * nv + 6 * body + i] += sign * axis[i];
                        jacobian[(3 * c + k) * nv + 6 * body + 3 + i] += sign * turn[i];
                    }
                }
            }
        }
        Self::from_jacobian(random, &jacobian, &inertia, &velocity)
    }

    /// `count` contacts on a tree of `nv` coordinates: dense random Jacobian rows and inertias of very different
    /// size.
    pub(crate) fn tree(random: &mut Random, nv: usize, count: usize) -> Self {
        let jacobian = random.vector(3 * count * nv);
        let inertia: Vec<f64> = (0..nv).map(|_| libm::exp(4.6 * random.number())).collect();
        let velocity = random.vector(nv);
        Self::from_jacobian(random, &jacobian, &inertia, &velocity)
    }

    fn from_jacobian(random: &mut Random, jacobian: &[f64], inertia: &[f64], velocity: &[f64]) -> Self {
        let nv = inertia.len();
        let m = jacobian.len() / nv;
        let row = |i: usize| &jacobian[i * nv..(i + 1) * nv];
        let mut a = vec![0.0; m * m];
        for j in 0..m {
            for i in 0..=j {
                let entry = (0..nv).map(|k| row(i)[k] * row(j)[k] / inertia[k]).sum();
                (a[i + j * m], a[j + i * m]) = (entry, entry);
            }
        }
        let b = (0..m).map(|i| (0..nv).map(|k| row(i)[k] * velocity[k]).sum()).collect();
        let mu = (0..m / 3).map(|_| [0.0, 0.3, 0.7, 1.0][random.below(4)]).collect();
        Self { a, b, mu }
    }

    pub(crate) fn count(&self) -> usize {
        self.mu.len()
    }

    /// Changes the velocities by what random forces of the given size do, so that they stay those of bodies.
    pub(crate) fn disturb(&mut self, random: &mut Random, size: f64) {
        let m = self.b.len();
        for j in 0..m {
            let force = size * random.number();
            (0..m).for_each(|i| self.b[i] += self.a[i + j * m] * force);
        }
    }

    /// The complementarity problem over (λ, β, σ) with `sides` friction directions at each contact: M
    /// (column-major) and q.
    pub(crate) fn lcp(&self, sides: usize) -> (Vec<f64>, Vec<f64>) {
        let (c, m) = (self.count(), 3 * self.count());
        let n = c * (2 + sides);
        let direction = |j: usize| {
            let angle = 2.0 * std::f64::consts::PI * j as f64 / sides as f64;
            [libm::cos(angle), libm::sin(angle)]
        };
        // force direction (and velocity row) of variable k, as (contact, components)
        let component = |k: usize| {
            if k < c {
                (k, [1.0, 0.0, 0.0])
            } else {
                let d = direction((k - c) % sides);
                ((k - c) / sides, [0.0, d[0], d[1]])
            }
        };
        let forces = c * (1 + sides);
        let (mut matrix, mut q) = (vec![0.0; n * n], vec![0.0; n]);
        for j in 0..forces {
            let (cj, dj) = component(j);
            for i in 0..forces {
                let (ci, di) = component(i);
                for x in 0..3 {
                    for y in 0..3 {
                        matrix[i + j * n] += di[x] * self.a[3 * ci + x + (3 * cj + y) * m] * dj[y];
                    }
                }
            }
            for x in 0..3 {
                q[j] += dj[x] * self.b[3 * cj + x];
            }
        }
        for k in 0..c {
            let sigma = forces + k;
            matrix[sigma + k * n] = self.mu[k];
            for s in 0..sides {
                let beta = c + k * sides + s;
                matrix[sigma + beta * n] = -1.0;
                matrix[beta + sigma * n] = 1.0;
            }
        }
        (matrix, q)
    }
}
