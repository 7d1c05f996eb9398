"""Bodies and dynamics: exact answers, rows of states, other libraries, bad input."""

import numpy as np
import pytest

import sinew


@pytest.fixture(scope="module")
def human() -> sinew.Model:
    return sinew.Model("human")


def states(model: sinew.Model, count: int, seed: int = 1):
    """Random states: the neutral one displaced."""
    random = np.random.default_rng(seed)
    dv = random.normal(scale=0.4, size=(count, model.nv))
    q = model.integrate(np.tile(model.neutral(), (count, 1)), dv)
    v, tau = random.normal(size=(2, count, model.nv))
    return q, v, tau


def test_forward_and_inverse_dynamics_are_inverse(human):
    q, v, tau = states(human, 20)
    a = human.aba(q, v, tau)
    np.testing.assert_allclose(human.rnea(q, v, a), tau, atol=1e-9 * human.mass * 10)
    mass = human.mass_matrix(q)
    np.testing.assert_allclose(mass, mass.transpose(0, 2, 1), atol=1e-12)
    np.testing.assert_allclose(np.einsum("nij,nj->ni", mass, a) + human.bias_force(q, v), tau, atol=1e-8)


def test_energy_is_that_of_the_mass_matrix(human):
    q, v, _ = states(human, 5)
    by_matrix = 0.5 * np.einsum("ni,nij,nj->n", v, human.mass_matrix(q), v)
    np.testing.assert_allclose(human.kinetic_energy(q, v), by_matrix, rtol=1e-12)


def test_derivatives_are_those_of_finite_differences(human):
    q, v, tau = (x[0] for x in states(human, 1))
    steps = 1e-6 * np.eye(human.nv)
    at = lambda sign: human.aba(human.integrate(np.tile(q, (human.nv, 1)), sign * steps), np.tile(v, (human.nv, 1)), np.tile(tau, (human.nv, 1)))
    numeric = ((at(1.0) - at(-1.0)) / 2e-6).T
    exact = human.aba_derivatives(q, v, tau)
    assert exact.shape == (3, human.nv, human.nv)
    np.testing.assert_allclose(exact[0], numeric, atol=1e-4 * np.abs(numeric).max())
    np.testing.assert_allclose(exact[2] @ human.mass_matrix(q), np.eye(human.nv), atol=1e-8)


def test_a_jacobian_is_the_derivative_of_a_pose(human):
    q, v, _ = (x[0] for x in states(human, 1))
    foot = human.bodies.index("foot_l")
    moved = [human.poses(human.integrate(q, s * 1e-6 * v))[foot, :3] for s in (1.0, -1.0)]
    np.testing.assert_allclose((human.jacobian(q, "foot_l") @ v)[:3], (moved[0] - moved[1]) / 2e-6, atol=1e-6)


def test_many_rows_are_as_one_at_a_time(human):
    q, v, tau = states(human, 33)
    many = human.aba(q, v, tau)
    one = np.stack([human.aba(*row) for row in zip(q, v, tau)])
    assert np.array_equal(many, one)
    # lists, other types and other orders of memory are the same numbers
    assert np.array_equal(human.aba(np.asfortranarray(q), v.tolist(), tau), many)


def test_mujoco_computes_the_same(human):
    mujoco = pytest.importorskip("mujoco")
    theirs = mujoco.MjModel.from_xml_string(human.to_mjcf())
    data = mujoco.MjData(theirs)
    q, v, _ = states(human, 10)
    for k in range(len(q)):
        data.qpos[:], data.qvel[:] = q[k], v[k]
        mujoco.mj_forward(theirs, data)
        dense = np.zeros((human.nv, human.nv))
        for column, unit in zip(dense, np.eye(human.nv)):
            mujoco.mj_mulM(theirs, data, column, unit)
        # a free joint's angular velocity is in the body's frame in both
        np.testing.assert_allclose(human.mass_matrix(q[k]), dense, atol=1e-9)


def test_a_model_is_read_from_text_and_file(human, tmp_path):
    text = human.to_mjcf()
    path = tmp_path / "body.xml"
    path.write_text(text)
    for again in (sinew.Model(text), sinew.Model(str(path))):
        assert (again.nq, again.nv) == (human.nq, human.nv)
        assert again.mass == pytest.approx(human.mass)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda m: m.mass_matrix(np.zeros(3)), "must have"),
        (lambda m: m.mass_matrix(np.full(m.nq, np.nan)), "row 0, place 0"),
        (lambda m: m.mass_matrix(np.zeros((2, 2, m.nq))), "its shape is"),
        (lambda m: m.rnea(np.tile(m.neutral(), (2, 1)), np.zeros((3, m.nv)), np.zeros((2, m.nv))), "`v` has 3 rows"),
        (lambda m: m.jacobian(m.neutral(), "tail"), "no body `tail`"),
        (lambda m: sinew.Model("humna"), "human"),
        (lambda m: sinew.Model("missing.xml"), "missing.xml"),
        (lambda m: sinew.Model("<mujoco><worldbody/>"), "cut off"),
    ],
)
def test_bad_input_is_refused_in_words(human, call, says):
    with pytest.raises(sinew.SinewError, match=says):
        call(human)
    # and a SinewError is a ValueError
    assert issubclass(sinew.SinewError, ValueError)
