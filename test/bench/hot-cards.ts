// The cards of row E1: how hot each is in each interval, the same wherever it is calculated. As a program: their exporter.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

export const INTERVAL_MS = 15_000;
/** A card keeps its temperature for so many intervals: longer than any rule waits. */
const BLOCK = 6;
export const LIMIT = 85;
export const TENANTS = 200;

/** The temperature of a card at a time, in degrees. */
export function degrees(card: number, atMs: number): number {
  const block = Math.floor(atMs / (BLOCK * INTERVAL_MS));
  // A hash of both: nothing repeats, and nothing depends on who asks.
  let mixed = Math.imul(card + 1, 0x9e3779b1) ^ Math.imul(block, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = (mixed ^ (mixed >>> 12)) >>> 0;
  return mixed % 10 < 2 ? 95 : 60;
}

export const namespaceOf = (card: number): string => `org-t${card % TENANTS}`;
export const podOf = (card: number): string => `card-${card}-1`;

const [, program, count, port] = process.argv;
if (program === fileURLToPath(import.meta.url))
  createServer((_req, res) => {
    const now = Date.now();
    const lines = Array.from(
      { length: Number(count) },
      (_, card) => `DCGM_FI_DEV_GPU_TEMP{namespace="${namespaceOf(card)}",pod="${podOf(card)}"} ${degrees(card, now)}`,
    );
    res.setHeader('content-type', 'text/plain; version=0.0.4');
    res.end(['# TYPE DCGM_FI_DEV_GPU_TEMP gauge', ...lines, ''].join('\n'));
  }).listen(Number(port), '127.0.0.1');
