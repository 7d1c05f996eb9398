// Elements of panels. Each can be updated without being rebuilt, so that a control in use stays.

/** An element with properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** An element that follows the state. */
export interface Piece {
  element: HTMLElement;
  sync(): void;
}

export function heading(text: string): Piece {
  return { element: make('h3', { textContent: text }), sync: () => {} };
}

export function note(text: string): Piece {
  return { element: make('p', { textContent: text }), sync: () => {} };
}

export interface SliderOptions {
  id: string;
  label: string;
  min: number;
  max: number;
  step: number;
  unit: string;
  usual: number;
  get(): number;
  set(value: number): void;
}

/** A slider with its value; a double click on the name restores the default. */
export function slider(o: SliderOptions): Piece {
  const input = make('input', { type: 'range', id: o.id, min: String(o.min), max: String(o.max) });
  input.step = String(o.step);
  const label = make('label', { htmlFor: o.id, textContent: o.label, title: 'Double click: default' });
  const output = make('output', {});
  output.htmlFor.add(o.id);
  const element = make('div', { className: 'field' }, label, output, input);
  const digits = Math.max(0, Math.min(4, Math.ceil(-Math.log10(o.step) - 1e-9)));
  const show = (value: number) => {
    const text = `${value.toFixed(digits)}${o.unit && o.unit !== '×' ? ' ' : ''}${o.unit}`;
    output.textContent = text;
    input.setAttribute('aria-valuetext', text);
    element.classList.toggle('changed', Math.abs(value - o.usual) > 0.5 * o.step);
  };
  let held = false;
  input.addEventListener('input', () => {
    held = true;
    show(Number(input.value));
    o.set(Number(input.value));
  });
  input.addEventListener('change', () => (held = false));
  const back = () => {
    input.value = String(o.usual);
    show(o.usual);
    o.set(o.usual);
  };
  label.addEventListener('dblclick', back);
  input.addEventListener('keydown', event => {
    if (event.key === 'Backspace' || event.key === 'Delete') back();
  });
  const sync = () => {
    if (held) return;
    input.value = String(o.get());
    show(o.get());
  };
  sync();
  return { element, sync };
}

/** A choice, as buttons. */
export function choices(
  id: string,
  names: string[],
  get: () => string,
  set: (name: string) => void,
  about: (name: string) => string = () => '',
): Piece {
  const element = make('div', { className: 'choices' });
  element.setAttribute('role', 'group');
  const buttons = names.map(name => {
    const button = make('button', {
      type: 'button',
      id: `${id}-${name}`,
      textContent: name,
      title: about(name),
    });
    button.addEventListener('click', () => set(name));
    element.append(button);
    return button;
  });
  const sync = () => buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(names[i] === get())));
  sync();
  return { element, sync };
}

/** A choice, as a list. */
export function list(
  id: string,
  label: string,
  names: () => { value: string; text: string }[],
  get: () => string,
  set: (name: string) => void,
): Piece {
  const select = make('select', { id });
  const element = make(
    'div',
    { className: 'field' },
    make('label', { htmlFor: id, textContent: label }),
    select,
  );
  select.addEventListener('change', () => set(select.value));
  const sync = () => {
    const wanted = names();
    const key = JSON.stringify(wanted);
    if (select.dataset.key !== key) {
      select.dataset.key = key;
      select.replaceChildren(...wanted.map(n => new Option(n.text, n.value)));
    }
    select.value = get();
  };
  sync();
  return { element, sync };
}

/** On or off, with the key that does the same. */
export function toggle(
  id: string,
  label: string,
  key: string,
  tone: string,
  get: () => boolean,
  set: (on: boolean) => void,
): Piece {
  const mark = make('span', { className: 'mark' }, make('i'), label);
  const element = make('button', { type: 'button', id, className: 'switch' }, mark);
  if (key) element.append(make('kbd', { textContent: key }));
  element.style.setProperty('--tone', tone);
  element.addEventListener('click', () => set(!get()));
  const sync = () => element.setAttribute('aria-pressed', String(get()));
  sync();
  return { element, sync };
}

export function button(id: string, text: string, act: () => void, key = ''): Piece {
  const element = make('button', { type: 'button', id, className: 'wide' }, text);
  if (key) element.append(' ', make('kbd', { textContent: key }));
  element.addEventListener('click', act);
  return { element, sync: () => {} };
}

/** Elements side by side. */
export function pair(...pieces: Piece[]): Piece {
  return {
    element: make('div', { className: 'pair' }, ...pieces.map(p => p.element)),
    sync: () => pieces.forEach(p => p.sync()),
  };
}

/** Elements that are shown conditionally. */
export function when(there: () => boolean, ...pieces: Piece[]): Piece {
  const element = make('div', {}, ...pieces.map(p => p.element));
  const sync = () => {
    element.hidden = !there();
    pieces.forEach(p => p.sync());
  };
  sync();
  return { element, sync };
}

/** Elements behind a line that opens them. */
export function more(title: string, pieces: Piece[]): Piece {
  const element = make('details', {}, make('summary', { textContent: title }), ...pieces.map(p => p.element));
  return { element, sync: () => pieces.forEach(p => p.sync()) };
}
