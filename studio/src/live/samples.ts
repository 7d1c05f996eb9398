// Data of plots: a few numbers of every frame of the last minute, by time of the world.

import type { Source } from '../page/plots';
import { totalForce } from '../run/scene';
import type { LiveFrame } from './frame';

export const MEASURES = [
  { id: 'speed', label: 'speed', unit: 'm/s', digits: 2, least: 1.5 },
  { id: 'height', label: 'COM height', unit: 'm', digits: 3, least: 1.2 },
  { id: 'force', label: 'contact force', unit: 'N', digits: 0, least: 1500 },
  { id: 'torque', label: 'greatest torque', unit: '%', digits: 0, least: 100 },
  { id: 'control', label: 'control', unit: 'µs', digits: 0, least: 200 },
  { id: 'rate', label: 'real-time factor', unit: '×', digits: 2, least: 1.2 },
] as const;

type Measure = (typeof MEASURES)[number]['id'];

export interface Sample extends Record<Measure, number[]> {
  time: number;
  /** Whether a push acted. */
  pushed: boolean;
}

/** Seconds that are kept. */
const LENGTH = 62;

export class Samples {
  readonly list: Sample[] = [];

  push(frame: LiveFrame): void {
    // a new future replaces the old one
    if (!frame.past)
      while (this.list.length > 0 && this.list[this.list.length - 1].time >= frame.time) this.list.pop();
    else return;
    this.list.push({
      time: frame.time,
      pushed: frame.lanes.some(lane => lane.pushes.count > 0),
      speed: frame.lanes.map(lane => Math.hypot(lane.velocity[0], lane.velocity[1])),
      height: frame.lanes.map(lane => lane.com[2]),
      force: frame.lanes.map(lane => totalForce(lane.contacts)),
      torque: frame.lanes.map(lane => 100 * lane.torque),
      control: frame.lanes.map(lane => lane.controlMicros),
      rate: [frame.rate],
    });
    while (this.list.length > 0 && this.list[0].time < frame.time - LENGTH) this.list.shift();
  }

  /** The data in the form of plots. */
  get source(): Source {
    return {
      count: () => this.list.length,
      time: moment => this.list[moment].time,
      values: (measure, moment) => this.list[moment][MEASURES[measure].id],
    };
  }

  clear(): void {
    this.list.length = 0;
  }
}
