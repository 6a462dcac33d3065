// The cheapest possible requests, on one kept-alive connection: the server is measured.
import { type Agent as HttpAgent, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { parse } from 'yaml';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export class Wire {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: HttpAgent;

  constructor(base: string, headers: Readonly<Record<string, string>>, ca?: string) {
    this.#base = new URL(base);
    this.#headers = headers;
    const agent = { keepAlive: true, maxSockets: 1 };
    this.#agent = this.#base.protocol === 'https:' ? new SecureAgent({ ...agent, ca }) : new PlainAgent(agent);
  }

  /** To the API server, as the kubeconfig's user, who has a token. */
  static ofKubeconfig(text: string): Wire {
    const { clusters, users } = parse(text);
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    const headers = { authorization: `Bearer ${users[0].user.token}` };
    return new Wire(server, headers, Buffer.from(ca, 'base64').toString('utf8'));
  }

  /** Throws for an unsuccessful answer. */
  ask({ method = 'GET', path, headers, body }: Ask): Promise<Answer> {
    const text = body && JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = this.#base.protocol === 'https:' ? secureRequest : plainRequest;
    const own =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const options = { agent: this.#agent, method, headers: { ...own, ...this.#headers, ...headers } };
    request(new URL(path, this.#base), options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const status = answer.statusCode ?? 0;
        const whole = Buffer.concat(chunks);
        if (status < 300) resolve({ status, headers: answer.headers, body: whole });
        else reject(new Error(`${method} ${path}: ${status} ${whole.toString('utf8').slice(0, 300)}`));
      });
    })
      .once('error', reject)
      .end(text);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The duration of each of that many runs, one after the other. */
export async function timesMs(count: number, once: (index: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    await once(index);
    times.push(performance.now() - began);
  }
  return times;
}

/** A B B A: whatever drifts hits both alike. */
export async function pairsOf(
  count: number,
  play: { ours: (pair: number) => Promise<number>; peer: (pair: number) => Promise<number> },
): Promise<readonly { ours: number; peer: number }[]> {
  const pairs: { ours: number; peer: number }[] = [];
  for (let pair = 0; pair < count; pair++) {
    if (pair % 2 === 0) pairs.push({ ours: await play.ours(pair), peer: await play.peer(pair) });
    else {
      const peer = await play.peer(pair);
      pairs.push({ ours: await play.ours(pair), peer });
    }
  }
  return pairs;
}
