"""Times a fallen body in Sinew and in MuJoCo, round by round on the same core.

The body is the built-in human42, or that of an MJCF file with a free root: limp, every part able to touch the ground and
nothing but the ground, let go with small velocities of its joints; every step of 1 ms from one second to four after that is
timed. MuJoCo loads the same file (of human42 what `sinew export` writes) without its actuators and its own surroundings, and
takes its steps with Newton's method, once with elliptic and once with pyramidal cones of friction; only `mj_step` is
timed. One fall, and eight that begin a little differently.

    cargo build --release
    python tools/falls_beside_mujoco.py [MODEL.xml] [--sinew target/release/sinew] [--rounds 3] [--bound 1.2]

Prints medians and means over all steps and their ratios, the median of the rounds. Exit code 1 when the ratio of the medians to
either cone of MuJoCo is above the bound, 2 when the file is of no use.
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


class Refused(Exception):
    """Why nothing can be timed."""


def run(sinew, *arguments):
    """What a command of Sinew prints."""
    env = {k: v for k, v in os.environ.items() if k != "DATA_DIR"}
    try:
        done = subprocess.run([sinew, *arguments], capture_output=True, text=True, env=env)
    except OSError as error:
        raise Refused(f"cannot run `{sinew}` ({error.strerror}); build it, or name it with --sinew") from error
    if done.returncode:
        raise Refused(f"`sinew {' '.join(arguments)}`: {done.stderr.strip()}")
    return done.stdout


def load(sinew, file):
    """The body of Sinew's benchmark above a floor."""
    try:
        if file:
            spec = mujoco.MjSpec.from_file(file)
        else:
            with tempfile.TemporaryDirectory() as folder:
                built_in = os.path.join(folder, "human42.xml")
                run(sinew, "export", "human42", "--to", built_in)
                spec = mujoco.MjSpec.from_file(built_in)
        bodies = [b for b in spec.bodies if b.name != "world"]
        touching = [g for b in bodies for g in b.geoms if g.contype or g.conaffinity]
        friction = touching[0].friction[0] if touching else 0.8
        for body in bodies:
            touches = any(g.contype or g.conaffinity for g in body.geoms)
            for geom in body.geoms:
                if not touches:
                    geom.friction[0] = friction
                geom.contype, geom.conaffinity = int(not touches or geom.contype or geom.conaffinity), 0
        for geom in spec.worldbody.geoms:
            geom.contype, geom.conaffinity = 0, 0
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], contype=0, conaffinity=1, friction=[friction, 0, 0]
        )
        spec.option.timestep = 1e-3
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
        spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
        model = spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        raise Refused(f"MuJoCo cannot read `{file}`: {error}") from error
    if not model.njnt or model.jnt_type[0] != mujoco.mjtJoint.mjJNT_FREE:
        raise Refused(f"`{file}`: the first joint must be free, or nothing falls")
    return model


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


def ours(sinew, file, bench):
    """Median and mean of Sinew's own benchmark."""
    line = json.loads(run(sinew, "bench", "--json", "--only", bench, "--model", file or "human42"))
    return line["median_us"], line["mean_us"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", help="MJCF file of a body with a free root (default: the built-in human42)")
    parser.add_argument("--sinew", default="target/release/sinew")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bound", type=float, default=1.2)
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    try:
        return compare(args)
    except Refused as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2


def compare(args):
    """Prints the table; 1 when a ratio is above the bound."""
    model, worst = load(args.sinew, args.model), 0.0
    print(f"MuJoCo {mujoco.__version__}, {model.nv} degrees of freedom; microseconds, ratio Sinew / MuJoCo")
    for bench, count in FALLS.items():
        rounds = {cone: [] for cone in CONES}
        for _ in range(args.rounds):
            us = ours(args.sinew, args.model, bench)
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
