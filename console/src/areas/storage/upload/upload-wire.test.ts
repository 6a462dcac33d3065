// The browser's events about a piece, translated for the queue.
import { Api } from '@gantry/ui/client/api.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileChanged, uploadWire } from './upload-wire.ts';

/** A request that ends as the test says. */
class PlayedRequest {
  static last: PlayedRequest;
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  onerror?: () => void;
  onload?: () => void;
  status = 0;
  responseText = '';
  constructor() {
    PlayedRequest.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}
  getResponseHeader() {
    return null;
  }
}

const real = globalThis.XMLHttpRequest;
beforeEach(() => {
  globalThis.XMLHttpRequest = PlayedRequest as unknown as typeof XMLHttpRequest;
});
afterEach(() => {
  globalThis.XMLHttpRequest = real;
});

const api = new Api({
  token: () => 'tok',
  language: 'en',
  failures: { network: 'No network.', timed_out: 'late', bad_answer: 'Bad.' },
});
const blob = (arrayBuffer: () => Promise<ArrayBuffer>) => ({ slice: () => ({ arrayBuffer }) }) as unknown as Blob;
const readable = blob(async () => new ArrayBuffer(1));
const put = (body: Blob) =>
  uploadWire(api, 'dsk-1').put(
    { path: '/a', overwrite: false, body },
    { signal: new AbortController().signal, sent: () => {} },
  );

test('a broken connection is told as such', async () => {
  const done = put(readable);
  PlayedRequest.last.onerror?.();
  await expect(done).rejects.toMatchObject({ error: 'network' });
});

test('a file that cannot be read any more is no broken connection', async () => {
  const done = put(blob(() => Promise.reject(new DOMException('changed', 'NotReadableError'))));
  PlayedRequest.last.onerror?.();
  await expect(done).rejects.toBeInstanceOf(FileChanged);
});

test.each([
  ['{"code":0,"result":{"complete":true}}', { complete: true }],
  ['<h1>Welcome to the hotel</h1>', undefined],
  ['{"code":0}', undefined],
])('an answer of %s', async (text, result) => {
  const done = put(readable);
  Object.assign(PlayedRequest.last, { status: 200, responseText: text }).onload?.();
  if (result) await expect(done).resolves.toEqual(result);
  else await expect(done).rejects.toMatchObject({ error: 'bad_answer' });
});
