// The path of the centre of mass over the last seconds.

import { Group } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Theme } from '../stage/theme';

/** Seconds between two points, and how many there are. */
const STEP = 0.04;
const MOST = 200;

export class Trail {
  readonly group = new Group();
  private readonly material = new LineMaterial({ linewidth: 2.5, transparent: true, opacity: 0.75 });
  private line: Line2 | null = null;
  private points: number[] = [];
  private times: number[] = [];
  private stale = false;

  paint(theme: Theme): void {
    this.material.color.set(theme.com);
  }

  /** Adds its present position. */
  add(time: number, at: ArrayLike<number>): void {
    // after a jump back in time, drop the later part of the path
    while (this.times.length > 0 && this.times[this.times.length - 1] >= time) {
      this.times.pop();
      this.points.length -= 3;
      this.stale = true;
    }
    const last = this.times[this.times.length - 1] ?? -Infinity;
    if (time - last < STEP) return;
    if (time - last > 1) this.clear();
    this.times.push(time);
    this.points.push(at[0], at[1], at[2]);
    if (this.times.length > MOST) {
      this.times.shift();
      this.points.splice(0, 3);
    }
    this.stale = true;
  }

  /** Draws the path so far. */
  show(): void {
    if (!this.stale || !this.group.visible || this.times.length < 2) return;
    this.stale = false;
    this.line?.geometry.dispose();
    const geometry = new LineGeometry().setPositions(this.points);
    if (this.line) this.line.geometry = geometry;
    else {
      this.line = new Line2(geometry, this.material);
      this.line.frustumCulled = false;
      this.group.add(this.line);
    }
  }

  clear(): void {
    this.times = [];
    this.points = [];
  }
}
