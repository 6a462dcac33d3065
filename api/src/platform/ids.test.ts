import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { idOf, newId, newOrganizationId } from './ids.ts';

test('an id is its prefix and eight characters that a DNS label may have', () => {
  for (let i = 0; i < 1000; i++) {
    expect(newId('ins')).toMatch(/^ins-[0-9a-z]{8}$/);
    expect(newOrganizationId()).toMatch(/^[a-z][0-9a-z]{7}$/);
  }
});

test('an id of a key is such an id, and the same each time', () => {
  for (let i = 0; i < 1000; i++) {
    const key = createHash('sha256').update(`${i}`).digest('hex');
    expect(idOf('ins', key)).toMatch(/^ins-[0-9a-z]{8}$/);
    expect(newOrganizationId(key)).toMatch(/^[a-z][0-9a-z]{7}$/);
    expect([idOf('ins', key), newOrganizationId(key)]).toEqual([idOf('ins', key), newOrganizationId(key)]);
  }
});

test('every character is used about as often as any other', () => {
  const seen = new Map<string, number>();
  for (let i = 0; i < 5_000; i++) for (const c of newId('x').slice(2)) seen.set(c, (seen.get(c) ?? 0) + 1);
  expect(seen.size).toBe(36);
  const mean = (5_000 * 8) / 36;
  for (const count of seen.values()) expect(Math.abs(count - mean)).toBeLessThan(mean / 4);
});
