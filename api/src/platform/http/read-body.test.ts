// The memory of an arriving body: its bytes, in whatever pieces they come.
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readBytes } from './read-body.ts';

test('a body that comes byte by byte keeps none of its pieces', async () => {
  const req = new PassThrough();
  const read = readBytes(req as unknown as IncomingMessage, 1000);
  const said = Buffer.from('{"name":"海"}');
  const pieces = Array.from(said, (byte) => Buffer.of(byte));
  for (const piece of pieces) req.emit('data', piece);
  // A piece is a part of the buffer that the network fills next.
  for (const piece of pieces) piece.fill(0);
  req.emit('end');
  expect(`${await read}`).toBe('{"name":"海"}');
});

test('a body is refused with the piece that is too much, and read no further', async () => {
  const req = new PassThrough();
  const read = readBytes(req as unknown as IncomingMessage, 2);
  for (const piece of ['a', 'b', 'c']) req.emit('data', Buffer.from(piece));
  await expect(read).rejects.toMatchObject({ problem: 'too_large' });
  expect(req.listenerCount('data')).toBe(0);
});
