// Single-use tickets work once under concurrency, on both databases.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { TerminalBooks } from '../../areas/instances/terminals/terminal-books.ts';
import { accessTickets, openTerminals, webVisits } from '../db/schema/terminal.ts';
import type { Caller } from '../http/caller.ts';
import { Access } from './access.ts';

const caller: Caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'zh', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'ses-ann', kind: 'session', scopes: ['view', 'use'], expiresAt: 1 },
};
const target = { instance: 'dev', instanceUid: 'uid' };
const shell = { ...target, session: 'new' };

forEachDatabase((database) => {
  test('a ticket is redeemed once, for its purpose, before it expires', async () => {
    const clock = new SteppedClock();
    const access = new Access({ db: database(), clock });
    const ticket = await access.issue(caller, shell);
    expect(await access.redeem(ticket, 'web')).toBeUndefined();
    const all = await Promise.all(Array.from({ length: 10 }, () => access.redeem(ticket, 'terminal')));
    expect(all.filter((one) => one !== undefined)).toEqual([expect.objectContaining({ ...shell, caller })]);
    const late = await access.issue(caller, { ...target, port: 8888 });
    await clock.step(30_000);
    expect(await access.redeem(late, 'web')).toBeUndefined();
  });

  test('neither tickets nor cookies lie in the database as they are, and both go when they are over', async () => {
    const clock = new SteppedClock();
    const access = new Access({ db: database(), clock });
    const ticket = await access.issue(caller, shell);
    const cookie = await access.beginVisit({ caller, ...target, port: 8888 });
    const kept = JSON.stringify([
      await database().sql.select().from(accessTickets),
      await database().sql.select().from(webVisits),
    ]);
    expect(kept).not.toContain(ticket);
    expect(kept).not.toContain(cookie);
    expect(await access.visit(cookie)).toMatchObject({ ...target, port: 8888, caller });
    await clock.step(12 * 3_600_000);
    expect(await access.visit(cookie)).toBeUndefined();
    await access.issue(caller, shell);
    await access.beginVisit({ caller, ...target, port: 1 });
    expect(await database().sql.select().from(accessTickets)).toHaveLength(1);
    expect(await database().sql.select().from(webVisits)).toHaveLength(1);
  });

  test('a terminal whose opening is not in the audit log is not renewed', async () => {
    const clock = new SteppedClock();
    let isDown = true;
    const ended: unknown[] = [];
    const books = new TerminalBooks({
      db: database(),
      clock,
      keepMs: 60_000,
      log: { warn: () => {} },
      audit: async ({ action, reason }) => {
        if (isDown) throw new Error('no audit log');
        ended.push([action, reason]);
      },
    });
    books.start();
    await expect(books.opened(caller, 'dev', '192.0.2.1')).rejects.toThrow('no audit log');
    isDown = false;
    await eventually('it is ended', async () => {
      await clock.step(20_000);
      return ended.length > 0;
    });
    expect(ended).toEqual([['terminalClosed', 'gatewayLost']]);
    books.stop();
  });

  test('the terminals of a gateway that died are ended by one of the others', async () => {
    const clock = new SteppedClock();
    const ended: string[] = [];
    const gateway = (name: string) =>
      new TerminalBooks({
        db: database(),
        clock,
        keepMs: 60_000,
        log: { warn: () => {} },
        audit: async ({ action, reason }) => void ended.push(`${name} ${action} ${reason}`),
      });
    await gateway('dead').opened(caller, 'dev', '192.0.2.1');
    const [one, two] = [gateway('one'), gateway('two')];
    expect(await one.endLost()).toBe(0);
    await clock.step(91_000);
    await Promise.all([one.endLost(), two.endLost()]);
    expect(ended).toEqual(['dead terminalOpened undefined', expect.stringMatching(/ terminalClosed gatewayLost$/)]);
    expect(await database().sql.select().from(openTerminals)).toEqual([]);
  });
});
