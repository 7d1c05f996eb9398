// A recorded run on the stage: figure, overlays and ground, shown at any time. The page plays it, the sheet takes its pictures.

import { Vector3 } from 'three';
import { Figure } from './figure/figure';
import { matrixOf } from './figure/matrix';
import { reachOf } from './figure/shapes';
import { BalanceOverlay, capturePoint, centreOfPressure } from './overlay/balance';
import { ComOverlay } from './overlay/com';
import { ForceOverlay } from './overlay/forces';
import type { Run } from './run/run';
import type { Frame, Pose } from './run/scene';
import { Ground } from './stage/ground';
import { Stage } from './stage/stage';

/** Seconds for which a push is still shown after its end. */
const GHOST = 0.7;

export class Theatre {
  readonly stage: Stage;
  readonly figure: Figure;
  readonly forces: ForceOverlay;
  readonly com: ComOverlay;
  readonly balance: BalanceOverlay;
  /** Size of the subject, m. */
  readonly size: number;
  /** Whether torques are shown as colours. */
  heated = false;

  constructor(
    canvas: HTMLCanvasElement,
    readonly run: Run,
  ) {
    const { scene } = run;
    const { low, high } = bounds(run.com);
    this.size = sizeOf(run);
    const reach = Math.max(1.6 * this.size, 2.5);
    this.stage = new Stage(canvas, new Ground(scene.terrain, low, high), reach);
    this.figure = new Figure(scene, run.skin);
    this.forces = new ForceOverlay(
      scene.mass * scene.gravity,
      this.size,
      this.figure.enter.bind(this.figure),
    );
    this.com = new ComOverlay(run.com, this.size);
    this.balance = new BalanceOverlay(this.size);
    const { support, pressure, capture } = this.balance;
    // off by default: for users who know them
    support.visible = pressure.visible = capture.visible = false;
    this.stage.space.add(
      this.figure.group,
      this.forces.group,
      this.com.group,
      this.com.path,
      support,
      pressure,
      capture,
    );
    this.stage.onTheme(theme => this.forces.paint(theme));
    this.stage.onTheme(theme => this.com.paint(theme));
    this.stage.onTheme(theme => this.balance.paint(theme));
  }

  /** Moves everything to its place at `seconds` after the first frame. */
  show(seconds: number): Frame {
    const frame = this.run.at(seconds);
    const index = this.run.frameAt(seconds);
    this.figure.pose(frame.poses);
    this.figure.heat(this.heated ? frame.efforts : null);
    const push = this.run.lastPush(index, GHOST);
    const fade = push ? 1 - push.age / (GHOST + 1 / this.run.rate) : 0;
    this.forces.show(frame.contacts, push?.forces ?? null, fade);
    const [x, y, z] = frame.com;
    const ground = this.stage.ground.under(x, y, z);
    this.com.show(frame.com, ground, index);
    const { com, contacts } = frame;
    const capture = capturePoint(
      com,
      this.run.velocity(index),
      ground ?? 0,
      this.run.scene.gravity,
    ).toArray();
    this.balance.show({ com, contacts, capture, pressure: centreOfPressure(contacts).toArray() }, ground);
    return frame;
  }
}

function bounds(points: Float32Array): { low: number[]; high: number[] } {
  const [low, high] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  points.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  return { low, high };
}

/** Height of the subject as it begins, or most of its length when that is more. */
function sizeOf(run: Run): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const { poses } = run.at(0);
  const parts = [...run.scene.bodies, ...run.scene.objects].slice(0, run.subject);
  parts.forEach((part, i) => {
    const pose = Array.from(poses.subarray(7 * i, 7 * i + 7)) as Pose;
    for (const shape of part.shapes) {
      const at = new Vector3(shape.at[0], shape.at[1], shape.at[2]).applyMatrix4(matrixOf(pose)).toArray();
      const reach = reachOf(shape);
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], at[k] - reach);
        high[k] = Math.max(high[k], at[k] + reach);
      }
    }
  });
  const span = [0, 1, 2].map(k => high[k] - low[k]);
  return span[2] >= 0 ? Math.max(0.1, span[2], 0.75 * span[0], 0.75 * span[1]) : 2;
}
