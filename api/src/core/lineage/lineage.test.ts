// The lineage as SQL: what is recorded with what makes it, what stays of what is gone, what others see of it, and what a read costs.
import { LINEAGE_ROUTES, type LineageView, MOST_LEVELS, MOST_NODES } from '@gantry/contract/areas/lineage/lineage.ts';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import type { Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Lineage, walk } from './lineage.ts';
import { type MadeNode, recordGone, recordMade, recordRenamed } from './lineage-rows.ts';

const at = new Date('2026-11-29T10:00:00Z');
const later = new Date('2026-11-30T10:00:00Z');
const callerOf = (id: string) =>
  ({ organization: { id, role: 'owner' }, session: { kind: 'session', scopes: [] } }) as unknown as Caller;
const acme = callerOf('acme');
const other = callerOf('other');
const model = (ref: string, version = '1.0', organizationId = 'acme'): MadeNode => ({
  ...{ organizationId, kind: 'model', ref, version, uid: `${ref}/${version}` },
  ...{ digest: `digest of ${ref} ${version}`, name: `Model ${ref}` },
});
const deployment = (ref: string, organizationId = 'acme', digest = 'weights'): MadeNode => ({
  ...{ organizationId, kind: 'deployment', ref, version: null, uid: `uid-${organizationId}-${ref}` },
  ...{ digest, name: `Chat ${ref}` },
});
const made = (tx: Sql, node: MadeNode, from: readonly MadeNode[] = []) => recordMade(tx, node, { from, at });
const asked = (id: string, more: object = {}) =>
  LINEAGE_ROUTES.getLineage.query.parse({ kind: id.startsWith('dep') ? 'deployment' : 'model', id, ...more });
/** `name level`, and who came from whom. */
const drawn = ({ nodes, edges }: LineageView) => ({
  nodes: nodes.map(({ name, version, level }) => `${name}${version === null ? '' : ` ${version}`}: ${level}`).sort(),
  edges: edges.map(({ from, to }) => `${nodes[from]?.name} → ${nodes[to]?.name}`).sort(),
});

forEachDatabase((open) => {
  const shown = new Map<string, string>();
  const lineage = () => new Lineage({ db: open(), shown: { model: async (id) => shown.get(id) } });

  test('one level up and one down are shown, unless more are asked for', async () => {
    const chain = ['base', 'tuned', 'again', 'last'].map((ref) => model(ref));
    for (const [place, node] of chain.entries())
      await made(open().sql, node, chain.slice(Math.max(0, place - 1), place));
    await made(open().sql, deployment('dep-a'), [model('tuned')]);
    expect(drawn(await lineage().of(acme, asked('tuned')))).toEqual({
      nodes: ['Chat dep-a: 1', 'Model again 1.0: 1', 'Model base 1.0: -1', 'Model tuned 1.0: 0'],
      edges: ['Model base → Model tuned', 'Model tuned → Chat dep-a', 'Model tuned → Model again'],
    });
    const nodesOf = async (more: object) => drawn(await lineage().of(acme, asked('last', more))).nodes;
    expect(await nodesOf({ direction: 'down' })).toEqual(['Model last 1.0: 0']);
    expect(await nodesOf({ direction: 'up', depth: 2 })).toEqual([
      'Model again 1.0: -1',
      'Model last 1.0: 0',
      'Model tuned 1.0: -2',
    ]);
    expect(await nodesOf({ depth: MOST_LEVELS })).toHaveLength(4);
  });

  test('a model is asked for with all of its versions, or with one', async () => {
    const { sql: db } = open();
    await made(db, model('base', '1.0'));
    await made(db, model('base', '2.0'));
    await made(db, deployment('dep-a'), [model('base', '2.0')]);
    expect((await lineage().of(acme, asked('base'))).nodes).toHaveLength(3);
    expect((await lineage().of(acme, asked('base', { version: '1.0' }))).nodes).toHaveLength(1);
  });

  test('what is gone keeps its name and digest, and what is called so later is another', async () => {
    const { sql: db } = open();
    await made(db, model('base'));
    await made(db, deployment('dep-a'), [model('base')]);
    await recordGone(db, deployment('dep-a'), later);
    await recordGone(db, { organizationId: 'acme', kind: 'model', ref: 'base' }, later);
    await recordRenamed(db, { organizationId: 'acme', kind: 'model', ref: 'base', name: 'Another' });
    await made(db, { ...model('base'), uid: 'second', digest: 'of other bytes', name: 'Another' });
    const { nodes, edges } = await lineage().of(acme, asked('base'));
    expect(nodes).toEqual([
      expect.objectContaining({ name: 'Another', digest: 'of other bytes', gone_time: null, level: 0 }),
      expect.objectContaining({
        ...{ name: 'Model base', digest: 'digest of base 1.0', level: 0 },
        ...{ create_time: at.toISOString(), gone_time: later.toISOString() },
      }),
      expect.objectContaining({ name: 'Chat dep-a', gone_time: later.toISOString(), level: 1 }),
    ]);
    expect(edges).toEqual([{ from: 1, to: 2, via: null, time: at.toISOString() }]);
  });

  test('content that is replaced is gone, and the new one is there with what it came from', async () => {
    const { sql: db } = open();
    await made(db, model('base', '1.0'));
    await made(db, model('base', '2.0'));
    await made(db, deployment('dep-a', 'acme', 'old'), [model('base', '1.0')]);
    await recordGone(db, { ...deployment('dep-a'), replaced: 'new' }, later);
    await made(db, deployment('dep-a', 'acme', 'new'), [model('base', '2.0')]);
    const { nodes } = await lineage().of(acme, asked('dep-a'));
    expect(nodes.map(({ digest, gone_time, level }) => [digest, gone_time, level])).toEqual([
      ['new', null, 0],
      ['old', later.toISOString(), 0],
      ['digest of base 1.0', null, -1],
      ['digest of base 2.0', null, -1],
    ]);
  });

  test('recorded twice it is there once, and what was taken for gone is there again', async () => {
    const { sql: db } = open();
    await made(db, model('base'));
    await made(db, deployment('dep-a'), [model('base')]);
    await recordGone(db, deployment('dep-a'), later);
    await made(db, { ...deployment('dep-a'), name: 'Renamed' }, [model('base')]);
    const { nodes, edges } = await lineage().of(acme, asked('dep-a'));
    expect(nodes.map(({ name, gone_time }) => [name, gone_time])).toEqual([
      ['Renamed', null],
      ['Model base', null],
    ]);
    expect(edges).toHaveLength(1);
  });

  test('sources that nobody recorded are named, and left out', async () => {
    const { sql: db } = open();
    await made(db, model('base'));
    expect(await made(db, deployment('dep-a'), [model('base'), model('unknown')])).toEqual([
      expect.objectContaining({ uid: 'unknown/1.0' }),
    ]);
    expect((await lineage().of(acme, asked('dep-a'))).edges).toHaveLength(1);
  });

  test('a transaction that fails leaves neither the node nor its edges', async () => {
    await made(open().sql, model('base'));
    await expect(
      open().transaction(async (tx) => {
        await made(tx, deployment('dep-a'), [model('base')]);
        await recordGone(tx, { organizationId: 'acme', kind: 'model', ref: 'base' }, later);
        throw new Error('it was not made');
      }),
    ).rejects.toThrow('it was not made');
    expect((await lineage().of(acme, asked('base'))).nodes).toEqual([expect.objectContaining({ gone_time: null })]);
    await expect(lineage().of(acme, asked('dep-a'))).rejects.toMatchObject({ problem: 'not_found' });
  });

  describe('of others', () => {
    test("another organisation's thing does not exist, and nothing of it is shown", async () => {
      const { sql: db } = open();
      await made(db, model('base', '1.0', 'other'));
      await made(db, deployment('dep-a', 'other'), [model('base')]);
      await made(db, deployment('dep-a', 'acme'));
      for (const id of ['base', 'nowhere'])
        await expect(lineage().of(acme, asked(id))).rejects.toMatchObject({ problem: 'not_found', args: { what: id } });
      expect((await lineage().of(acme, asked('dep-a'))).nodes).toEqual([
        expect.objectContaining({ name: 'Chat dep-a', is_own: true }),
      ]);
    });

    test('of a model of the library its users see the name and the digest, and neither its origin nor other users', async () => {
      const { sql: db } = open();
      await made(db, model('secret', '1.0', 'staff'));
      await made(db, model('shelf', '1.0', 'staff'), [model('secret')]);
      await made(db, deployment('dep-a', 'acme'), [model('shelf')]);
      await made(db, deployment('dep-b', 'other'), [model('shelf')]);
      const seen = {
        ...{ kind: 'model', name: 'Model shelf', digest: 'digest of shelf 1.0', is_own: false, level: -1 },
        ...{ id: null, version: null, create_time: null, gone_time: null },
      };
      const up = await lineage().of(acme, asked('dep-a', { depth: MOST_LEVELS }));
      expect(up.nodes).toEqual([expect.objectContaining({ id: 'dep-a', level: 0 }), seen]);
      // It can be asked for while the library shows it.
      await expect(lineage().of(acme, asked('shelf'))).rejects.toMatchObject({ problem: 'not_found' });
      shown.set('shelf', 'staff');
      const down = await lineage().of(acme, asked('shelf', { depth: MOST_LEVELS }));
      expect(down.nodes).toEqual([{ ...seen, level: 0 }, expect.objectContaining({ id: 'dep-a', level: 1 })]);
      // Those who own it see where it came from, and not who uses it.
      const own = await lineage().of(callerOf('staff'), asked('shelf', { depth: MOST_LEVELS }));
      expect(own.nodes.map(({ name }) => name)).toEqual(['Model shelf', 'Model secret']);
      // A version that the library no longer has leaves nothing behind.
      await recordGone(db, { organizationId: 'staff', kind: 'model', ref: 'shelf' }, later);
      await expect(lineage().of(other, asked('shelf'))).rejects.toMatchObject({ problem: 'not_found' });
    });
  });

  test('a circle, which nothing makes, ends: each node is shown once', async () => {
    const { sql: db } = open();
    await made(db, model('a'));
    await made(db, model('b'), [model('a')]);
    await made(db, model('a'), [model('b')]);
    await made(db, model('a'), [model('a')]);
    const { nodes, edges, more } = await lineage().of(acme, asked('a', { depth: MOST_LEVELS }));
    expect({ names: nodes.map(({ name }) => name), edges: edges.length, more }).toEqual({
      ...{ names: ['Model a', 'Model b'], edges: 2, more: false },
    });
  });

  /** Levels of so many nodes, each made of three of the level before; of two organisations. */
  async function fill(levels: number, wide: number) {
    for (const [place, org] of ['acme', 'other'].entries()) {
      const first = sql`${place * levels * wide}::int`;
      await open().sql.execute(sql`insert into lineage_nodes (id, org_id, kind, ref, version, uid, digest, name, at)
        overriding system value
        select ${first} + level * ${wide}::int + n, ${org}, 'model', ${`${org}-`} || level, n::text, ${org}::text || level || '/' || n,
            '', 'x', now()
          from generate_series(0, ${levels - 1}::int) level, generate_series(1, ${wide}::int) n`);
      await open().sql.execute(sql`insert into lineage_edges (from_id, to_id, org_id, at)
        select ${first} + level * ${wide}::int + n, ${first} + (level + 1) * ${wide}::int + (n - 1 + k) % ${wide}::int + 1, ${org}, now()
          from generate_series(0, ${levels - 2}::int) level, generate_series(1, ${wide}::int) n, unnest(array[0, 1, 7]) k`);
    }
    await open().sql.execute(sql`analyze`);
  }

  test('a graph with more nodes or ways than are shown is cut, and says so', async () => {
    await fill(60, 50);
    const all = await lineage().of(acme, asked('acme-1', { depth: MOST_LEVELS }));
    expect(all.nodes).toHaveLength(MOST_NODES);
    expect(all.more).toBe(true);
    const some = await lineage().of(acme, asked('acme-30', { version: '7', depth: 2 }));
    // Three, then six on nine ways; up and down.
    expect({ nodes: some.nodes.length, edges: some.edges.length, more: some.more }).toEqual({
      ...{ nodes: 1 + 2 * (3 + 6), edges: 2 * (3 + 9), more: false },
    });
  });

  test('a read takes indexes at each step', async () => {
    await fill(60, 50);
    const { id: start } = (
      await rowsOf<{ id: number }>(open().sql, sql`select id::int from lineage_nodes limit 1`)
    )[0] as {
      id: number;
    };
    for (const way of ['up', 'down'] as const) {
      const plan = await rowsOf<{ 'QUERY PLAN': string }>(
        open().sql,
        sql`explain ${walk(way, 'acme', [start], MOST_LEVELS)}`,
      );
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      // The index that begins with what is known: another one of the same columns is read whole.
      expect(text).toMatch(way === 'up' ? /Scan .*lineage_edges_to_id_from_id_pk/ : /Scan .*lineage_edges_from/);
      expect(text).toMatch(way === 'up' ? /Index Cond: \(to_id = ANY/ : /Index Cond: \(\(?from_id = ANY/);
      expect(text).not.toMatch(/Seq Scan on lineage/);
    }
  });
});
