// Files against a server that lists, takes pieces and completes like the real one, and is away now and then.
import { createHash } from 'node:crypto';
import { MOST_FILES_AT_ONCE } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem, type ProblemDetail } from '@gantry/ui/client/api-problem.ts';
import { expect, test } from '@jest/globals';
import { sendFiles } from './send-files.ts';

const problem = (error: ProblemDetail['error'], status: number) =>
  new ApiProblem({ status, code: 1, error, message: `It is ${error}.` });

interface Listed {
  path: string;
  size_bytes: number;
  sha256: string;
}

/** `fails` are thrown by the next calls of that name. */
function played(fails: Partial<Record<'list' | 'put' | 'complete', Error[]>> = {}) {
  const stored = new Set<string>();
  const files = new Map<string, { size: number; sha256: string; received: number }>();
  const log: string[] = [];
  let open = 0;
  const server = { files, stored, log, mostOpen: 0 };
  const fail = (name: keyof typeof fails) => {
    const error = fails[name]?.shift();
    if (error) throw error;
  };
  const call = async (
    route: { id: string },
    { query, body }: { query?: { path: string }; body?: { files: Listed[] } },
  ) => {
    if (route.id === CALLS.getDatasetUpload.id) return { offset: files.get(query?.path ?? '')?.received ?? 0 };
    if (route.id === CALLS.completeDatasetVersion.id) {
      log.push('complete');
      return fail('complete');
    }
    log.push(`list ${body?.files.length}`);
    fail('list');
    for (const { path, size_bytes: size, sha256 } of body?.files ?? [])
      if (!files.has(path)) files.set(path, { size, sha256, received: stored.has(sha256) ? size : 0 });
    const isMissing = (path: string) => (files.get(path)?.received ?? 0) < (files.get(path)?.size ?? 0);
    return { missing: (body?.files ?? []).map(({ path }) => path).filter(isMissing) };
  };
  const send = async (_: unknown, { query }: { query: { path: string; offset: number } }, { body }: { body: Blob }) => {
    server.mostOpen = Math.max(server.mostOpen, ++open);
    await Promise.resolve();
    open--;
    fail('put');
    const file = files.get(query.path);
    if (!file || file.received !== query.offset) throw problem('upload_offset', 409);
    log.push(`${query.path} ${query.offset}+${body.size}`);
    file.received += body.size;
  };
  const api = { call, send } as unknown as Pick<Api, 'call' | 'send'>;
  const told: { hashed?: number; sent: number; gone: number; isAway: boolean }[] = [];
  const upload = (sizes: Record<string, number>, signal = new AbortController().signal) =>
    sendFiles({
      ...{ api, id: 'dst-1', version: 1, signal },
      files: Object.entries(sizes).map(([path, size]) => ({ path, file: new Blob([path.padEnd(size, '.')]) })),
      hash: async ({ path, file }) => createHash('sha256').update(`${path} ${file.size}`).digest('hex'),
      onProgress: (progress) => void told.push(progress),
      pause: async () => {},
    });
  return { upload, server, told };
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 8]));

test('files are listed with their hashes, those that are missing are sent in pieces, then the version is completed', async () => {
  const { upload, server, told } = played();
  await upload({ a: PIECE_BYTES + 5, b: 7 });
  expect(server.log).toEqual(['list 2', `b 0+7`, `a 0+${PIECE_BYTES}`, `a ${PIECE_BYTES}+5`, 'complete']);
  const size = PIECE_BYTES + 12;
  expect(told.at(-1)).toEqual({ hashed: size, sent: size, gone: size, isAway: false });
});

test('what the organisation has is not sent, and is no measure of the speed', async () => {
  const { upload, server, told } = played();
  server.stored.add(createHash('sha256').update('a 9').digest('hex'));
  await upload({ a: 9, b: 7 });
  expect(server.log).toEqual(['list 2', 'b 0+7', 'complete']);
  expect(told.at(-1)).toEqual({ hashed: 16, sent: 16, gone: 7, isAway: false });
});

test('after a reload the same files go on where they stood', async () => {
  const { upload, server } = played();
  await upload({ a: PIECE_BYTES + 5, b: 7 });
  (server.files.get('a') as { received: number }).received = PIECE_BYTES;
  server.log.length = 0;
  await upload({ a: PIECE_BYTES + 5, b: 7 });
  expect(server.log).toEqual(['list 2', `a ${PIECE_BYTES}+5`, 'complete']);
});

test('thousands of files are listed a thousand at a time, and small ones are sent several at once', async () => {
  const { upload, server } = played();
  await upload(many(2 * MOST_FILES_AT_ONCE + 1));
  expect(server.log.filter((line) => line.startsWith('list'))).toEqual(['list 1000', 'list 1000', 'list 1']);
  expect([...server.files.values()].every(({ size, received }) => received === size)).toBe(true);
  expect(server.mostOpen).toBe(4);
});

test('each step waits for the network, and is done again', async () => {
  const away = () => [problem('network', 0), problem('bad_answer', 502)];
  const { upload, server, told } = played({ list: away(), put: away(), complete: away() });
  await upload({ a: 3 });
  expect(server.log).toEqual(['list 1', 'list 1', 'list 1', 'a 0+3', 'complete', 'complete', 'complete']);
  expect(told.filter(({ isAway }) => isAway).length).toBeGreaterThan(2);
  expect(told.at(-1)?.isAway).toBe(false);
});

test('a refusal ends it, and nothing more is sent', async () => {
  const { upload, server } = played({ put: [problem('model_quota', 409)] });
  await expect(upload(many(50))).rejects.toMatchObject({ error: 'model_quota' });
  await Promise.resolve();
  expect(server.log.length).toBeLessThan(10);
  expect(server.log).not.toContain('complete');
});

test('an upload that is stopped ends with the reason', async () => {
  const stop = new AbortController();
  const { upload, server } = played();
  stop.abort(new Error('stopped'));
  await expect(upload({ a: 3 }, stop.signal)).rejects.toThrow('stopped');
  expect(server.log).toEqual([]);
});
