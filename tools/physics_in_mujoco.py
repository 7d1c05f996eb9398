"""Four of the tests of docs/physics.md in MuJoCo, for comparison.

    sinew export human --to human.xml
    python tools/physics_in_mujoco.py human.xml [TEST…]

The same sizes, masses, friction and postures as in crates/sinew-lab/examples/physics; times are of the processor.
"""

import sys
import time

import mujoco
import numpy as np

G = 9.81
GROUND = '<geom type="plane" size="100 100 1" friction="{mu}" contype="0" conaffinity="1"/>'


def model(body, dt, option="", mu=1.0):
    text = (
        f'<mujoco><option timestep="{dt}" gravity="0 0 -{G}" cone="elliptic" {option}/>'
        f'<size memory="200M"/><worldbody>{GROUND.format(mu=mu)}{body}</worldbody></mujoco>'
    )
    return mujoco.MjModel.from_xml_string(text)


def free(kind, size, mass, mu, at):
    return (
        f'<body pos="{at}"><freejoint/><geom type="{kind}" size="{size}" mass="{mass}" friction="{mu}"/></body>'
    )


def play(m, d, seconds, look=None):
    """Steps; returns simulated seconds per second of the processor, and microseconds per step."""
    steps, spent = round(seconds / m.opt.timestep), 0.0
    for _ in range(steps):
        begin = time.thread_time()
        mujoco.mj_step(m, d)
        spent += time.thread_time() - begin
        if look:
            look(d)
    return seconds / spent, 1e6 * spent / steps


def row(name, knob, error, also, speed):
    print(f"| {name} | {knob} | {error:.2e} | {also:.2e} | {speed[0]:.2f} | {speed[1]:.1f} |", flush=True)


def rolling(_):
    # friction of a pair is the greater one here: 0.4 below the slab, 0.8 above
    slab = free("box", "10 10 0.5", 10, 0.4, "0 0 0.5")
    balls = "".join(free("sphere", "0.5", 1, 0.8, f"{i * 2 - 4} {j * 2 - 4} 1.5") for i in range(5) for j in range(5))
    mu = 0.4 * 35 * G
    each = (150 - mu) / 10 / 6
    a_slab, a_ball = (150 - mu - 25 * each) / 10, each
    along = np.array([0.5, 0.75**0.5, 0])
    for name, option in [("defaults", ""), ("impratio 10, noslip 10", 'impratio="10" noslip_iterations="10"')]:
        for dt in [8e-3, 4e-3, 2e-3, 1e-3, 5e-4]:
            m = model(slab + balls, dt, option, 0.4)
            d = mujoco.MjData(m)
            d.xfrc_applied[1, :3] = 150 * along
            error, across = [], [0.0]

            def look(d):
                a, b = d.qvel[:3], d.qvel[6 * 13 : 6 * 13 + 3]
                error.append(np.sum((a - along * a_slab * d.time) ** 2) + np.sum((b - along * a_ball * d.time) ** 2))
                across.append(np.linalg.norm(a - along * (a @ along)))

            speed = play(m, d, 4.0, look)
            row(name, dt, np.mean(error) ** 0.5, max(across), speed)


def heap(_):
    rng = np.random.default_rng(42)
    jitter = rng.uniform(0, 1e-3, (216, 2))
    places = [(k // 36, k // 6 % 6, k % 6) for k in range(216)]
    balls = "".join(
        free("sphere", "0.1", 10, 0.8, f"{0.21 * i + x} {0.21 * j + y} {0.101 + 0.21 * l}")
        for (i, j, l), (x, y) in zip(places, jitter)
    )
    for dt in [8e-3, 4e-3, 2e-3]:
        m = model(balls, dt, mu=0.8)
        d = mujoco.MjData(m)
        depths, worst = [0.0, 0], [0.0]

        def look(d):
            depth = np.maximum(-d.contact.dist[: d.ncon], 0)
            depths[0] += np.sum(depth**2)
            depths[1] += d.ncon
            worst[0] = max(worst[0], depth.max(initial=0))

        speed = play(m, d, 2.0, look)
        row("defaults", dt, (depths[0] / max(depths[1], 1)) ** 0.5, worst[0], speed)


def crowd(human):
    dt = 1e-3
    for count in [1, 2, 5, 10, 20, 50, 100]:
        spec = mujoco.MjSpec()
        spec.option.timestep = dt
        spec.memory = 500_000_000
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_PLANE, size=[100, 100, 1], friction=[0.8, 0.005, 0.0001], contype=0, conaffinity=1
        )
        for k in range(count):
            frame = spec.worldbody.add_frame(pos=[1.5 * (k % 10), 1.5 * (k // 10), 0])
            spec.attach(mujoco.MjSpec.from_file(human), frame=frame, prefix=f"{k}/")
        m = spec.compile()
        d = mujoco.MjData(m)
        one = mujoco.MjModel.from_xml_path(human)
        ready = one.key("ready").qpos
        gains = hold_gains(one, ready, dt)
        for k in range(count):
            at = d.qpos[k * one.nq : (k + 1) * one.nq]
            at[:] = ready
            at[:2] += [1.5 * (k % 10), 1.5 * (k // 10)]
        posture, error = d.qpos.copy(), np.zeros(m.nv)
        stiffness, damping = np.tile(gains[0], count), np.tile(gains[1], count)
        warm, steps = 200, max(400, 4000 // count)
        spent = 0.0
        for step in range(warm + steps):
            mujoco.mj_differentiatePos(m, error, 1, d.qpos, posture)
            d.qfrc_applied[:] = stiffness * error - damping * d.qvel
            begin = time.thread_time()
            mujoco.mj_step(m, d)
            spent += time.thread_time() - begin if step >= warm else 0
        row("defaults", count, count * steps / spent, d.solver_niter[0], (dt * steps / spent, 1e6 * spent / steps))


def hold_gains(m, q, dt):
    """The gains of sinew_world::scenes::Hold."""
    d = mujoco.MjData(m)
    d.qpos[:] = q
    mujoco.mj_forward(m, d)
    inverse = np.eye(m.nv)
    mujoco.mj_solveM(m, d, inverse, np.eye(m.nv))
    inertia = 1 / np.diag(inverse)
    stiffness = np.minimum(4000, 0.4 * inertia / dt**2)
    stiffness[:6] = 0
    return stiffness, np.minimum(0.05 * stiffness, 0.5 * inertia / dt)


def thrown(human):
    for name, integrator in [("Euler", "EULER"), ("RK4", "RK4")]:
        for dt in [8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4]:
            m = mujoco.MjModel.from_xml_path(human)
            m.jnt_limited[:] = 0
            m.dof_damping[:] = 0
            m.jnt_stiffness[:] = 0
            m.opt.timestep = dt
            m.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
            m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
            d = mujoco.MjData(m)
            d.qpos[2] += 100
            trunk, force = m.body("upper_back").id, np.array([0, 0, 2 * G * m.body_mass.sum()])
            for _ in range(round(1 / dt)):
                mujoco.mj_kinematics(m, d)
                mujoco.mj_comPos(m, d)
                arm = d.xpos[trunk] + d.xmat[trunk].reshape(3, 3) @ [0.01, 0.01, 0.15] - d.xipos[trunk]
                d.xfrc_applied[trunk] = np.concatenate([force, np.cross(arm, force)])
                mujoco.mj_step(m, d)
            d.xfrc_applied[:] = 0
            mujoco.mj_forward(m, d)
            first, kinetic, error = d.energy.sum(), d.energy[1], []

            def look(d):
                mujoco.mj_forward(m, d)
                error.append((d.energy.sum() - first) / kinetic)

            speed = play(m, d, 2.0, look)
            row(name, dt, np.mean(np.square(error)) ** 0.5, error[-1], speed)


TESTS = {"rolling": rolling, "heap": heap, "crowd": crowd, "thrown": thrown}

if __name__ == "__main__":
    print(f"MuJoCo {mujoco.__version__}: | series | dt, bodies | error | also | real time | step µs |")
    for test in sys.argv[2:] or TESTS:
        print(f"\n{test}")
        TESTS[test](sys.argv[1])
