import { expect, test } from '@jest/globals';
import { readCsvStream } from './read-csv-stream.ts';

const streamOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

test('rows are counted as they arrive; a line end within quotes is none, wherever the answer is cut', async () => {
  const told: number[] = [];
  const { parts, rows } = await readCsvStream(
    streamOf('id,name\r\n1,"a\r', '\nb"\r\n2,"say ""hi""\n', '"\r', '\n3,c\r\n'),
    (count) => told.push(count),
  );
  expect([rows, told.at(-1)]).toEqual([3, 3]);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(await new Blob(parts).text()).toBe('id,name\r\n1,"a\r\nb"\r\n2,"say ""hi""\n"\r\n3,c\r\n');
});

test('a file of no rows has none', async () => {
  expect((await readCsvStream(streamOf('id,name\r\n'), () => {})).rows).toBe(0);
});

test('an answer that breaks off is no file', async () => {
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.error(new TypeError('gone')),
  });
  await expect(readCsvStream(broken, () => {})).rejects.toThrow('gone');
});
