// Row D2: listeners who are cut off again and again, in the middle of whatever is on its way, and come back as browsers do.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { eventually } from '../support/eventually.ts';
import { sized } from './stage.ts';
import type { Order } from './stream-server.ts';

const LISTENERS = 100;
const DROPS_EACH = sized(10);
const ORDER: Order = { changes: sized(1_000), messages: sized(50), gapMs: 10 };
const LIMIT_MS = 300_000;

export interface Drops {
  readonly drops: number;
  readonly deliveries: number;
  readonly lost: number;
  readonly twice: number;
  readonly outOfOrder: number;
}

export async function forcedDrops(): Promise<Drops> {
  const server = fork(new URL('./stream-server.ts', import.meta.url), ['ours'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const listeners: Listener[] = [];
  try {
    const [{ port }] = await once(server, 'message');
    for (let token = 0; token < LISTENERS; token++) listeners.push(new Listener(port, token));
    const all = (what: string, is: (listener: Listener) => boolean) =>
      eventually(what, () => listeners.every(is), LIMIT_MS);
    await all('everybody listens', ({ isListening }) => isListening);
    server.send(ORDER);
    await Promise.all(listeners.map((listener) => listener.suffer(DROPS_EACH)));
    await all('everybody has heard the last', ({ changes, messages }) => {
      return changes.includes(ORDER.changes ?? 0) && messages.includes(ORDER.messages ?? 0);
    });
    const sum = (of: (heard: readonly number[], last: number) => number) =>
      listeners.reduce(
        (total, { changes, messages }) => total + of(changes, ORDER.changes ?? 0) + of(messages, ORDER.messages ?? 0),
        0,
      );
    return {
      drops: LISTENERS * DROPS_EACH,
      deliveries: sum(({ length }) => length),
      lost: sum((heard, last) => last - new Set(heard).size),
      twice: sum((heard) => heard.length - new Set(heard).size),
      outOfOrder: sum((heard) => heard.filter((each, at) => each < (heard[at - 1] ?? 0)).length),
    };
  } finally {
    for (const listener of listeners) listener.close();
    server.kill('SIGKILL');
  }
}

class Listener {
  readonly changes: number[] = [];
  readonly messages: number[] = [];
  isListening = false;
  readonly #port: number;
  readonly #token: number;
  #lastId: string | undefined;
  #cut = () => {};
  #isClosed = false;

  constructor(port: number, token: number) {
    this.#port = port;
    this.#token = token;
    this.#listen();
  }

  async suffer(drops: number): Promise<void> {
    for (let drop = 0; drop < drops; drop++) {
      await new Promise((resolve) => setTimeout(resolve, 50 + 500 * Math.random()));
      this.#cut();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cut();
  }

  #listen(): void {
    if (this.#isClosed) return;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }),
    };
    const path = '/api/account/v1/messages?cursor=0&watch=gpuinstances';
    const sent = request({ host: '127.0.0.1', port: this.#port, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        const events = (text + chunk).split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) this.#hear(event);
      });
    });
    let isOver = false;
    const end = () => {
      if (!isOver) this.#listen();
      isOver = true;
    };
    sent.on('error', end);
    sent.on('close', end);
    sent.end();
    this.#cut = () => sent.destroy();
  }

  #hear(event: string): void {
    const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(event)?.[1];
    this.#lastId = field('id') ?? this.#lastId;
    const data = field('data');
    if (data === undefined) return;
    this.isListening = true;
    const said = JSON.parse(data);
    if (field('event') === 'resource') this.changes.push(Number(said.version));
    // A page has the newest first.
    else for (const { title } of [...said.data].reverse()) this.messages.push(Number(title));
  }
}
