// Behind the time slider: the total contact force over time, and marks at pushes.

import type { Run } from '../run/run';

export class Strip {
  private readonly totals: Float32Array;
  private readonly pushed: number[];
  /** Force at the top of the strip: impacts above it are cut. */
  private readonly top: number;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    run: Run,
  ) {
    this.totals = run.contactTotals();
    this.pushed = run.pushedFrames();
    const sorted = Float32Array.from(this.totals).sort();
    const typical = sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 0;
    this.top = Math.max(1.5 * run.scene.mass * run.scene.gravity, 1.1 * typical, 1);
  }

  draw(contact: string, push: string): void {
    const ratio = window.devicePixelRatio;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext('2d');
    if (!pen) return;
    pen.scale(ratio, ratio);
    const x = (frame: number) => (frame / Math.max(1, this.totals.length - 1)) * width;
    const y = (force: number) => height - (Math.min(force, this.top) / this.top) * height;

    pen.beginPath();
    pen.moveTo(0, height);
    this.totals.forEach((force, i) => pen.lineTo(x(i), y(force)));
    pen.lineTo(width, height);
    pen.globalAlpha = 0.3;
    pen.fillStyle = contact;
    pen.fill();

    pen.globalAlpha = 0.5;
    pen.fillStyle = push;
    const step = Math.max(1.5, x(1) - x(0));
    for (const i of this.pushed) pen.fillRect(x(i), 0, step, height);
  }
}
