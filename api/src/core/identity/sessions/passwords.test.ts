import type { Problem } from '@gantry/contract/http/problem.ts';
import { describe, expect, test } from '@jest/globals';
import { Passwords } from './passwords.ts';

describe('passwords', () => {
  test('are Argon2id with a salt of their own, and right or wrong', async () => {
    const passwords = new Passwords();
    const [one, two] = [await passwords.hash('Secret-77'), await passwords.hash('Secret-77')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, 'Secret-77')).toBe(true);
    expect(await passwords.verify(one, 'Secret-78')).toBe(false);
    for (const nobody of [null, undefined]) expect(await passwords.verify(nobody, 'Secret-77')).toBe(false);
  });

  test('so many of a flood wait, and the rest are told when to retry', async () => {
    const passwords = new Passwords();
    const kept = await passwords.hash('Secret-77');
    // Also when the very first calls fail: what they all need is created again later.
    const first = await Promise.allSettled([
      ...Array.from({ length: 66 }, () => passwords.hash('Secret-77')),
      passwords.verify(null, 'Secret-77'),
    ]);
    expect(first.at(-1)?.status).toBe('rejected');
    await passwords.verify(null, 'warm');
    const all = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.verify(kept, 'Secret-77')));
    const refused = all.filter((each) => each.status === 'rejected').map(({ reason }) => reason as Problem);
    // Two at work, 64 waiting.
    expect(refused).toHaveLength(80 - 66);
    expect(refused[0]).toMatchObject({ problem: 'unavailable', retryAfterSeconds: 2 });
    expect(await passwords.verify(kept, 'Secret-77')).toBe(true);
  });

  test('cost the same work for an account that there is not', async () => {
    const passwords = new Passwords();
    const worked: string[] = [];
    const kept = await passwords.hash('Secret-77');
    await passwords.verify(null, 'warm');
    // Both are in one queue of two places: neither can be answered without its turn of hashing.
    const order = ['wrong', 'nobody', 'wrong', 'nobody', 'wrong', 'nobody'];
    await Promise.all(
      order.map(async (who) => {
        await passwords.verify(who === 'nobody' ? null : kept, 'Other-77');
        worked.push(who);
      }),
    );
    // Independent of core speed: the second 'nobody' starts only when a 'wrong' is done, the third 'wrong' when a 'nobody' is.
    expect(worked.slice(0, 2)).toContain('wrong');
    expect(worked.slice(0, 3)).toContain('nobody');
  });
});
