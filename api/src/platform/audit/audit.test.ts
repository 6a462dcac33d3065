// The audit log on both databases: entries stay, are chained, and any forced change is found.

import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asc, sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Database } from '../db/open.ts';
import { rowsOf } from '../db/rows-of.ts';
import { auditBlocks, auditLog } from '../db/schema/audit.ts';
import { sqlStateOf } from '../db/sqlstate.ts';
import { AuditLog } from './audit-log.ts';
import type { AuditEntry } from './entry.ts';
import { Sealer } from './sealer.ts';
import { verifyAuditLog } from './verify.ts';

const log = pino({ level: 'silent' });
const clock = new SteppedClock();

const entry = (organization: string, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  requestId: 'request-1',
  action: 'stopInstance',
  decision: 'allowed',
  status: 202,
  caller: {
    account: { id: 'acc-1', name: 'ann' },
    organization: { id: organization },
    session: { kind: 'session' },
  },
  object: 'GpuInstance/ins-1',
  reason: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  ...changes,
});

forEachDatabase((database) => {
  let audit: AuditLog;
  let sealer: Sealer;
  beforeEach(() => {
    audit = new AuditLog({ db: database(), clock, log, isStaffAction: (action) => action.startsWith('admin') });
    sealer = new Sealer({ db: database(), clock, log });
  });
  const written = (...entries: AuditEntry[]) => Promise.all(entries.map((one) => audit.write(one)));
  const entries = () => database().sql.select().from(auditLog).orderBy(asc(auditLog.id));

  test('an entry says who, where, what and how it was decided', async () => {
    await written(entry('aaa'));
    expect(await entries()).toEqual([
      {
        id: 1,
        at: new Date('2026-01-01T00:00:00Z'),
        actorId: 'acc-1',
        actorName: 'ann',
        actorKind: 'session',
        organizationId: 'aaa',
        requestId: 'request-1',
        action: 'stopInstance',
        object: 'GpuInstance/ins-1',
        decision: 'allowed',
        status: 202,
        reason: null,
        ip: '192.0.2.1',
        userAgent: 'test',
      },
    ]);
  });

  test('actions of staff as staff, and actions without a login, belong to the platform', async () => {
    await written(
      entry('aaa', { action: 'adminEditUser' }),
      entry('aaa', { caller: undefined }),
      entry('aaa', { caller: undefined, ip: '' }),
    );
    expect((await entries()).map(({ organizationId, actorKind }) => [organizationId, actorKind])).toEqual([
      ['', 'staff'],
      ['', 'anonymous'],
      ['', 'system'],
    ]);
  });

  test('a burst is written whole, by few statements', async () => {
    await written(...Array.from({ length: 250 }, (_, index) => entry('aaa', { requestId: `request-${index}` })));
    const [counted] = await rowsOf<{ entries: string; statements: string }>(
      database().sql,
      sql`select count(*) as entries, count(distinct xmin::text) as statements from audit_log`,
    );
    expect({ entries: Number(counted?.entries), statements: Number(counted?.statements) }).toEqual({
      entries: 250,
      statements: 3,
    });
  });

  test('text that the database does not take is written as near as it can be', async () => {
    await written(entry('aaa', { object: 'a\0b', reason: '\ud800'.repeat(2_000) }));
    const [row] = await entries();
    expect(row?.object).toBe('a�b');
    expect(row?.reason).toBe('�'.repeat(1_024));
  });

  test('an entry that is refused does not take the others with it', async () => {
    const results = await Promise.allSettled([
      audit.write(entry('aaa')),
      audit.write(entry('aaa', { status: 2 ** 40 })),
      audit.write(entry('bbb')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await entries()).map(({ organizationId }) => organizationId)).toEqual(['aaa', 'bbb']);
  });

  test('a graceful stop writes what waits, and takes nothing more', async () => {
    const writing = written(entry('aaa'), entry('bbb'));
    await audit.stop();
    expect(await entries()).toHaveLength(2);
    await writing;
    await expect(audit.write(entry('ccc'))).rejects.toThrow();
  });

  test.each([
    "update audit_log set reason = 'x'",
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_blocks',
  ])('%s is refused', async (statement) => {
    await written(entry('aaa'));
    await sealer.seal();
    const failure = await database()
      .sql.execute(sql.raw(statement))
      .catch((error: unknown) => error);
    expect(sqlStateOf(failure)).toBe('23001');
    expect(await entries()).toHaveLength(1);
  });

  test('each organisation has a chain of its own, that goes on', async () => {
    await written(entry('aaa'), entry('bbb'), entry('aaa'));
    expect(await sealer.seal()).toBe(3);
    expect(await sealer.seal()).toBe(0);
    await written(entry('aaa'));
    expect(await sealer.seal()).toBe(1);
    const blocks = await database()
      .sql.select()
      .from(auditBlocks)
      .orderBy(asc(auditBlocks.organizationId), asc(auditBlocks.seq));
    expect(blocks.map((block) => [block.organizationId, block.seq, block.entries.map(([id]) => id)])).toEqual([
      ['aaa', 1, [1, 3]],
      ['aaa', 2, [4]],
      ['bbb', 1, [2]],
    ]);
    expect(blocks[1]?.previousHash).toBe(blocks[0]?.hash);
  });

  test('each entry is a line of the process’s log, too, once it is committed, where that is asked for', async () => {
    const lines: { entry?: object }[] = [];
    const parts = {
      db: database(),
      clock,
      log: pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) }),
      isStaffAction: () => false,
    };
    await new AuditLog(parts).write(entry('aaa'));
    expect(lines).toEqual([]);
    await new AuditLog({ ...parts, hasLines: true }).write(entry('bbb', { reason: 'two\nlines', ip: '192.0.2.7' }));
    expect(lines.map((line) => line.entry)).toMatchObject([
      { organizationId: 'bbb', actorName: 'ann', action: 'stopInstance', reason: 'two\nlines', ip: '192.0.2.7' },
    ]);
    expect(await entries()).toHaveLength(2);
  });

  test('the log of the process names each new end of a chain', async () => {
    const lines: string[] = [];
    const telling = new Sealer({
      db: database(),
      clock,
      log: pino({ base: null }, { write: (line) => lines.push(line) }),
    });
    await written(entry('aaa'), entry('bbb'));
    await telling.seal();
    await telling.seal();
    const { heads } = await verifyAuditLog(database());
    const expected = heads.map(({ organizationId, seq, hash }) => ({ organization: organizationId, seq, hash }));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ heads: expected }]);
  });

  describe('forced actions', () => {
    beforeEach(async () => {
      await written(entry('aaa'), entry('bbb'), entry('aaa'), entry('aaa'));
      await sealer.seal();
      await written(entry('aaa'), entry('bbb'));
      await sealer.seal();
      await written(entry('aaa'));
    });

    test('nothing: the chains are whole, and what is not sealed yet is counted', async () => {
      expect(await verifyAuditLog(database())).toMatchObject({
        entries: 7,
        unsealed: 1,
        faults: [],
        heads: [
          { organizationId: 'aaa', seq: 2 },
          { organizationId: 'bbb', seq: 2 },
        ],
      });
    });

    test.each([
      ["update audit_log set reason = 'x' where id in (3, 5)", ['organisation aaa: entry 3 was changed']],
      ["update audit_log set at = at + interval '1 hour' where id = 4", ['organisation aaa: entry 4 was changed']],
      ['delete from audit_log where id = 1', ['organisation aaa: entry 1 is missing']],
      [
        "update audit_log set organization_id = 'aaa' where id = 2",
        ['organisation aaa: entry 2 was added after its time was sealed', 'organisation bbb: entry 2 is missing'],
      ],
      [
        "insert into audit_log (id, at, actor_kind, organization_id, request_id, action, decision, status, ip) values (-1, now(), 'session', 'ccc', 'r', 'a', 'allowed', 200, '')",
        ['organisation ccc: entry -1 was added after its time was sealed'],
      ],
      [
        "update audit_blocks set entries = entries - 0, from_id = 3 where organization_id = 'aaa' and seq = 1",
        ['organisation aaa: block 1 is not what was sealed'],
      ],
      ["delete from audit_blocks where organization_id = 'aaa' and seq = 1", ['organisation aaa: block 1 is missing']],
      [
        "update audit_blocks set hash = repeat('f', 64) where organization_id = 'bbb' and seq = 2",
        ['organisation bbb: block 2 is not what was sealed'],
      ],
    ])('%s', async (statement, faults) => {
      await byForce(database(), statement);
      expect((await verifyAuditLog(database())).faults).toEqual(faults);
    });
  });

  test('an entry that commits late, with a smaller id, is sealed too', async () => {
    const { promise: isLate, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: isInserted, resolve: inserted } = Promise.withResolvers<void>();
    const late = database().transaction(async (tx) => {
      await tx.execute(lateEntry);
      inserted();
      await isLate;
    });
    await isInserted;
    await written(entry('aaa'));
    const sealing = new Sealer({ db: database(), clock, log, waitMs: 30_000 }).seal();
    await eventually(
      'the sealer waits for it',
      async () => {
        const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted`;
        return (await rowsOf(database().sql, waiting)).length > 0;
      },
      10_000,
    );
    letGo();
    await late;
    expect(await sealing).toBe(2);
    expect((await verifyAuditLog(database())).faults).toEqual([]);
  });

  test('two sealers at once make one chain', async () => {
    const other = new Sealer({ db: database(), clock, log });
    await written(...Array.from({ length: 50 }, () => entry('aaa')));
    const sealed = await Promise.all([sealer.seal(), other.seal(), sealer.seal(), other.seal()]);
    expect(sealed.reduce((sum, one) => sum + one)).toBe(50);
    expect((await verifyAuditLog(database())).faults).toEqual([]);
  });

  afterEach(() => audit.stop());
});

const lateEntry = sql`insert into audit_log (at, actor_kind, organization_id, request_id, action, decision, status, ip)
  values (now(), 'session', 'aaa', 'late', 'a', 'allowed', 200, '')`;

/** As a superuser who lets the triggers rest. */
const byForce = (database: Database, statement: string): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql.raw(statement));
  });
