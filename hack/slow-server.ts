// An API server on a slow machine answers late, or says that it was not done in time: it is asked again, whoever asks. Every apply of
// this folder repeats safely, so a request that was carried out all the same does no harm.
import { setTimeout as pause } from 'node:timers/promises';
import { binary } from './binaries.ts';
import { run } from './run.ts';
import { PATIENCE_MS } from './wait-for.ts';

/** As kubectl, client libraries and API servers word it. A wait of kubectl's own, "timed out waiting for the condition", is none. */
const SLOW: readonly RegExp[] = [
  /\((Timeout|ServerTimeout|TooManyRequests|ServiceUnavailable)\)/,
  /"reason":"(Timeout|ServerTimeout|TooManyRequests|ServiceUnavailable)"/,
  /request did not complete within (the )?requested timeout/i,
  /was unable to return a response in the time allotted/,
  /etcdserver: (request timed out|leader changed|too many requests)/,
  /TLS handshake timeout|Client\.Timeout exceeded|context deadline exceeded|i\/o timeout/,
  /http2: client connection lost|unexpected EOF|ECONNRESET|socket hang up/,
  /no answer in \d+ s/,
];

export const isSlowAnswer = (said: string): boolean => SLOW.some((pattern) => pattern.test(said));

/** Asks until there is an answer; any other failure, and a slow one after the limit, is thrown as it came. A folder takes several rounds. */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { limitMs = 3 * PATIENCE_MS, againInMs = 1_000 } = {},
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isSlowAnswer(String(error)) || performance.now() >= deadline) throw error;
    }
    await pause(againInMs);
  }
}

/** Manifests of a file or a folder, by server-side apply; paths are relative to `cwd`. */
export async function applyFiles(
  { kubeconfig }: { readonly kubeconfig: string },
  path: string,
  cwd?: string,
): Promise<void> {
  const kubectl = await binary('kubectl');
  await untilAnswered(() =>
    run(kubectl, ['apply', '--server-side', '--force-conflicts', '-f', path], {
      env: { KUBECONFIG: kubeconfig },
      ...(cwd !== undefined && { cwd }),
    }),
  );
}
