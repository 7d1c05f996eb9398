// Plots over one time axis, small multiples with a line at the time that is shown. A click goes there. Shared by the live page
// and by exported runs.

/** The quantity of a plot. */
export interface Measure {
  label: string;
  unit: string;
  digits: number;
  /** The axis extends at least to this value. */
  least: number;
}

/** Numbers over time: one list of times, and one value per line and time. */
export interface Source {
  /** Number of moments. */
  count(): number;
  time(moment: number): number;
  /** Values of a measure at a moment, one per line. */
  values(measure: number, moment: number): ArrayLike<number>;
}

interface Plot {
  canvas: HTMLCanvasElement;
  value: HTMLElement;
}

/** Least time between two drawings, ms. */
const PAUSE = 50;

export class Plots {
  range: [number, number] = [0, 1];
  private readonly plots: Plot[];
  private drawn = -Infinity;

  /** `seek` goes to a time. */
  constructor(
    readonly place: HTMLElement,
    private readonly measures: readonly Measure[],
    private readonly source: Source,
    seek: (time: number) => void,
  ) {
    this.plots = measures.map(measure => {
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

  get visible(): boolean {
    return !this.place.hidden;
  }

  /** Draws, at most twenty times a second. */
  show(time: number, range: [number, number], now: number): void {
    if (!this.visible || now - this.drawn < PAUSE) return;
    this.drawn = now;
    this.range = range;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const colors = {
      lines: [color('--accent'), color('--bad')],
      soft: color('--soft'),
      edge: color('--edge'),
    };
    const here = this.moment(time);
    this.measures.forEach((measure, i) => {
      const { canvas, value } = this.plots[i];
      const values = here < 0 ? [] : Array.from(this.source.values(i, here));
      const text = values.map(x => x.toFixed(measure.digits)).join(' · ');
      value.textContent = `${text || '–'} ${measure.unit}`;
      this.draw(canvas, i, time, colors);
    });
  }

  /** The last moment not after a time; −1 when there is none. */
  private moment(time: number): number {
    let [low, high] = [0, this.source.count()];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.source.time(middle) <= time + 1e-6) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private draw(
    canvas: HTMLCanvasElement,
    measure: number,
    time: number,
    colors: { lines: string[]; soft: string; edge: string },
  ): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const { source } = this;
    const [from, to] = this.range;
    const count = source.count();
    // one spike must not hide the rest
    const stride = Math.max(1, Math.floor(count / 1200));
    const lines = count > 0 ? source.values(measure, count - 1).length : 0;
    const seen = new Float64Array(lines * Math.ceil(count / stride));
    for (let i = 0, n = 0; i < count; i += stride) {
      const values = source.values(measure, i);
      for (let line = 0; line < lines; line++) seen[n++] = values[line] ?? 0;
    }
    seen.sort();
    const top = Math.max(
      this.measures[measure].least,
      1.15 * (seen[Math.floor(0.985 * (seen.length - 1))] ?? 0),
    );
    const x = (t: number) => ((t - from) / Math.max(1e-6, to - from)) * width;
    const y = (value: number) => height - 3 - (Math.max(0, Math.min(value, top)) / top) * (height - 8);
    pen.strokeStyle = colors.edge;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const part of [0, 0.5, 1]) {
      pen.moveTo(0, y(part * top));
      pen.lineTo(width, y(part * top));
    }
    pen.stroke();
    for (let line = 0; line < lines; line++) {
      pen.strokeStyle = colors.lines[line];
      pen.lineWidth = 1.4;
      pen.beginPath();
      let last = -Infinity;
      for (let i = 0; i < count; i++) {
        const px = x(source.time(i));
        // not more points than pixels
        if (px < 0 || px - last < 0.7) continue;
        const value = source.values(measure, i)[line];
        if (last === -Infinity) pen.moveTo(px, y(value));
        else pen.lineTo(px, y(value));
        last = px;
      }
      pen.stroke();
    }
    pen.fillStyle = colors.soft;
    pen.fillRect(Math.min(width - 1, x(time)), 0, 1, height);
    pen.font = '10px system-ui, sans-serif';
    pen.fillText(top >= 10 ? top.toFixed(0) : top.toFixed(1), 2, 10);
  }
}
