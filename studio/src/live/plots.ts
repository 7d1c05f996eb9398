// Live plots: small multiples over the timeline's range, with a line at the time that is shown. A click goes there.

import { MEASURES, type Samples } from './samples';

interface Plot {
  canvas: HTMLCanvasElement;
  value: HTMLElement;
}

export class Plots {
  private readonly plots: Plot[];
  private drawn = 0;

  /** `seek` goes to a time. */
  constructor(
    readonly place: HTMLElement,
    private readonly samples: Samples,
    seek: (time: number) => void,
  ) {
    this.plots = MEASURES.map(measure => {
      const figure = document.createElement('figure');
      const caption = document.createElement('figcaption');
      const value = document.createElement('b');
      caption.append(measure.label, value);
      const canvas = document.createElement('canvas');
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', `${measure.label} over time`);
      canvas.addEventListener('click', event => {
        const box = canvas.getBoundingClientRect();
        const [from, to] = this.range;
        seek(from + ((event.clientX - box.left) / box.width) * (to - from));
      });
      figure.append(caption, canvas);
      place.append(figure);
      return { canvas, value };
    });
  }

  range: [number, number] = [0, 1];

  get visible(): boolean {
    return !this.place.hidden;
  }

  /** Draws, at most twenty times a second. */
  show(time: number, range: [number, number], now: number): void {
    if (!this.visible || now - this.drawn < 50) return;
    this.drawn = now;
    this.range = range;
    const style = getComputedStyle(document.documentElement);
    const colors = ['--accent', '--bad'].map(name => style.getPropertyValue(name).trim());
    const [soft, edge] = ['--soft', '--edge'].map(name => style.getPropertyValue(name).trim());
    const here = this.samples.at(time);
    MEASURES.forEach((measure, i) => {
      const { canvas, value } = this.plots[i];
      const text = here ? here[measure.id].map(x => x.toFixed(measure.digits)).join(' · ') : '–';
      value.textContent = `${text} ${measure.unit}`;
      draw(canvas, this.samples, measure.id, measure.least, time, range, colors, soft, edge);
    });
  }
}

function draw(
  canvas: HTMLCanvasElement,
  samples: Samples,
  id: (typeof MEASURES)[number]['id'],
  least: number,
  time: number,
  [from, to]: [number, number],
  colors: string[],
  soft: string,
  edge: string,
): void {
  const ratio = Math.min(window.devicePixelRatio, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const list = samples.list;
  // one spike must not hide the rest
  const sorted = list.flatMap(sample => sample[id]).sort((a, b) => a - b);
  const top = Math.max(least, 1.15 * (sorted[Math.floor(0.985 * (sorted.length - 1))] ?? 0));
  const x = (t: number) => ((t - from) / Math.max(1e-6, to - from)) * width;
  const y = (value: number) => height - 3 - (Math.min(value, top) / top) * (height - 8);
  pen.strokeStyle = edge;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const part of [0, 0.5, 1]) {
    pen.moveTo(0, y(part * top));
    pen.lineTo(width, y(part * top));
  }
  pen.stroke();
  const lanes = Math.max(0, ...list.slice(-1).map(s => s[id].length));
  for (let lane = 0; lane < lanes; lane++) {
    pen.strokeStyle = colors[lane];
    pen.lineWidth = 1.4;
    pen.beginPath();
    let [last, begun] = [-Infinity, false];
    for (const sample of list) {
      const px = x(sample.time);
      // not more points than pixels
      if (sample.time < from || px - last < 0.7) continue;
      last = px;
      if (begun) pen.lineTo(px, y(sample[id][lane]));
      else pen.moveTo(px, y(sample[id][lane]));
      begun = true;
    }
    pen.stroke();
  }
  pen.fillStyle = soft;
  pen.fillRect(Math.min(width - 1, x(time)), 0, 1, height);
  pen.font = '10px system-ui, sans-serif';
  pen.fillText(top >= 10 ? top.toFixed(0) : top.toFixed(1), 2, 10);
}
