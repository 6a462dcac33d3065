import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { chunksOf, TooLarge, zipOf } from './download.ts';

const CONTENT = new TextEncoder().encode('0123456789');
const network = () => new ApiProblem({ status: 0, code: 0, error: 'network', message: 'Gone.' });

/** For each answer, how many bytes arrive before it breaks; the last is complete. `etags` are those of each answer. */
function server(breaksAfter: readonly number[], etags: readonly string[] = []) {
  const ranges: (string | undefined)[] = [];
  const api = {
    failure: (error: string) => new ApiProblem({ status: 0, code: 0, error: error as 'network', message: error }),
    send: async (_: unknown, __: unknown, { headers }: { headers: Record<string, string> }) => {
      const at = ranges.length;
      ranges.push(headers.Range);
      const from = Number(/^bytes=(\d+)-$/.exec(headers.Range ?? '')?.[1] ?? 0);
      const etag = etags[at] ?? '"1"';
      const isSame = headers['If-Range'] === undefined || headers['If-Range'] === etag;
      const start = isSame ? from : 0;
      const most = breaksAfter[at];
      const parts = [CONTENT.slice(start, most === undefined ? undefined : start + most)];
      const body = new ReadableStream({
        pull: (sink) => {
          const part = parts.shift();
          if (part && part.length > 0) sink.enqueue(part);
          else if (most === undefined) sink.close();
          else sink.error(new TypeError('network error'));
        },
      });
      return new Response(body, { status: start > 0 ? 206 : 200, headers: { ETag: etag } });
    },
  };
  return { api: api as unknown as Pick<Api, 'send' | 'failure'>, ranges };
}

async function fetched(api: Pick<Api, 'send' | 'failure'>, signal = new AbortController().signal): Promise<string> {
  let text = '';
  for await (const chunk of chunksOf(api, { disk: 'd', path: '/f', signal, onProgress: () => {} }))
    text += new TextDecoder().decode(chunk);
  return text;
}

test('a broken download resumes where it broke', async () => {
  const { api, ranges } = server([3, 2]);
  expect(await fetched(api)).toBe('0123456789');
  expect(ranges).toEqual([undefined, 'bytes=3-', 'bytes=5-']);
});

test('a file that is another by then is not put together with the first', async () => {
  const { api } = server([3], ['"1"', '"2"']);
  await expect(fetched(api)).rejects.toMatchObject({ error: 'bad_answer' });
});

test('a network that never comes back is given up on', async () => {
  const { api, ranges } = server([3, 0, 0, 0, 0, 0, 0, 0, 0]);
  await expect(fetched(api)).rejects.toMatchObject({ error: 'network' });
  expect(ranges.length).toBeLessThan(9);
});

test('a refusal is told at once', async () => {
  const api = {
    failure: () => network(),
    send: () => Promise.reject(new ApiProblem({ status: 404, code: 1, error: 'not_found', message: 'No.' })),
  };
  await expect(fetched(api as unknown as Pick<Api, 'send' | 'failure'>)).rejects.toMatchObject({ error: 'not_found' });
});

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
