// Runs checks side by side. One that throws or takes too long could not tell, and stops no other; what they made is taken away at the
// end, also when the run is called off.
import { type CheckResult, type Found, findingOf, worstOf } from '@gantry/contract/doctor.ts';
import { DOCTOR_NAMESPACE } from '@gantry/contract/names.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { type Around, CannotTell, type Check, found, type Surroundings, wordsOf } from './check.ts';
import { type ProbedNode, probeNodes } from './node-probes.ts';
import { runningNodes } from './running-nodes.ts';
import { ThrowAways } from './throw-aways.ts';

/** For the throw-away Pods of all nodes together; less than the checks that wait for them have. */
const PROBES_MS = 60_000;

export interface RunOptions {
  readonly checks: readonly Check[];
  /** Lower-case letters and digits: part of names. */
  readonly run: string;
  readonly signal: AbortSignal;
  /** Hears of each result as it comes. */
  onResult?(result: CheckResult): void;
}

/** In the order of `checks`, then tidying up. Never rejects. */
export async function runChecks(surroundings: Surroundings, options: RunOptions): Promise<CheckResult[]> {
  const { checks, run, signal, onResult = () => undefined } = options;
  const { client, clock, isInstalled, probeImage } = surroundings;
  const throwAways = new ThrowAways({ client, clock, run, makesNamespace: !isInstalled });
  const over = new AbortController();
  let nodes: Promise<Node[]> | undefined;
  let probed: Promise<readonly ProbedNode[]> | undefined;
  const around: Around = {
    ...surroundings,
    throwAways,
    nodes() {
      nodes ??= runningNodes(client);
      return nodes;
    },
    probedNodes() {
      probed ??= (async () => {
        const [limit, callOff] = limited(AbortSignal.any([over.signal, signal]), clock.after.bind(clock), PROBES_MS);
        try {
          return await probeNodes(await around.nodes(), probeImage, throwAways, limit);
        } finally {
          callOff();
        }
      })();
      return probed;
    },
  };
  const asks: Promise<unknown>[] = [];
  const results = await Promise.all(
    checks.map(async (check) => {
      const startedAt = clock.monotonic();
      const foundNow = await answerOf(check, around, signal, asks);
      const result = resultOf(check.id, foundNow, clock.monotonic() - startedAt);
      onResult(result);
      return result;
    }),
  );
  over.abort();
  // A check that was given up ends at its signal, or with the limit of its last call: nothing is made after what follows.
  await Promise.allSettled([...asks, probed]);
  const startedAt = clock.monotonic();
  const tidied = resultOf('tidiness', await tidyUp(throwAways), clock.monotonic() - startedAt);
  onResult(tidied);
  return [...results, tidied];
}

async function answerOf(
  check: Check,
  around: Around,
  signal: AbortSignal,
  asks: Promise<unknown>[],
): Promise<readonly Found[]> {
  if (check.needsPlatform && !around.isInstalled) return [found('needsPlatform')];
  const [limit, callOff] = limited(signal, around.clock.after.bind(around.clock), check.limitMs);
  const given = new Promise<Found[]>((resolve) => {
    const giveUp = () => resolve([signal.aborted ? found('calledOff') : tooLong(check)]);
    if (limit.aborted) giveUp();
    else limit.addEventListener('abort', giveUp, { once: true });
  });
  const asked = (async () => check.look(around, limit))();
  asks.push(asked);
  try {
    return await Promise.race([asked, given]);
  } catch (error) {
    // The awaited call failed because of the signal.
    if (limit.aborted) return given;
    return [error instanceof CannotTell ? error.found : failure(error)];
  } finally {
    callOff();
  }
}

const tooLong = ({ limitMs }: Check): Found => found('tookTooLong', { seconds: `${limitMs / 1000}` });

const failure = (error: unknown): Found =>
  found(error instanceof ApiError && error.code === 403 ? 'forbidden' : 'failed', { why: wordsOf(error) });

/** A signal that also aborts after so long, and how to call that off. */
function limited(
  signal: AbortSignal,
  after: (ms: number, run: () => void) => () => void,
  ms: number,
): [limit: AbortSignal, callOff: () => void] {
  const timer = new AbortController();
  return [AbortSignal.any([signal, timer.signal]), after(ms, () => timer.abort(new Error('it took too long')))];
}

async function tidyUp(throwAways: ThrowAways): Promise<readonly Found[]> {
  try {
    const left = await throwAways.end();
    return [
      left.length === 0
        ? found('tidied')
        : found('leftBehind', { namespace: DOCTOR_NAMESPACE, names: left.join(', ') }),
    ];
  } catch (error) {
    return [failure(error)];
  }
}

const resultOf = (check: Check['id'], all: readonly Found[], tookMs: number): CheckResult => ({
  check,
  finding: worstOf(all.map(({ reason }) => findingOf(reason))),
  found: all,
  tookMs: Math.round(tookMs),
});
