// The skin of a character: triangles grown in the reference pose, whose vertices follow up to four parts each (linear blend
// skinning). It is grown by the program that sends it; here it is only moved and coloured.

import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Matrix4,
  MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
} from 'three';
import type { Part } from '../run/scene';
import type { Table } from '../run/unpack';
import { matrixOf } from './matrix';

/** The columns of a skin, a vertex or a triangle per row. */
export interface SkinData {
  /** The parts that it covers. */
  parts: number[];
  table(name: 'place' | 'normal' | 'color' | 'part' | 'weight' | 'corner'): Table;
}

export interface Skin {
  mesh: SkinnedMesh;
  /** One per part; whoever moves the parts moves these. */
  bones: Bone[];
  /** How hot every part is drawn, from 0 to 1. */
  heat: Float32Array;
}

/** The skin that parts wear; null when it has no triangles. */
export function wear(parts: Part[], skin: SkinData): Skin | null {
  const corners = Uint32Array.from(skin.table('corner').data, Math.round);
  if (corners.length === 0) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(skin.table('place').data, 3));
  geometry.setAttribute('normal', new BufferAttribute(skin.table('normal').data, 3));
  geometry.setAttribute('color', new BufferAttribute(skin.table('color').data, 3));
  geometry.setAttribute('skinWeight', new BufferAttribute(skin.table('weight').data, 4));
  const followed = Uint16Array.from(skin.table('part').data, Math.round);
  geometry.setAttribute('skinIndex', new BufferAttribute(followed, 4));
  geometry.setIndex(new BufferAttribute(corners, 1));

  const bones = parts.map(() => new Bone());
  const inverses = parts.map(part => matrixOf(part.rest).invert());
  const heat = new Float32Array(parts.length);
  const mesh = new SkinnedMesh(geometry, materialOf(heat));
  mesh.add(...bones);
  // with a matrix of its own, binding keeps our inverses
  mesh.bind(new Skeleton(bones, inverses), new Matrix4());
  mesh.castShadow = mesh.receiveShadow = true;
  // bones carry it far from where it grew
  mesh.frustumCulled = false;
  return { mesh, bones, heat };
}

/** Lets bodies glow from their own colour over amber to red. */
function materialOf(heat: Float32Array): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.72, metalness: 0 });
  // the number of bodies is part of the program
  material.customProgramCacheKey = () => `glow ${heat.length}`;
  material.onBeforeCompile = shader => {
    shader.uniforms.heat = { value: heat };
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>\nuniform float heat[${heat.length}];\nvarying float warmth;`,
      )
      .replace(
        '#include <begin_vertex>',
        `#include <begin_vertex>
warmth = skinWeight.x * heat[int(skinIndex.x)] + skinWeight.y * heat[int(skinIndex.y)]
  + skinWeight.z * heat[int(skinIndex.z)] + skinWeight.w * heat[int(skinIndex.w)];`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying float warmth;')
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
vec3 hot = mix(vec3(1.0, 0.62, 0.05), vec3(0.85, 0.03, 0.02), smoothstep(0.45, 1.0, warmth));
diffuseColor.rgb = mix(diffuseColor.rgb, hot, smoothstep(0.03, 0.55, warmth));`,
      );
  };
  return material;
}
