// A file that a call answers with.
import { afterEach, expect, jest, test } from '@jest/globals';
import { nameIn, saveAnswer } from './save-answer.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  ['the server names it', 'attachment; filename="invoice-7-2026-10.pdf"', 'invoice-7-2026-10.pdf'],
  ['without a name it is a download', 'attachment', 'download'],
])('%s', (_, header, name) => expect(nameIn(new Headers({ 'content-disposition': header }))).toBe(name));

test('an answer is saved whole, and its progress is reported', async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return 'blob:1';
  };
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  jest.useFakeTimers();
  const body = new ReadableStream({
    start(out) {
      for (const text of ['a,b\n', '1,2\n']) out.enqueue(new TextEncoder().encode(text));
      out.close();
    },
  });
  const reported: number[] = [];
  await saveAnswer(new Response(body, { headers: { 'content-type': 'text/csv' } }), (bytes) => reported.push(bytes));
  jest.useRealTimers();
  expect(reported).toEqual([4, 8]);
  expect(saved.map(({ size, type }) => [size, type])).toEqual([[8, 'text/csv']]);
  expect(click).toHaveBeenCalledTimes(1);
});

test('a connection that breaks saves nothing', async () => {
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const body = new ReadableStream({
    pull(out) {
      out.error(new TypeError('gone'));
    },
  });
  await expect(saveAnswer(new Response(body))).rejects.toThrow('gone');
  expect(click).not.toHaveBeenCalled();
});
