// The sky: a gradient from the horizon to the zenith on a large sphere around the camera.

import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from 'three';

const VERTEX = /* glsl */ `
varying vec3 direction;
void main() {
  direction = position;
  // turns with the camera, never moves
  vec4 at = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
  gl_Position = at.xyww;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 zenith;
uniform vec3 horizon;
varying vec3 direction;
void main() {
  float up = max(0.0, normalize(direction).z);
  gl_FragColor = vec4(mix(horizon, zenith, 1.0 - pow(1.0 - up, 2.2)), 1.0);
}`;

export class Sky extends Mesh<SphereGeometry, ShaderMaterial> {
  constructor() {
    super(
      new SphereGeometry(1, 32, 16),
      new ShaderMaterial({
        uniforms: { zenith: { value: new Color() }, horizon: { value: new Color() } },
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        side: BackSide,
        depthWrite: false,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = -1;
  }

  /** Colours are shown as they are written: no light falls on the sky. */
  paint(zenith: string, horizon: string): void {
    const { uniforms } = this.material;
    uniforms.zenith.value.set(zenith).convertLinearToSRGB();
    uniforms.horizon.value.set(horizon).convertLinearToSRGB();
  }
}
