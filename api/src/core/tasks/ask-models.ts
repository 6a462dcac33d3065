// Calls of tasks to models: through the gateway's own listener, so that they are limited, held, metered and paid as anybody's.
import { Agent, request } from 'node:http';
import type { Caller } from '../../platform/http/caller.ts';
import { readWhole } from '../../platform/pods/call-pod.ts';
import type { TaskCallers } from './task-callers.ts';
import type { ModelAnswer } from './task-run.ts';

/** What the agent takes. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
/** Longer than /v1 waits for an engine. */
const WITHIN_MS = 600_000;
const INSIDE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

export class AskModels {
  readonly #callers: Pick<TaskCallers, 'as'>;
  readonly #now: () => number;
  readonly #agent = new Agent({ keepAlive: true });
  #listener: URL | undefined;

  constructor(callers: Pick<TaskCallers, 'as'>, now: () => number) {
    this.#callers = callers;
    this.#now = now;
  }

  /** From now on calls find somebody at this address, which may be that of all interfaces. */
  listensAt(url: string): void {
    this.#listener = new URL(url);
  }

  ask(
    caller: Caller,
    task: string,
    { path, body }: { path: string; body: string },
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    return this.#callers.as(caller, { task, now: this.#now() }, (token) => this.#post(path, body, token, signal));
  }

  stop(): void {
    this.#agent.destroy();
  }

  async #post(path: string, body: string, token: string, signal: AbortSignal): Promise<ModelAnswer> {
    const at = this.#listener;
    if (!at) throw new Error('the gateway does not listen yet');
    const host = (INSIDE[at.hostname] ?? at.hostname).replace(/^\[(.*)\]$/, '$1');
    const call = request({
      ...{ host, port: at.port, path, method: 'POST', signal, timeout: WITHIN_MS },
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    call.on('timeout', () => call.destroy(new Error('no answer came')));
    const answered = new Promise<Parameters<typeof readWhole>[0]>((resolve, reject) => {
      call.once('response', resolve);
      call.once('error', reject);
    });
    call.end(body);
    const answer = await answered;
    const bytes = await readWhole(answer, MOST_ANSWER_BYTES);
    return { status: answer.statusCode ?? 0, body: Buffer.from(bytes).toString() };
  }
}
