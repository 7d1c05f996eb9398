// Keys: one table for their actions and for the help on the screen.

export interface Key {
  /** As `KeyboardEvent.key` gives it, letters in lower case. */
  keys: string[];
  /** Its name on the screen. */
  shown: string;
  does: string;
  act(event: KeyboardEvent): void;
}

/** Listens to the keys wherever the focus is, except where a control wants the key itself. */
export function listen(table: Key[]): void {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (wants(event.target, name)) return;
    const key = table.find(k => k.keys.includes(name));
    if (!key) return;
    event.preventDefault();
    key.act(event);
  });
}

/** Whether the focused control handles a key itself. */
function wants(target: EventTarget | null, name: string): boolean {
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLButtonElement && (name === ' ' || name === 'Enter');
}

/** Writes the table on the screen. */
export function writeHelp(body: HTMLElement, table: Key[]): void {
  for (const { shown, does } of table) {
    const row = document.createElement('tr');
    const cell = row.insertCell();
    for (const part of shown.split(' ')) {
      const key = document.createElement('kbd');
      key.textContent = part;
      cell.append(key, ' ');
    }
    row.insertCell().textContent = does;
    body.append(row);
  }
}
