// Files against a server that takes pieces like the real one, and is away now and then.
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { ApiProblem, type ProblemDetail } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { sendVersion, type VersionToSend } from './send-version.ts';

const problem = (error: ProblemDetail['error'], status: number) =>
  new ApiProblem({ status, code: 1, error, message: `It is ${error}.` });

/** `fails` are thrown by the next pieces, before or after they have arrived. */
function played(fails: (Error | { afterwards: Error } | undefined)[] = []) {
  const stands = new Map<string, number>();
  const pieces: string[] = [];
  const api = {
    call: async (_: unknown, { query }: { query: { path: string } }) => ({ offset: stands.get(query.path) ?? 0 }),
    send: async (_: unknown, { query }: { query: { path: string; offset: number } }, { body }: { body: Blob }) => {
      const fail = fails.shift();
      if (fail instanceof Error) throw fail;
      if (query.offset !== (stands.get(query.path) ?? 0)) throw problem('upload_offset', 409);
      pieces.push(`${query.path} ${query.offset}+${body.size}`);
      stands.set(query.path, query.offset + body.size);
      if (fail) throw fail.afterwards;
    },
  } as unknown as VersionToSend['api'];
  const progress: [number, boolean][] = [];
  const send = (files: Record<string, number>, signal = new AbortController().signal) =>
    sendVersion({
      ...{ api, id: 'mdl-1', version: '1', signal },
      files: Object.entries(files).map(([path, size]) => ({ path, file: new Blob([new Uint8Array(size)]) })),
      onProgress: (sent, isAway) => void progress.push([sent, isAway]),
      pause: async () => {},
    });
  return { send, pieces, progress, stands };
}

test('each file is sent in pieces, one after the other', async () => {
  const { send, pieces, progress } = played();
  await send({ a: PIECE_BYTES + 5, b: 7 });
  expect(pieces).toEqual([`a 0+${PIECE_BYTES}`, `a ${PIECE_BYTES}+5`, 'b 0+7']);
  expect(progress.at(-1)).toEqual([PIECE_BYTES + 12, false]);
});

test('what the server has already is not sent again', async () => {
  const { send, pieces, stands } = played();
  stands.set('a', PIECE_BYTES).set('b', 7);
  await send({ a: PIECE_BYTES + 5, b: 7 });
  expect(pieces).toEqual([`a ${PIECE_BYTES}+5`]);
});

test('while the network is away it waits, and asks where the file stands', async () => {
  const { send, pieces, progress } = played([problem('network', 0), { afterwards: problem('network', 0) }]);
  await send({ a: 3, b: 4 });
  expect(pieces).toEqual(['a 0+3', 'b 0+4']);
  expect(progress).toContainEqual([0, true]);
});

test('a refusal ends it', async () => {
  const { send, pieces } = played([problem('model_pickle', 422)]);
  await expect(send({ 'a.bin': 3, b: 4 })).rejects.toMatchObject({ error: 'model_pickle' });
  expect(pieces).toEqual([]);
});
