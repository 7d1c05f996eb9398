"""Imports what `cargo run -p sinew-motion --example exchange` wrote into Blender, and compares.

    python tools/check_in_blender.py FOLDER

Needs Blender as a Python module (`pip install bpy`). Blender has z up and looks along -y: our (x, y, z) is its (y, -x, z).
"""

import json
import sys
from pathlib import Path

import bpy
from mathutils import Vector

TOLERANCE = 5e-6  # m; Blender computes in single precision

folder = Path(sys.argv[1])
expected = json.loads((folder / "walk.json").read_text())
rate, names, places = expected["rate"], expected["bodies"], expected["places"]
failures = []


def check(what, ok, found):
    print(f"{'ok ' if ok else 'NOT'} {what}: {found}")
    if not ok:
        failures.append(what)


def ours(v):
    return Vector((v[1], -v[0], v[2]))


def motion(kind, armature, first):
    """Bone count, duration, and the place of every joint in every frame."""
    scene = bpy.context.scene
    check(f"{kind}: bones", sorted(b.name for b in armature.pose.bones) == sorted(names), len(armature.pose.bones))
    start, end = bpy.data.actions[-1].frame_range
    found = (end - start) / scene.render.fps
    check(f"{kind}: duration", abs(found - (len(places) - 1) / rate) < 1e-4, f"{found:.4f} s at {scene.render.fps} Hz")
    worst, way = 0.0, []
    for k, row in enumerate(places):
        scene.frame_set(first + k)
        for name, place in zip(names, row):
            head = armature.matrix_world @ armature.pose.bones[name].head
            worst = max(worst, (head - ours(place)).length)
        way.append(armature.matrix_world @ armature.pose.bones[names[0]].head)
    check(f"{kind}: joints in all {len(places)} frames", worst < TOLERANCE, f"worst {worst:.1e} m")
    forward = way[0].y - way[-1].y
    check(f"{kind}: the root walks forward", forward > 0.5, f"{forward:.3f} m")


# glTF
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = round(rate)
bpy.ops.import_scene.gltf(filepath=str(folder / "walk.glb"))
armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
motion("glTF", armature, 0)
body = next(o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers))


def extent():
    shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    heights = [(body.matrix_world @ v.co).z for v in shown.data.vertices]
    return min(heights), max(heights)


low, high = extent()
check("glTF: feet near the ground at the end", -0.02 < low < 0.02, f"{low:.4f} m")
armature.data.pose_position = "REST"
bpy.context.view_layer.update()
low, high = extent()
check("glTF: height at rest", abs(high - low - expected["height"]) < 0.02, f"{high - low:.4f} m")
check("glTF: skin and colours", len(body.data.materials) >= 4, f"{len(body.data.vertices)} vertices, {len(body.data.materials)} materials")

# BVH, in centimetres
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_anim.bvh(filepath=str(folder / "walk.bvh"), global_scale=0.01, frame_start=1, update_scene_fps=True)
motion("BVH", next(o for o in bpy.data.objects if o.type == "ARMATURE"), 1)

sys.exit(1 if failures else 0)
