// The stage: renderer, light, sky, ground and camera. It draws on request and is independent of time.

import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene as Space,
  Vector3,
  WebGLRenderer,
} from 'three';
import { Ground } from './ground';
import { Sky } from './sky';
import { THEMES, type Theme, type ThemeName } from './theme';

/** Where the key light stands, seen from what it lights. */
const KEY = new Vector3(1.6, -2.2, 4.2);
const RIM = new Vector3(-3, 2.5, 2.2);
/** Fog hides the end of the ground, m. */
const FOG = { near: 14, far: 70 };

export class Stage {
  readonly space = new Space();
  readonly camera = new PerspectiveCamera(36, 1, 0.05, 400);
  readonly renderer: WebGLRenderer;
  private readonly sky = new Sky();
  private readonly hemisphere = new HemisphereLight();
  private readonly key = new DirectionalLight();
  private readonly rim = new DirectionalLight();
  private readonly painted: ((theme: Theme) => void)[] = [];
  theme: ThemeName = 'light';

  /** `reach`: how far from the aim shadows must fall, m. */
  constructor(
    canvas: HTMLCanvasElement,
    public ground: Ground,
    reach: number,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.space.fog = new Fog('#fff', FOG.near, FOG.far);
    this.space.add(
      this.sky,
      ground.group,
      this.hemisphere,
      this.key,
      this.key.target,
      this.rim,
      this.rim.target,
    );

    this.hemisphere.position.set(0, 0, 1);
    this.key.castShadow = true;
    const { shadow } = this.key;
    shadow.mapSize.set(2048, 2048);
    shadow.camera.left = shadow.camera.bottom = -reach;
    shadow.camera.right = shadow.camera.top = reach;
    shadow.camera.near = 0.1;
    shadow.camera.far = 4 * reach + 20;
    shadow.radius = 3;
    shadow.normalBias = 0.02;
    shadow.bias = -0.0004;
  }

  /** Replaces the ground. */
  setGround(ground: Ground): void {
    this.space.remove(this.ground.group);
    this.ground = ground;
    this.space.add(ground.group);
    ground.paint(THEMES[this.theme]);
  }

  /** Calls `paint` with the theme's colours, now and whenever they change. */
  onTheme(paint: (theme: Theme) => void): void {
    this.painted.push(paint);
    paint(THEMES[this.theme]);
  }

  setTheme(name: ThemeName): void {
    this.theme = name;
    const theme = THEMES[name];
    this.sky.paint(theme.zenith, theme.horizon);
    (this.space.fog as Fog).color.set(theme.horizon);
    this.ground.paint(theme);
    this.hemisphere.color.set(theme.hemisphere.sky);
    this.hemisphere.groundColor.set(theme.hemisphere.ground);
    this.hemisphere.intensity = theme.hemisphere.intensity;
    this.key.color = new Color(theme.key.color);
    this.key.intensity = theme.key.intensity;
    this.rim.color = new Color(theme.rim.color);
    this.rim.intensity = theme.rim.intensity;
    this.painted.forEach(paint => paint(theme));
  }

  /** `below`, `above`: covered heights, pixels; the picture is centred between them. */
  resize(width: number, height: number, ratio: number, below = 0, above = 0): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.setViewOffset(width, height, 0, 0.5 * (below - above), width, height);
    this.camera.aspect = width / Math.max(1, height);
    // a narrow window keeps the whole figure in view, and so does one that is partly covered
    const half = Math.tan((18 * Math.PI) / 180) / Math.max(0.3, 1 - (below + above) / Math.max(1, height));
    const free = (360 / Math.PI) * Math.atan(half);
    this.camera.fov = this.camera.aspect < 1 ? Math.min(70, free / this.camera.aspect) : free;
    this.camera.updateProjectionMatrix();
  }

  /** Draws, with light and shadow centred at `aim`. */
  draw(aim: Vector3): void {
    const { shadow } = this.key;
    // whole shadow pixels, so that shadows do not shimmer as the light follows
    const pixel = (2 * shadow.camera.right) / shadow.mapSize.x;
    const center = aim.clone().divideScalar(pixel).round().multiplyScalar(pixel);
    const away = 2 * shadow.camera.right + 8;
    this.key.target.position.copy(center);
    this.key.position.copy(KEY).setLength(away).add(center);
    this.rim.target.position.copy(center);
    this.rim.position.copy(RIM).add(center);
    this.ground.follow(this.camera.position.x, this.camera.position.y);
    this.renderer.render(this.space, this.camera);
  }
}
