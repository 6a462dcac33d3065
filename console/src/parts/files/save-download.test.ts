import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { type Chunk, chunksOf, saveDownload, TooLarge } from './save-download.ts';

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
  for await (const chunk of chunksOf(
    api,
    CALLS.downloadFile,
    { params: { id: 'd' }, query: { path: '/f' } },
    { signal },
  ))
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

test('what is held in memory has an end, whatever the server sends', async () => {
  const chunk: Chunk = new Uint8Array(128 * 1024 * 1024);
  let sent = 0;
  const endless = async function* () {
    for (;;) {
      sent++;
      yield chunk;
    }
  };
  await expect(saveDownload({ name: 'all.jsonl', size: undefined }, endless)).rejects.toBeInstanceOf(TooLarge);
  expect(sent).toBe(9);
});
