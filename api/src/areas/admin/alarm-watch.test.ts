// Alarms of the platform, as its staff hear of them.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { forEachDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { platformNotices } from '../../platform/db/schema/alerts.ts';
import { messages, notices } from '../../platform/db/schema/messages.ts';
import { accounts, platformGrants } from '../../platform/db/schema/people.ts';
import { MessageStore } from '../../platform/messages/message-store.ts';
import { AlarmWatch } from './alarm-watch.ts';
import type { PlatformAlarms } from './overview.ts';

const LOST = { name: 'nodeLost', count: 2, what: 'node-a', since: null } as const;

forEachDatabase((database) => {
  const clock = new SteppedClock();
  let alarms: PlatformAlarms['alarms'];
  let addresses: string[];
  let mails: string[];
  let fails: boolean;

  const watch = () =>
    new AlarmWatch({
      ...{ db: database(), clock, log: { warn: () => undefined }, wake: () => undefined },
      ring: (tx, notice, staff) => new MessageStore({ db: database(), clock }).send(notice, { staff }, tx),
      read: async () => ({ alarms }),
      addresses: () => addresses,
      mail: async (_tx, { address, title }) => {
        if (fails) throw new Error('SQL is away');
        mails.push(`${address}: ${title}`);
      },
    });
  const looks = async (times: number, one = watch()) => {
    for (let count = 0; count < times; count++) await one.look();
    return one;
  };
  const bells = async () =>
    (
      await database()
        .sql.select({ account: messages.accountId, title: notices.title })
        .from(messages)
        .orderBy(messages.seq)
        .innerJoin(notices, eq(notices.id, messages.noticeId))
    ).map(({ account, title }) => `${account}: ${title.en}`);

  beforeEach(async () => {
    const db = database();
    await resetDatabase(db);
    [alarms, addresses, mails, fails] = [[LOST], [], [], false];
    const at = { createdAt: new Date(clock.now()) };
    await db.sql.insert(accounts).values([
      { ...at, id: 'acc-root', name: 'root', email: 'root@example.com', locale: 'zh' },
      { ...at, id: 'acc-gone', name: 'gone', email: 'gone@example.com', disabledAt: new Date(clock.now()) },
      { ...at, id: 'acc-money', name: 'money', email: 'money@example.com' },
    ]);
    await db.sql.insert(platformGrants).values([
      { ...at, accountId: 'acc-root', role: 'administrator' },
      { ...at, accountId: 'acc-gone', role: 'administrator' },
      { ...at, accountId: 'acc-root', role: 'support' },
      { ...at, accountId: 'acc-money', role: 'finance' },
    ]);
  });

  test('an alarm that lasts is told once to the staff who have its menu, and so is its end', async () => {
    const one = await looks(1);
    expect([mails, await bells()]).toEqual([[], []]);
    await looks(3, one);
    // Another gateway's turn.
    await looks(3);
    alarms = [];
    await looks(4, one);
    expect(mails).toEqual(['root@example.com: 平台告警：节点无响应', 'root@example.com: 平台告警已恢复：节点无响应']);
    expect(await bells()).toEqual([
      'acc-root: Platform alarm: Nodes are not responding',
      'acc-root: Platform alarm resolved: Nodes are not responding',
    ]);
  });

  test('what lasts for a moment is told to nobody', async () => {
    const one = await looks(1);
    alarms = [];
    await looks(1, one);
    alarms = [LOST];
    await looks(1, one);
    expect([mails, await bells()]).toEqual([[], []]);
  });

  test('more of the same is told again, once it lasts and once for each time that it grows', async () => {
    const counts = async (...all: number[]) => {
      for (const count of all) {
        alarms = count === 0 ? [] : [{ ...LOST, count }];
        await one.look();
      }
    };
    const one = watch();
    await counts(1, 1);
    const told = async (work: () => Promise<unknown>) => {
      const before = (await bells()).length;
      await work();
      return (await bells()).slice(before).map((bell) => bell.replace(/^acc-root: Platform alarm(.*): .*$/, '$1'));
    };
    expect(await told(() => counts(2))).toEqual([]);
    expect(await told(() => counts(2, 2))).toEqual([' widened']);
    // Another gateway's turn.
    expect(await told(() => looks(3))).toEqual([]);
    expect(await told(() => counts(1, 2, 1, 1))).toEqual([]);
    expect(await told(() => counts(2, 2))).toEqual([' widened']);
    expect(await told(() => counts(5, 7, 6))).toEqual([' widened', ' widened']);
    const contents = (await database().sql.select().from(notices)).map(({ content }) => content.en);
    expect(contents).toContain('Nodes are not responding: 6 are affected now, node-a among them.');
    expect(await told(() => counts(0, 0))).toEqual([' resolved']);
  });

  test('one that comes and goes is told twenty times an hour at most, and what still stands once the hour allows', async () => {
    const one = await looks(1);
    const flaps = async () => {
      alarms = [LOST];
      await looks(2, one);
      alarms = [];
      await looks(2, one);
    };
    for (let count = 0; count < 15; count++) await flaps();
    expect([(await bells()).length, mails.length]).toEqual([20, 20]);
    // An alarm that stands untold has no end to tell either.
    expect((await bells()).at(-1)).toContain('resolved');
    alarms = [LOST];
    await looks(3, one);
    expect(await bells()).toHaveLength(20);
    // Another alarm has its own twenty.
    alarms = [LOST, { ...LOST, name: 'planStuck' }];
    await looks(3, one);
    expect((await bells()).slice(20)).toEqual([
      'acc-root: Platform alarm: Objects that do not reach their desired state',
    ]);
    clock.set(clock.now() + 3_600_000);
    await looks(3, one);
    expect((await bells()).slice(21)).toEqual(['acc-root: Platform alarm: Nodes are not responding']);
    const kept = await database().sql.select().from(platformNotices).where(eq(platformNotices.name, 'nodeLost'));
    expect(kept).toHaveLength(1);
  });

  test('mails go where the setting says, in the language of whoever has that address', async () => {
    addresses = ['money@example.com', 'pager@example.org'];
    await looks(2);
    expect(mails).toEqual([
      'money@example.com: Platform alarm: Nodes are not responding',
      'pager@example.org: Platform alarm: Nodes are not responding',
    ]);
  });

  test('what could not be written is told at the next look', async () => {
    fails = true;
    const one = await looks(1);
    await expect(one.look()).rejects.toThrow('SQL is away');
    expect(await bells()).toEqual([]);
    fails = false;
    await looks(2, one);
    expect(await bells()).toHaveLength(1);
  });
});
