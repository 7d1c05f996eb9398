// The connection to the session: sends and receives, reports a loss, and reconnects to the same world.

import { type LiveFrame, readFrame } from './frame';
import type { ClientMessage, ServerMessage } from './messages';

export interface Ears {
  /** Called around the handling of every message. */
  hear(work: () => void): void;
  message(message: ServerMessage): void;
  frame(frame: LiveFrame): void;
  file(name: string, content: Uint8Array<ArrayBuffer>): void;
  /** Poses of a ghost: bodies, and seven numbers per body and frame. */
  poses(bodies: number, poses: Float32Array): void;
  /** Called when the connection opens or is lost. */
  connected(on: boolean): void;
  /** There is no place: `full` before this page had one, `taken` when another page took it. */
  turnedAway(why: 'full' | 'taken'): void;
}

/** Waiting times between attempts to reconnect, ms. */
const RETRY = [250, 500, 1000, 2000, 3000];
/** A connection without messages for this long counts as lost, ms; a busy page receives late. */
const SILENCE = 20_000;

export class Link {
  private socket: WebSocket | null = null;
  private token: string | null = null;
  private attempts = 0;
  private heard = 0;
  /** Without a place the page does not come back by itself. */
  private away = false;

  constructor(private readonly ears: Ears) {
    this.connect();
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      // a busy page has not received messages
      if (now - last > 2500) this.heard = now;
      last = now;
      if (this.open && now - this.heard > SILENCE) this.drop();
    }, 1000);
  }

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(message: ClientMessage): void {
    if (this.open) this.socket?.send(JSON.stringify(message));
  }

  /** Sends a file to the session. */
  async upload(file: File): Promise<void> {
    const name = new TextEncoder().encode(file.name).slice(0, 400);
    const content = new Uint8Array(await file.arrayBuffer());
    const bytes = new Uint8Array(3 + name.length + content.length);
    bytes[0] = 1;
    new DataView(bytes.buffer).setUint16(1, name.length, true);
    bytes.set(name, 3);
    bytes.set(content, 3 + name.length);
    if (this.open) this.socket?.send(bytes);
  }

  /** Takes the place of another page. */
  takeOver(): void {
    this.away = false;
    this.token = null;
    this.connect('/live?take=over');
  }

  /** Breaks the connection, for tests; the page then reconnects by itself. */
  drop(): void {
    this.socket?.close();
  }

  private connect(where = this.token ? `/live?session=${this.token}` : '/live'): void {
    const socket = new WebSocket(`ws://${location.host}${where}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.heard = performance.now();
      this.ears.connected(true);
    };
    socket.onmessage = ({ data }) => {
      this.heard = performance.now();
      this.ears.hear(() => (typeof data === 'string' ? this.text(data) : this.bytes(data as ArrayBuffer)));
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.ears.connected(false);
      if (this.away) return;
      const wait = RETRY[Math.min(this.attempts++, RETRY.length - 1)];
      setTimeout(() => this.connect(), wait);
    };
  }

  private text(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === 'hello') this.token = message.token;
    if (message.type === 'full' || message.type === 'taken') {
      this.away = true;
      this.ears.turnedAway(message.type);
      return;
    }
    this.ears.message(message);
  }

  private bytes(buffer: ArrayBuffer): void {
    const view = new DataView(buffer);
    switch (view.getUint8(0)) {
      case 1:
        this.ears.frame(readFrame(buffer));
        break;
      case 2: {
        const length = view.getUint16(1, true);
        const name = new TextDecoder().decode(new Uint8Array(buffer, 3, length));
        this.ears.file(name, new Uint8Array(buffer, 3 + length));
        break;
      }
      case 3:
        this.ears.poses(view.getUint16(1, true), new Float32Array(buffer.slice(3)));
        break;
    }
  }
}
