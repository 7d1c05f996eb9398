"""Replays recordings in MuJoCo: does its inverse dynamics find the forces that are on record?

For each sampled step k the state (q_k, v_k) and the acceleration (v_{k+1} - v_k)/dt go into mj_inverse, with contacts,
limits and friction of MuJoCo's own switched off. Steps that begin with a coordinate turning faster than meta.midpoint_above,
or in which something from outside pushes harder than the weight, take the mean of v_k and v_{k+1} for the velocity, except in the dampers of joints. The generalised force that it returns (springs and dampers of the joints
already taken out) must be what the recording says acted: tau + constraint + sum of J^T f over contacts and outside forces.
The greatest difference is printed relative to the weight. To show that the comparison can fail, the recorded forces are also
taken a thousandth larger, which must be noticed.

    python replay_in_mujoco.py run.npz [more.npz ...] [--every N] [--bound 1e-6]

Exit codes: 0 they agree, 1 they do not, 2 a file cannot be replayed.
"""

import argparse
import json
import sys

import mujoco
import numpy as np


def load(text):
    """A model of MuJoCo in which nothing acts but gravity, springs and dampers."""
    model = mujoco.MjModel.from_xml_string(text)
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= (
        off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS | off.mjDSBL_EQUALITY
    )
    return model


def turning(model):
    """Which degrees of freedom turn: those of hinges and balls, and the last three of free joints."""
    joint = mujoco.mjtJoint
    turns = np.zeros(model.nv, dtype=bool)
    for kind, start in zip(model.jnt_type, model.jnt_dofadr):
        if kind == joint.mjJNT_FREE:
            turns[start + 3 : start + 6] = True
        elif kind == joint.mjJNT_BALL:
            turns[start : start + 3] = True
        elif kind == joint.mjJNT_HINGE:
            turns[start] = True
    return turns


def forces(run, kind, k):
    """Bodies, points and forces of one step."""
    rows = slice(run[kind + "_offset"][k], run[kind + "_offset"][k + 1])
    return zip(run[kind + "_body"][rows], run[kind + "_point"][rows], run[kind + "_force"][rows])


def replay(path, every):
    """Yields step, residual relative to the weight, the same with forces 0.1 % larger, and number of forces."""
    with np.load(path, allow_pickle=False) as file:
        run = {name: file[name] for name in file.files}
    meta = json.loads(str(run["meta"]))
    if meta["integrator"] != "semi-implicit-euler":
        raise ValueError(f"{path}: integrator {meta['integrator']} has no equation for a single step")
    dt, q, v = meta["dt"], run["q"], run["v"]
    changes = {change["step"]: change for change in meta["body_changes"]}
    model = load(str(run["model"]))
    if (model.nq, model.nv) != (q.shape[1], v.shape[1]):
        raise ValueError(f"{path}: the model has nq {model.nq}, nv {model.nv}; the states {q.shape[1]}, {v.shape[1]}")

    def start(model):
        ids = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, str(n)) for n in run["body_names"]]
        gravity = np.linalg.norm(model.opt.gravity) or 9.81
        return mujoco.MjData(model), ids, model.body_mass.sum() * gravity

    data, ids, weight = start(model)
    jacobian = np.zeros((3, model.nv))
    turns, above = turning(model), meta.get("midpoint_above")
    for k in range(len(q) - 1):
        if k in changes:
            model = load(changes[k]["model"])
            data, ids, weight = start(model)
        if k % every:
            continue
        # a change of the body between two rows belongs to neither step
        v_end = np.array(changes[k + 1]["v_before"]) if k + 1 in changes else v[k + 1]
        pull = model.body_mass.sum() * np.linalg.norm(model.opt.gravity)
        struck = any(np.linalg.norm(force) > pull for _, _, force in forces(run, "external", k))
        in_the_middle = above is not None and (struck or np.abs(v[k][turns]).max(initial=0.0) > above)
        velocity = 0.5 * (v[k] + v_end) if in_the_middle else v[k]
        data.qpos, data.qvel, data.qacc = q[k], velocity, (v_end - v[k]) / dt
        mujoco.mj_inverse(model, data)
        damped = v_end if meta.get("damping") == "implicit" else v[k]
        needed = data.qfrc_inverse + model.dof_damping * (damped - velocity)
        acted = run["tau"][k] + run["constraint"][k]
        count = 0
        for kind in ("contact", "external"):
            for body, point, force in forces(run, kind, k):
                mujoco.mj_jac(model, data, jacobian, None, point, ids[body])
                acted += jacobian.T @ force
                count += 1
        yield k, np.abs(needed - acted).max() / weight, np.abs(needed - 1.001 * acted).max() / weight, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", metavar="RUN.npz")
    parser.add_argument("--every", type=int, default=1, help="sample every so manieth step")
    parser.add_argument("--bound", type=float, default=1e-6, help="greatest difference, over the weight")
    args = parser.parse_args()
    good = True
    for path in args.runs:
        try:
            steps = list(replay(path, args.every))
        except (OSError, ValueError, KeyError) as problem:
            print(f"error: {problem}", file=sys.stderr)
            return 2
        if not steps:
            print(f"error: {path}: fewer than two rows", file=sys.stderr)
            return 2
        # a difference that is not a number is worst of all
        at, worst, _, _ = max(steps, key=lambda s: np.inf if np.isnan(s[1]) else s[1])
        noticed = max(s[2] for s in steps)
        agrees = worst <= args.bound < noticed
        good &= bool(agrees)
        total = sum(s[3] for s in steps)
        print(
            f"{path}: {len(steps)} steps, {total} forces, MuJoCo {mujoco.__version__}: "
            f"worst difference {worst:.2e} of the weight at step {at}, bound {args.bound:.0e} "
            f"(forces 0.1 % larger: {noticed:.2e}): "
            + ("agrees" if agrees else "DIFFERS")
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
