// The figures in the corner: time, centre of mass, contact force.

import type { Run } from '../run/run';
import { type Frame, totalForce } from '../run/scene';

const text = (id: string, value: string): void => {
  const element = document.getElementById(id);
  if (element && element.textContent !== value) element.textContent = value;
};

export class Panel {
  private readonly weight: number;

  constructor(
    private readonly run: Run,
    newtonsPerMetre: number,
  ) {
    const { scene } = run;
    this.weight = scene.mass * scene.gravity;
    document.title = `${scene.title} · Sinew`;
    text('title', scene.title);
    text('scale', `an arrow of 1 m: ${newtonsPerMetre.toLocaleString('en')} N`);
  }

  show(frame: Frame, index: number): void {
    text('time', `${frame.time.toFixed(2)} s`);
    text('height', `${frame.com[2].toFixed(3)} m`);
    text('speed-of-com', `${Math.hypot(...this.run.velocity(index)).toFixed(2)} m/s`);
    const force = totalForce(frame.contacts);
    const weights = this.weight > 0 ? ` (${(force / this.weight).toFixed(2)} × weight)` : '';
    text('force', `${force.toFixed(0)} N${weights}`);
    const push = totalForce(frame.pushes);
    document.getElementById('push-row')?.toggleAttribute('hidden', push === 0);
    text('push', `${push.toFixed(0)} N`);
  }
}
