//! No algorithm allocates once its workspace exists.

use crate::support::Random;
use sinew_dynamics::*;

#[test]
fn algorithms_do_not_allocate() {
    let mut random = Random::new(3);
    let model = random.model(10);
    let mut data = Data::new(&model);
    let (q, v) = (random.configuration(&model), random.reals(model.nv(), 1.0));
    let (mut a, mut tau) = (random.reals(model.nv(), 1.0), random.reals(model.nv(), 1.0));
    let nv = model.nv();
    let prescribed = vec![true; model.joints().len()];
    let mut constraints = Constraints::new(&model, vec![Constraint::body(BodyId(9), Default::default())]);
    constraints.damping = 1e-6;
    let (mut q1, mut dense, mut other, mut jacobian) =
        (q.clone(), vec![0.0; nv * nv], vec![0.0; nv * nv], vec![0.0; 6 * nv]);
    let counted = allocation_counter::measure(|| {
        forward_accelerations(&model, &mut data, &q, &v, &a);
        rnea(&model, &mut data, &q, &v, &a);
        bias_force(&model, &mut data, &q, &v);
        crba(&model, &mut data, &q);
        factor_mass_matrix(&model, &mut data).unwrap();
        data.solve_mass_matrix(&model, &mut tau);
        aba(&model, &mut data, &q, &v, &tau).unwrap();
        hybrid_dynamics(&model, &mut data, &q, &v, &prescribed, &mut a, &mut tau).unwrap();
        joint_jacobians(&model, &mut data, &q);
        data.body_jacobian(&model, BodyId(0), &Default::default(), &mut jacobian);
        com_jacobian(&model, &mut data, &q, &mut jacobian[..3 * nv]);
        centroidal_map(&model, &mut data, &q);
        centroidal_bias(&model, &mut data, &q, &v);
        momentum(&model, &mut data, &q, &v);
        kinetic_energy(&model, &mut data, &q, &v);
        potential_energy(&model, &mut data, &q);
        passive_force(&model, &q, &v, &mut tau);
        rnea_derivatives(&model, &mut data, &q, &v, &a);
        aba_derivatives(&model, &mut data, &q, &v, &tau).unwrap();
        constrained_dynamics_derivatives(&model, &mut data, &mut constraints, &q, &v, &tau).unwrap();
        model.integrate(&q, &v, &mut q1);
        model.difference(&q, &q1, &mut tau);
        model.integrate_jacobians(&v, &mut dense, &mut other);
        model.difference_jacobians(&q, &q1, &mut dense, &mut other);
    });
    assert_eq!(counted.count_total, 0, "allocations in the algorithms");
}
