import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { TooLarge } from '../../../parts/files/save-download.ts';
import { zipOf } from './download.ts';

/** A folder's zip: what it says of its size, and the pieces that come before it ends or breaks. */
function zipServer(size: string, pieces: readonly string[], breaks = false) {
  const aborted: boolean[] = [];
  const api = {
    failure: (error: string) => new ApiProblem({ status: 0, code: 0, error: error as 'network', message: error }),
    send: async (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => aborted.push(true));
      const left = [...pieces];
      const body = new ReadableStream({
        pull: (sink) => {
          const piece = left.shift();
          if (piece !== undefined) sink.enqueue(new TextEncoder().encode(piece));
          else if (breaks) sink.error(new TypeError('network error'));
          else sink.close();
        },
      });
      return new Response(body, { headers: { 'Files-Bytes': size } });
    },
  };
  return { api: api as unknown as Pick<Api, 'send' | 'failure'>, aborted };
}

async function zipped(api: Pick<Api, 'send' | 'failure'>, most: number) {
  const told: number[] = [];
  let text = '';
  const wanted = { disk: 'd', path: '/f', signal: new AbortController().signal };
  const onProgress = (bytes: number) => void told.push(bytes);
  for await (const piece of zipOf(api, { ...wanted, onProgress, onSize: onProgress }, most))
    text += new TextDecoder().decode(piece);
  return { text, told };
}

test("a folder's zip says first how much it holds, then how far it is", async () => {
  expect(await zipped(zipServer('9', ['abc', 'de']).api, 100)).toEqual({ text: 'abcde', told: [9, 3, 5] });
});

test.each([
  ['says so', zipServer('101', ['abc'])],
  ['does not say so', zipServer('1', ['a'.repeat(60), 'b'.repeat(60)])],
])('a zip that is more than a browser may hold is given up, where it %s, and its source stops', async (_, of) => {
  await expect(zipped(of.api, 100)).rejects.toBeInstanceOf(TooLarge);
  expect(of.aborted).toEqual([true]);
});

test('a zip that breaks is no whole one', async () => {
  await expect(zipped(zipServer('9', ['abc'], true).api, 100)).rejects.toMatchObject({ error: 'network' });
});
