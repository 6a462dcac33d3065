// The lineage as SQL: what is recorded with what makes it, what stays of what is gone, what others see of it, and what a read costs.
import {
  LINEAGE_ROUTES,
  type LineageView,
  MOST_COUNTED,
  MOST_LEVELS,
  MOST_NODES,
} from '@gantry/contract/areas/lineage/lineage.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import type { Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Lineage, walk } from './lineage.ts';
import {
  type MadeNode,
  recordGone,
  recordGoneRuns,
  recordMade,
  recordMadeBy,
  recordRenamed,
  runNode,
} from './lineage-rows.ts';
import { runEvents } from './run-events.ts';

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
  /** Of deployments that run. */
  const running = new Set<string>();
  /** Names of tasks, by the uids of their runs. */
  const called = new Map<string, string>();
  const lineage = () =>
    new Lineage({
      ...{ db: open(), shown: { model: async (id) => shown.get(id) } },
      isRunning: (organizationId, ref, uid) => running.has(`${organizationId} ${ref} ${uid}`),
      taskName: ({ uid }) => called.get(uid),
    });
  beforeEach(() => {
    running.clear();
    called.clear();
  });

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

  test('of nodes that are gone and have no edge only the newest stay; one with an edge stays for ever', async () => {
    const { sql: db } = open();
    const refs = ['a', 'b', 'c', 'd'];
    for (const ref of refs) await made(db, model(ref));
    await made(db, model('theirs', '1.0', 'other'));
    await made(db, model('tuned'), [model('a')]);
    for (const [place, ref] of refs.entries()) await recordGone(db, model(ref), new Date(later.getTime() + place), 2);
    await recordGone(db, model('theirs', '1.0', 'other'), later, 2);
    const rows = await rowsOf<{ ref: string }>(db, sql`select ref from lineage_nodes order by ref`);
    expect(rows.map(({ ref }) => ref)).toEqual(['a', 'c', 'd', 'theirs', 'tuned']);
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
    expect(edges).toEqual([{ from: 1, to: 2, time: at.toISOString() }]);
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
        ...{ key: expect.any(String), sources: 0, uses: 1 },
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

  describe('for managers only', () => {
    const manager = acme;
    const member = {
      ...{ organization: { id: 'acme', role: 'member' }, session: { kind: 'session', scopes: [] } },
    } as unknown as Caller;
    const collected = { ...model('asked'), managersOnly: true };

    test('what is made of it is reached on other ways alone, and nobody else counts it', async () => {
      const { sql: db } = open();
      await made(db, deployment('dep-a'));
      await made(db, collected, [deployment('dep-a')]);
      await made(db, model('behind'), [collected]);
      const namesOf = async (caller: Caller) =>
        (await lineage().of(caller, asked('dep-a', { depth: MOST_LEVELS }))).nodes.map(({ name, uses }) => [
          name,
          uses,
        ]);
      expect(await namesOf(manager)).toEqual([
        ['Chat dep-a', 1],
        ['Model asked', 1],
        ['Model behind', 0],
      ]);
      expect(await namesOf(member)).toEqual([['Chat dep-a', 0]]);
      expect((await lineage().of(member, asked('behind'))).nodes).toEqual([
        expect.objectContaining({ name: 'Model behind', sources: 0 }),
      ]);
      const affected = async (caller: Caller) => (await lineage().impact(caller, asked('dep-a'))).nodes.length;
      expect([await affected(manager), await affected(member)]).toEqual([2, 0]);
      await made(db, model('behind'), [deployment('dep-a')]);
      expect(await namesOf(member)).toEqual([
        ['Chat dep-a', 1],
        ['Model behind', 0],
      ]);
      await expect(lineage().impact(member, asked('asked'))).rejects.toMatchObject({ problem: 'not_found' });
    });
  });

  describe('what would change', () => {
    test('running deployments come first, then what is there, the nearest first, and last what is gone', async () => {
      const { sql: db } = open();
      await made(db, model('base'));
      await made(db, model('near'), [model('base')]);
      await made(db, model('gone'), [model('base')]);
      await made(db, model('far'), [model('near')]);
      for (const ref of ['dep-stopped', 'dep-off', 'dep-on']) await made(db, deployment(ref), [model('far')]);
      await made(db, deployment('dep-old'), [model('base')]);
      await made(db, deployment('dep-theirs', 'other'), [model('base')]);
      for (const [ref, uid] of [
        ['dep-on', 'uid-acme-dep-on'],
        // Another one of the same name.
        ['dep-off', 'uid-acme-dep-later'],
        ['dep-old', 'uid-acme-dep-old'],
      ])
        running.add(`acme ${ref} ${uid}`);
      await recordGone(db, deployment('dep-old'), later);
      await recordGone(db, model('gone'), later);
      const { nodes, more } = await lineage().impact(acme, asked('base'));
      expect(nodes.map((node) => `${node.name}: ${node.level}${node.is_running ? ', running' : ''}`)).toEqual([
        ...['Chat dep-on: 3, running', 'Model near: 1', 'Model far: 2', 'Chat dep-stopped: 3', 'Chat dep-off: 3'],
        ...['Model gone: 1', 'Chat dep-old: 1'],
      ]);
      expect(more).toBe(false);
      expect((await lineage().impact(acme, asked('dep-on'))).nodes).toEqual([]);
    });

    test("another organisation's thing, and one that never was, do not exist", async () => {
      await made(open().sql, model('base', '1.0', 'other'));
      for (const id of ['base', 'nowhere'])
        await expect(lineage().impact(acme, asked(id))).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('a circle ends, and more than are shown are cut', async () => {
      const { sql: db } = open();
      await made(db, model('a'));
      await made(db, model('b'), [model('a')]);
      await made(db, model('a'), [model('b')]);
      expect((await lineage().impact(acme, asked('a'))).nodes.map(({ name }) => name)).toEqual(['Model b']);
      await fill(60, 50, 100);
      const { nodes, more } = await lineage().impact(acme, asked('acme-0', { version: '1' }));
      expect({ nodes: nodes.length, more }).toEqual({ nodes: MOST_NODES - 1, more: true });
    });
  });

  describe('runs', () => {
    const run = (number: number, taskUid = 'task-1', task = 'tune') =>
      runNode('finetune', { organizationId: 'acme', task, taskUid, run: number });
    const madeBy = (by: MadeNode, node: MadeNode, from: readonly MadeNode[]) =>
      recordMadeBy(open().sql, by, node, { from, at });
    const ofRun = (id: string) => LINEAGE_ROUTES.getLineage.query.parse({ kind: 'finetune', id, depth: MOST_LEVELS });

    test('a run stands between what it read and what it made, once for all that it made', async () => {
      const { sql: db } = open();
      await made(db, model('base'));
      await madeBy(run(1), model('tuned', 'checkpoint'), [model('base')]);
      await madeBy(run(1), model('tuned', '1'), [model('base')]);
      await madeBy(run(2), model('tuned', '2'), [model('base')]);
      expect(drawn(await lineage().of(acme, ofRun('tune')))).toEqual({
        nodes: [
          ...['Model base 1.0: -1', 'Model tuned 1: 1', 'Model tuned 2: 1', 'Model tuned checkpoint: 1'],
          ...['tune 1: 0', 'tune 2: 0'],
        ],
        edges: [
          ...['Model base → tune', 'Model base → tune'],
          ...['tune → Model tuned', 'tune → Model tuned', 'tune → Model tuned'],
        ],
      });
    });

    test('an evaluation is what came from the models that it asked, and is gone with its task', async () => {
      const { sql: db } = open();
      for (const one of ['before', 'after']) await made(db, model(one));
      const evaluation = runNode('evaluation', { organizationId: 'acme', task: 'quality', taskUid: 'task-3', run: 1 });
      for (let again = 0; again < 2; again++) await made(db, evaluation, [model('before'), model('after')]);
      const changed = async () => (await lineage().impact(acme, { kind: 'model', id: 'before' })).nodes;
      expect(await changed()).toMatchObject([{ kind: 'evaluation', id: 'quality', version: '1', sources: 2, uses: 0 }]);
      called.set(evaluation.uid, 'Quality before and after');
      expect(await changed()).toMatchObject([{ name: 'Quality before and after', id: 'quality' }]);
      called.clear();
      expect(await changed()).toMatchObject([{ name: 'quality' }]);
      await recordGoneRuns(db, 'Evaluation', new Set(['task-3']), later);
      expect(await changed()).toMatchObject([{ gone_time: null }]);
      await recordGoneRuns(db, 'Evaluation', new Set(), later);
      expect(await changed()).toMatchObject([{ gone_time: later.toISOString() }]);
    });

    test('those of a task that is gone are gone, and stay with what they read and made', async () => {
      await made(open().sql, model('base'));
      await madeBy(run(1), model('tuned', '1'), [model('base')]);
      await madeBy(run(1, 'task-2', 'other'), model('other', '1'), [model('base')]);
      const goneOf = async (id: string) =>
        (await lineage().of(acme, ofRun(id))).nodes.map(({ name, gone_time: gone }) => [name, gone !== null]);
      for (const [task, present] of [
        ['FineTune', ['task-1', 'task-2']],
        ['DataProcess', []],
        ['Job', []],
      ] as const) {
        await recordGoneRuns(open().sql, task, new Set(present), later);
        expect(await goneOf('tune')).toContainEqual(['tune', false]);
      }
      await recordGoneRuns(open().sql, 'FineTune', new Set(['task-2']), later);
      expect(await goneOf('tune')).toEqual([
        ['tune', true],
        ['Model base', false],
        ['Model tuned', false],
      ]);
      expect(await goneOf('other')).toContainEqual(['other', false]);
      await recordGoneRuns(open().sql, 'FineTune', new Set(), later);
      expect(await goneOf('other')).toContainEqual(['other', true]);
    });

    test('as events they tell of all that they read and made, however they were reached', async () => {
      const { sql: db } = open();
      await made(db, model('base'));
      await made(db, model('adapter'));
      await made(db, { ...model('secret'), managersOnly: true });
      await madeBy(run(1), model('tuned', '1'), [model('base'), model('adapter'), model('secret')]);
      await made(db, deployment('dep-a'), [model('tuned', '1')]);
      await recordGone(db, deployment('dep-a'), later);
      const query = (id: string, more: object = {}) =>
        LINEAGE_ROUTES.exportLineage.query.parse({ kind: 'model', id, ...more });
      const told = async (caller: Caller, id: string, more: object = {}) => {
        const graph = await lineage().events(caller, query(id, more));
        expect(graph.more).toBe(false);
        return [...runEvents(graph, 'urn:test')].map(
          ({ eventType, eventTime, job, inputs, outputs }) =>
            `${eventTime.slice(8, 10)} ${eventType} ${job.name}: ${inputs.map(({ name }) => name).sort()} → ${outputs.map(({ name }) => name)}`,
        );
      };
      const both = (text: string) => ['START', 'COMPLETE'].map((type) => `29 ${type} ${text}`);
      expect(await told(acme, 'base')).toEqual([
        ...both('arrival/model/base:  → model/base'),
        ...both('finetune/tune: model/adapter,model/base,model/secret → model/tuned'),
        ...['29 START deployment/dep-a: model/tuned → ', '30 COMPLETE deployment/dep-a: model/tuned → '],
      ]);
      const member = { ...acme, organization: { id: 'acme', role: 'member' } } as unknown as Caller;
      expect(await told(member, 'base', { direction: 'down', depth: 1 })).toEqual([
        ...both('arrival/model/base:  → model/base'),
        ...both('finetune/tune: model/adapter,model/base → model/tuned'),
      ]);
      await expect(lineage().events(other, query('base'))).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('more than can be told is cut, and said', async () => {
      await fill(60, 50);
      const asked = LINEAGE_ROUTES.exportLineage.query.parse({ kind: 'model', id: 'acme-1' });
      const graph = await lineage().events(acme, asked);
      expect({ nodes: graph.told.size, more: graph.more }).toEqual({ nodes: MOST_NODES, more: true });
      const first = [...runEvents(graph, 'urn:test')].slice(0, 2);
      expect(first.map(({ eventType }) => eventType)).toEqual(['START', 'COMPLETE']);
    });
  });

  test('neighbours are counted whether they are shown or not, up to a limit', async () => {
    const { sql: db } = open();
    await made(db, model('base'));
    await made(db, model('tuned'), [model('base')]);
    for (let n = 0; n < MOST_COUNTED + 5; n++) await made(db, model(`use-${n}`), [model('base')]);
    const { nodes } = await lineage().of(acme, asked('tuned'));
    expect(nodes.map(({ name, sources, uses }) => [name, sources, uses])).toEqual([
      ['Model tuned', 1, 0],
      ['Model base', 0, MOST_COUNTED],
    ]);
  });

  test('a node has the same key in every answer, and no other has it', async () => {
    const { sql: db } = open();
    await made(db, model('base'));
    await made(db, deployment('dep-a', 'acme', 'old'), [model('base')]);
    await made(db, deployment('dep-a', 'acme', 'new'), [model('base')]);
    const keys = async (id: string) => (await lineage().of(acme, asked(id))).nodes.map(({ key }) => key).sort();
    expect(new Set(await keys('base')).size).toBe(3);
    expect(await keys('dep-a')).toEqual(await keys('base'));
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
  async function fill(levels: number, wide: number, from = 0) {
    for (const [place, org] of ['acme', 'other'].entries()) {
      const first = sql`${from + place * levels * wide}::int`;
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
    for (const [way, seesAll] of [
      ['up', true],
      ['down', true],
      ['down', false],
    ] as const) {
      const plan = await rowsOf<{ 'QUERY PLAN': string }>(
        open().sql,
        sql`explain ${walk(way, 'acme', [start], MOST_LEVELS, seesAll)}`,
      );
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      // The index that begins with what is known: another one of the same columns is read whole.
      expect(text).toMatch(way === 'up' ? /Scan .*lineage_edges_to_id_from_id_pk/ : /Scan .*lineage_edges_from/);
      expect(text).toMatch(way === 'up' ? /Index Cond: \(to_id = ANY/ : /Index Cond: \(\(?from_id = ANY/);
      expect(text).not.toMatch(/Seq Scan on lineage/);
    }
  });
});
