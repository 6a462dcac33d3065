// Calls without a pause, over connections that are kept and over new ones, and streams that stay open, while something happens to
// whoever answers them.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Headers = Readonly<Record<string, string>>;

export interface Steady {
  readonly url: URL;
  /** Absent: those of all. */
  readonly headers?: Headers;
  /** By the number of the call; absent: it is a GET. */
  readonly bodyOf?: (call: number) => object;
  /** Absent: both. A call with a `host` of its own takes a new one. */
  readonly connections?: 'kept' | 'new';
}

export interface SteadyCalls {
  readonly calls: readonly Steady[];
  /** Server-sent events: each is opened anew when it ends. */
  readonly streams: readonly URL[];
  /** The headers of all that have none of their own. */
  readonly headers: Headers;
}

export interface Counted {
  readonly calls: number;
  /** The events of all streams. */
  readonly events: number;
  /** Whatever was not answered with 200, and each stream that did not end in order, with its time. */
  readonly failures: readonly string[];
}

/** Per caller: enough to meet every moment, and little enough for two cores. */
const EVERY_MS = 25;
/** The interval of writes, each of which is announced to everybody. */
const WRITES_EVERY_MS = 250;
const LIMIT_MS = 20_000;

/** Resolves with the status. */
type Call = (steady: Steady, headers: Headers, call: number) => Promise<number | undefined>;

const overKept: Call = async ({ url, bodyOf }, headers, call) => {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(LIMIT_MS),
    headers: { ...headers, ...(bodyOf && { 'content-type': 'application/json' }) },
    ...(bodyOf && { method: 'PUT', body: JSON.stringify(bodyOf(call)) }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const overNew: Call = ({ url }, headers) =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent: false, timeout: LIMIT_MS }, (answer) => {
      answer.once('end', () => resolve(answer.statusCode)).once('error', reject);
      answer.resume();
    })
      .once('timeout', function giveUp(this: ReturnType<typeof get>) {
        this.destroy(new Error('no answer in time'));
      })
      .once('error', reject);
  });

const CALLS: Readonly<Record<'kept' | 'new', Call>> = { kept: overKept, new: overNew };

/** Until the returned function is called. */
export function callSteadily({ calls: all, streams, headers }: SteadyCalls): () => Promise<Counted> {
  const over = new AbortController();
  let calls = 0;
  let events = 0;
  const failures: string[] = [];
  const fails = (what: string, said: unknown) => failures.push(`${new Date().toISOString()} ${what}: ${said}`);

  const caller = async (steady: Steady, connections: 'kept' | 'new') => {
    for (let call = 0; !over.signal.aborted; call += 1) {
      const own = steady.headers ?? headers;
      const said = await CALLS[connections](steady, own, call).catch((error: Error) => `${error.cause ?? error}`);
      calls += 1;
      if (said !== 200) fails(`${steady.url.pathname} ${connections}`, said);
      await sleep(steady.bodyOf ? WRITES_EVERY_MS : EVERY_MS);
    }
  };
  const listener = async (url: URL) => {
    while (!over.signal.aborted) {
      try {
        const { status, body } = await fetch(url, { headers, signal: over.signal });
        if (status !== 200) fails(url.pathname, status);
        const text = body?.pipeThrough(new TextDecoderStream()) ?? [];
        for await (const piece of text) events += piece.match(/^event:/gm)?.length ?? 0;
      } catch (error) {
        if (!over.signal.aborted) fails(url.pathname, (error as Error).cause ?? error);
      }
      await sleep(EVERY_MS);
    }
  };

  const running = Promise.all([
    ...all.flatMap((one) =>
      one.connections ? [caller(one, one.connections)] : [caller(one, 'kept'), caller(one, 'new')],
    ),
    ...streams.map(listener),
  ]);
  return async () => {
    over.abort();
    await running;
    return { calls, events, failures };
  };
}
