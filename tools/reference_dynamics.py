#!/usr/bin/env python3
"""Dynamics of the built-in body `human42` at a few states, to 50 digits, from first principles.

    python3 tools/reference_dynamics.py > crates/sinew-dynamics/tests/data/human42.json

Needs mpmath. Shares nothing with the library: the mass matrix is the sum over bodies of J' m J and J' I J with Jacobians from the
chain of joints, and what velocities cost is the second difference in time of the positions and orientations themselves, at 50 digits.
States are multiples of 1/1000, so that the file is exact.
"""

import json
import random
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from mpmath import cos, lu_solve, matrix, mp, mpf, sin, sqrt

mp.dps = 50
STEP = mpf(10) ** -15
CHARACTER = Path(__file__).parent.parent / "crates/sinew-dynamics/characters/human42.xml"


def vec(text):
    return matrix([mpf(x) for x in text.split()])


def cross(a, b):
    return matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rotation(q):
    w, x, y, z = q
    return matrix([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def turn(phi):
    """Rotation by a rotation vector."""
    angle = sqrt(dot(phi, phi))
    if angle == 0:
        return matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    a = phi / angle
    return rotation([cos(angle / 2)] + [sin(angle / 2) * x for x in a])


class Body:
    def __init__(self, element, parent):
        inertial = element.find("inertial")
        self.name, self.parent, self.pos = element.get("name"), parent, vec(element.get("pos", "0 0 0"))
        self.mass, self.com = mpf(inertial.get("mass")), vec(inertial.get("pos"))
        self.inertia = vec(inertial.get("diaginertia"))


def bodies():
    out = []

    def visit(element, parent):
        out.append(Body(element, parent))
        me = len(out) - 1
        for child in element.findall("body"):
            visit(child, me)

    visit(ET.parse(CHARACTER).getroot().find("worldbody").find("body"), None)
    return out


def unit(q):
    q = [mpf(x) / 1000 for x in q]
    length = sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def frames(all_bodies, state, v, t):
    """Frames of all bodies when coordinates have moved on at rates v for a time t."""
    root, turns = state
    out = []
    for k, body in enumerate(all_bodies):
        r = rotation(turns[k])
        r = r * turn(matrix(v[3 * k + 3 : 3 * k + 6]) * t)
        if body.parent is None:
            out.append((root + matrix(v[:3]) * t, r))
        else:
            p, outer = out[body.parent]
            out.append((p + outer * body.pos, outer * r))
    return out


def evaluate(all_bodies, state, v, tau, x):
    nv = 3 * len(all_bodies) + 3
    gravity = matrix([0, 0, -mpf("9.81")])
    now, before, after = (frames(all_bodies, state, v, t) for t in (0, -STEP, STEP))
    m, h = matrix(nv, nv), matrix(nv, 1)
    com, linear, mass = matrix([0, 0, 0]), matrix([0, 0, 0]), mpf(0)
    motions = []
    for k, body in enumerate(all_bodies):
        path, up = [], k
        while up is not None:
            path.append(up)
            up = all_bodies[up].parent
        centre = now[k][0] + now[k][1] * body.com
        columns = [(c, matrix([int(c == i) for i in range(3)]), matrix([0, 0, 0])) for c in range(3)]
        for joint in path:
            place, r = now[joint]
            for i in range(3):
                axis = matrix([r[0, i], r[1, i], r[2, i]])
                columns.append((3 * joint + 3 + i, cross(axis, centre - place), axis))
        spread = matrix(3, 3)
        for i in range(3):
            spread[i, i] = body.inertia[i]
        inertia = now[k][1] * spread * now[k][1].T
        where = [f[k][0] + f[k][1] * body.com for f in (before, now, after)]
        drift = (where[0] - 2 * where[1] + where[2]) / STEP**2
        # R' R^T and its rate
        first = (after[k][1] - before[k][1]) / (2 * STEP)
        second = (after[k][1] - 2 * now[k][1] + before[k][1]) / STEP**2
        spin = first * now[k][1].T
        w = matrix([spin[2, 1], spin[0, 2], spin[1, 0]])
        rate = second * now[k][1].T + first * first.T
        alpha = matrix([rate[2, 1], rate[0, 2], rate[1, 0]])
        force = body.mass * (drift - gravity)
        moment = inertia * alpha + cross(w, inertia * w)
        velocity = matrix([0, 0, 0])
        for c, lin, ang in columns:
            h[c] += dot(lin, force) + dot(ang, moment)
            velocity += lin * v[c]
            for d, lin2, ang2 in columns:
                m[c, d] += body.mass * dot(lin, lin2) + dot(ang, inertia * ang2)
        com += centre * body.mass
        linear += velocity * body.mass
        mass += body.mass
        motions.append((body.mass, centre, velocity, inertia * w))
    com /= mass
    angular = matrix([0, 0, 0])
    for weight, centre, velocity, own in motions:
        angular += cross(centre - com, velocity) * weight + own
    acceleration = lu_solve(m, matrix(tau) - h)
    return {"Mx": m * matrix(x), "h": h, "qacc": acceleration, "com": com, "linmom": linear, "angmom": angular}


def main():
    all_bodies = bodies()
    nv = 3 * len(all_bodies) + 3
    dice = random.Random(42)
    states = []
    for _ in range(3):
        number = lambda most: [dice.randrange(-most, most + 1) for _ in range(3)]
        root = number(2000)
        turns = [[dice.randrange(400, 1000)] + number(600) for _ in all_bodies]
        v = [dice.randrange(-3000, 3001) for _ in range(nv)]
        tau = [dice.randrange(-50000, 50001) for _ in range(nv)]
        x = [dice.randrange(-1000, 1001) for _ in range(nv)]
        state = (matrix([mpf(a) / 1000 for a in root]), [unit(t) for t in turns])
        scaled = [[mpf(a) / 1000 for a in list_] for list_ in (v, tau, x)]
        answer = evaluate(all_bodies, state, *scaled)
        answer = {key: [float(mp.nstr(a, 17)) for a in value] for key, value in answer.items()}
        states.append({"root": root, "turns": turns, "v": v, "tau": tau, "x": x, **answer})
    about = (
        "Dynamics of the built-in body human42 by tools/reference_dynamics.py, 50 digits. root (m), turns (quaternions w x y z, not"
        " unit), v, tau and x are in thousandths; layout and frames are those of the state (CONTRIBUTING.md). Mx is the mass matrix"
        " times x, h the bias with gravity, qacc the acceleration under tau; momentum in world axes, angular about the centre of mass."
    )
    lines = ",\n".join(json.dumps(state) for state in states)
    sys.stdout.write(f'{{"about": {json.dumps(about)},\n"states": [\n{lines}\n]}}\n')


main()
