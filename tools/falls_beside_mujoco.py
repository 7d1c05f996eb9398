"""Times a fallen body in Sinew and in MuJoCo, round by round on the same core.

The body is the built-in human42, limp, every part able to touch the ground and nothing but the ground, let go with small
velocities of its joints; every step of 1 ms from one second to four after that is timed. MuJoCo loads the MJCF that
`sinew export` writes, and takes its steps with Newton's method, once with elliptic and once with pyramidal cones of
friction; only `mj_step` is timed. One fall, and eight that begin a little differently.

    cargo build --release
    python tools/falls_beside_mujoco.py [--sinew target/release/sinew] [--rounds 3] [--bound 1.2]

Prints medians and means over all steps and their ratios, the median of the rounds. Exit code 1 when the ratio of the medians to
either cone of MuJoCo is above the bound.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from time import perf_counter_ns

import mujoco
import numpy as np

CONES = {"elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC, "pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL}
FALLS = {"step_fallen": 1, "step_falls": 8}


def load(sinew):
    """The body of Sinew's benchmark above a floor."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "human42.xml")
        subprocess.run([sinew, "export", "human42", "--to", file], check=True, capture_output=True)
        spec = mujoco.MjSpec.from_file(file)
    friction = next(g.friction[0] for b in spec.bodies for g in b.geoms if g.contype or g.conaffinity)
    for body in spec.bodies:
        touching = any(g.contype or g.conaffinity for g in body.geoms)
        for geom in body.geoms:
            if not touching:
                geom.friction[0] = friction
            geom.contype, geom.conaffinity = int(not touching or geom.contype or geom.conaffinity), 0
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], contype=0, conaffinity=1, friction=[friction, 0, 0]
    )
    spec.option.timestep = 1e-3
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    return spec.compile()


def falls(model, cone, count):
    """Microseconds of the steps of some falls."""
    model.opt.cone = cone
    data, times = mujoco.MjData(model), []
    for fall in range(count):
        mujoco.mj_resetData(model, data)
        data.qvel[6:] = 0.1 * np.sin(1.7 * np.arange(6, model.nv) + fall)
        for step in range(4000):
            start = perf_counter_ns()
            mujoco.mj_step(model, data)
            end = perf_counter_ns()
            if step >= 1000:
                times.append(1e-3 * (end - start))
    return statistics.median(times), statistics.fmean(times)


def ours(sinew, bench):
    """Median and mean of Sinew's own benchmark."""
    out = subprocess.run(
        [sinew, "bench", "--json", "--only", bench], check=True, capture_output=True, text=True,
        env={k: v for k, v in os.environ.items() if k != "DATA_DIR"},
    ).stdout
    line = json.loads(out)
    return line["median_us"], line["mean_us"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", default="target/release/sinew")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bound", type=float, default=1.2)
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    model, worst = load(args.sinew), 0.0
    print(f"MuJoCo {mujoco.__version__}, {model.nv} degrees of freedom; microseconds, ratio Sinew / MuJoCo")
    for bench, count in FALLS.items():
        rounds = {cone: [] for cone in CONES}
        for _ in range(args.rounds):
            us = ours(args.sinew, bench)
            for cone, kind in CONES.items():
                theirs = falls(model, kind, count)
                rounds[cone].append([us[0], theirs[0], us[0] / theirs[0], us[1], theirs[1], us[1] / theirs[1]])
        for cone, rows in rounds.items():
            a = [statistics.median(column) for column in zip(*rows)]
            worst = max(worst, a[2])
            print(
                f"{count} fall{'s' if count > 1 else ' '}  {cone:9}  median {a[0]:6.1f} {a[1]:6.1f} = {a[2]:.2f}"
                f"   mean {a[3]:6.1f} {a[4]:6.1f} = {a[5]:.2f}"
            )
    return int(worst > args.bound)


if __name__ == "__main__":
    sys.exit(main())
