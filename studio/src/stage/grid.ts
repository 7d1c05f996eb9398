// Material of the ground and of terrain: a grid of metres and, close by, decimetres, drawn on surfaces that face up; steep surfaces have
// a colour of its own, as risers of stairs have.

import { Color, MeshStandardMaterial } from 'three';

const HEAD = /* glsl */ `
varying vec3 gridPlace;
varying vec3 gridNormal;`;

const PLACE = /* glsl */ `
gridPlace = (modelMatrix * vec4(position, 1.0)).xyz;
gridNormal = normalize(mat3(modelMatrix) * normal);`;

const FUNCTIONS = /* glsl */ `
uniform vec3 gridColor;
uniform vec3 gridSteep;
// how much of a pixel the lines of this spacing cover, width in m
float gridLines(float spacing, float width) {
  vec2 at = gridPlace.xy / spacing;
  vec2 pixel = fwidth(at);
  vec2 half_width = max(vec2(0.5 * width / spacing), 0.5 * pixel);
  vec2 away = abs(fract(at - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(half_width, half_width + pixel, away);
  // lines finer than a pixel become an even tone
  line *= min(vec2(1.0), width / spacing / max(pixel, 1e-6) + 0.25);
  float crowded = smoothstep(0.5, 0.12, max(pixel.x, pixel.y));
  return max(line.x, line.y) * crowded;
}`;

const COLOR = /* glsl */ `
float level = smoothstep(0.5, 0.8, gridNormal.z);
float lines = max(gridLines(1.0, 0.014), 0.35 * gridLines(0.1, 0.004));
diffuseColor.rgb = mix(gridSteep, mix(diffuseColor.rgb, gridColor, lines), level);`;

/** A matt surface with the grid. */
export class GridMaterial extends MeshStandardMaterial {
  readonly lines = { value: new Color() };
  readonly steep = { value: new Color() };

  constructor() {
    super({ roughness: 0.95, metalness: 0 });
    this.onBeforeCompile = shader => {
      shader.uniforms.gridColor = this.lines;
      shader.uniforms.gridSteep = this.steep;
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${HEAD}`)
        .replace('#include <begin_vertex>', `#include <begin_vertex>\n${PLACE}`);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${HEAD}\n${FUNCTIONS}`)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${COLOR}`);
    };
  }
}
