// One effect per key, over several gateways, whichever of them dies when.
import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '@gantry/kube/clock.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { idempotencyKeys } from '../db/schema/idempotency.ts';
import { Idempotency } from './idempotency.ts';

const HOUR = 3_600_000;
const caller = (account: string, organization = 'acme') => ({
  account: { id: account, name: account, email: null, locale: 'en' as const, platformRoles: [] },
  organization: { id: organization, role: 'owner' as const, namespace: `org-${organization}` },
});
const asked = (input: unknown = { body: { name: 'one' } }, who = caller('acc-1'), route = 'createThing') => ({
  route,
  key: 'k-1',
  caller: who,
  input,
});
const never = new AbortController().signal;

forEachDatabase((database) => {
  let clock: SteppedClock;
  let effects: string[];
  const gateway = (time: Clock = clock) => new Idempotency({ db: database(), clock: time, key });
  const key = 'a-key-of-the-platform';
  const work = async (name: string) => {
    effects.push(name);
    return { text: `{"made":${effects.length}}`, version: 'things=7' };
  };
  beforeEach(() => {
    clock = new SteppedClock();
    effects = [];
  });

  test('fifty at once over three gateways have one effect and one answer', async () => {
    const gateways = [gateway(), gateway(), gateway()];
    let isDone = false;
    const calls = Promise.all(
      Array.from({ length: 50 }, (_, i) => gateways[i % 3]?.once(asked(), never, work)),
    ).finally(() => {
      isDone = true;
    });
    await eventually('all are answered', async () => {
      await clock.step(100);
      return isDone;
    });
    const answers = await calls;
    expect(effects).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer?.text))).toEqual(new Set(['{"made":1}']));
    expect(answers.map((answer) => answer?.version)).toEqual(Array(50).fill('things=7'));
    expect(answers.filter((answer) => !answer?.isReplay)).toHaveLength(1);
  });

  test('another input under the same key is refused, the order of members is no other input', async () => {
    await gateway().once(asked({ body: { a: 1, b: 2 } }), never, work);
    expect(await gateway().once(asked({ body: { b: 2, a: 1 } }), never, work)).toMatchObject({ isReplay: true });
    await expect(gateway().once(asked({ body: { a: 1, b: 3 } }), never, work)).rejects.toMatchObject({
      problem: 'idempotency_mismatch',
    });
    await expect(
      gateway().once(asked({ body: { a: 1, b: 2 } }, caller('acc-1'), 'other'), never, work),
    ).rejects.toMatchObject({
      problem: 'idempotency_mismatch',
    });
    expect(effects).toHaveLength(1);
  });

  test('what is stored of an input cannot be guessed without the key of the platform', async () => {
    const input = { body: { token: 'hunter2' } };
    await gateway().once(asked(input), never, work);
    const text = JSON.stringify(input);
    const [row] = await database().sql.select().from(idempotencyKeys);
    expect(row?.inputHash).toBe(createHmac('sha256', key).update(text).digest('hex'));
    expect(row?.inputHash).not.toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('one key of two people, or in two organisations, is two keys, with two names for what is made', async () => {
    await gateway().once(asked(), never, work);
    await gateway().once(asked({}, caller('acc-2')), never, work);
    await gateway().once(asked({}, caller('acc-1', 'other')), never, work);
    expect(new Set(effects).size).toBe(3);
  });

  test('work that fails is forgotten, and the next call does it', async () => {
    await expect(gateway().once(asked(), never, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
    expect(await gateway().once(asked(), never, work)).toMatchObject({ text: '{"made":1}', isReplay: false });
  });

  describe('a gateway that dies between effect and record', () => {
    const dying = () => {
      // Its work never comes back, and its clock stands still: nothing renews the lease.
      void gateway(new SteppedClock())
        .once(asked(), never, async (name) => {
          effects.push(name);
          return await new Promise<never>(() => undefined);
        })
        .catch(() => undefined);
      return eventually('the effect', () => effects.length === 1);
    };

    test('is taken over once its lease is over, under the same name', async () => {
      await dying();
      await clock.step(16_000);
      expect(await gateway().once(asked(), never, work)).toMatchObject({ isReplay: false });
      expect(effects).toEqual([effects[0], effects[0]]);
    });

    test('is waited for until then, as long as the caller waits', async () => {
      await dying();
      const patience = new AbortController();
      const call = gateway().once(asked(), patience.signal, work);
      const ended = expect(call).rejects.toThrow('enough');
      await clock.step(5_000);
      patience.abort(new Error('enough'));
      await ended;
      expect(effects).toHaveLength(1);
    });
  });

  test('a holder that lives keeps its lease however long it works', async () => {
    let finish: () => void = () => undefined;
    const first = gateway().once(asked(), never, async (name) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return work(name);
    });
    for (let i = 0; i < 4; i++) {
      await eventually('the lease is about to be renewed', () => clock.waitingMs.includes(5_000));
      await clock.step(5_000);
    }
    await eventually('the lease is renewed', () => clock.waitingMs.includes(5_000));
    const [row] = await database().sql.select().from(idempotencyKeys);
    expect(row?.heldUntil.getTime()).toBe(clock.now() + 15_000);
    let isAnswered = false;
    const second = gateway()
      .once(asked(), never, work)
      .finally(() => {
        isAnswered = true;
      });
    finish();
    await first;
    await eventually('the second is answered', async () => {
      await clock.step(100);
      return isAnswered;
    });
    expect(await second).toMatchObject({ isReplay: true });
    expect(effects).toHaveLength(1);
  });

  test('a key is free again after a day, and swept away', async () => {
    await gateway().once(asked(), never, work);
    await clock.step(24 * HOUR - 1);
    expect(await gateway().sweep()).toBe(0);
    await clock.step(2);
    expect(await gateway().sweep()).toBe(1);
    expect(await gateway().once(asked({ body: {} }), never, work)).toMatchObject({ isReplay: false });
    await clock.step(24 * HOUR + 1);
    await gateway().sweep();
    expect(await gateway().once(asked({ body: {} }), never, work)).toMatchObject({ isReplay: false });
    // Each made something else.
    expect(new Set(effects).size).toBe(3);
  });

  test('work that fails after its effect is repeated under the same name, and other input under another', async () => {
    const failing = async (name: string) => {
      effects.push(name);
      throw new Error('the answer cannot be read');
    };
    const repeated = () => gateway().once(asked(), never, failing);
    await expect(repeated()).rejects.toThrow('cannot be read');
    await clock.step(1_000);
    await expect(repeated()).rejects.toThrow('cannot be read');
    await gateway().once(asked({ body: { name: 'other' } }), never, work);
    expect(effects).toEqual([effects[0], effects[0], expect.not.stringMatching(effects[0] ?? '')]);
    await expect(gateway().once(asked(), never, work)).rejects.toMatchObject({ problem: 'idempotency_mismatch' });
  });
});
