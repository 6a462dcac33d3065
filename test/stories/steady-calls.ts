// Calls without a pause, over connections that are kept and over new ones, while something happens to whoever answers them.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Per caller: enough to meet every moment, and little enough for two cores. */
const EVERY_MS = 25;
const LIMIT_MS = 20_000;

/** Resolves with the status. */
type Call = (url: URL, headers: Readonly<Record<string, string>>) => Promise<number | undefined>;

const overKept: Call = async (url, headers) => {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
  await answer.arrayBuffer();
  return answer.status;
};

const overNew: Call = (url, headers) =>
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

export interface Counted {
  readonly calls: number;
  /** Whatever was not answered with 200, with its time. */
  readonly failures: readonly string[];
}

/** Until the returned function is called. */
export function callSteadily(urls: readonly URL[], headers: Readonly<Record<string, string>>): () => Promise<Counted> {
  let isOver = false;
  let calls = 0;
  const failures: string[] = [];
  const caller = async (url: URL, call: Call) => {
    while (!isOver) {
      const said = await call(url, headers).catch((error: Error) => `${error.cause ?? error}`);
      calls += 1;
      if (said !== 200) failures.push(`${new Date().toISOString()} ${url.pathname} ${call.name}: ${said}`);
      await sleep(EVERY_MS);
    }
  };
  const all = Promise.all(urls.flatMap((url) => [caller(url, overKept), caller(url, overNew)]));
  return async () => {
    isOver = true;
    await all;
    return { calls, failures };
  };
}
