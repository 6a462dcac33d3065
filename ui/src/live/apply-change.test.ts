import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import type { ListPage } from '@gantry/contract/http/call.ts';
import { describe, expect, test } from '@jest/globals';
import { applyToList, isOlder, isPlainQuery, type Listed, type Row } from './apply-change.ts';

/** `a5` was made in second 5. */
const row = (id: string, phase = 'running'): Row & { phase: string } => ({
  id,
  create_time: new Date(Number(id.slice(1)) * 1000).toISOString(),
  phase,
});
const page = (ids: readonly string[], rest: Partial<ListPage<Row>> = {}): ListPage<Row> => ({
  items: ids.map((id) => row(id)),
  page: 1,
  size: 3,
  total: ids.length,
  totalPages: 1,
  extra: {},
  ...rest,
});
const put = (id: string, phase = 'stopped'): ResourceEvent => ({
  kind: 'GpuInstance',
  id,
  type: 'put',
  view: { ...row(id, phase) },
  version: '9',
});
const gone = (id: string): ResourceEvent => ({ kind: 'GpuInstance', id, type: 'delete', version: '9' });
const applied = (listed: Partial<Listed> & Pick<Listed, 'pages'>, ...changes: ResourceEvent[]) => {
  const { pages, isStale } = applyToList(
    { isSingle: false, isPlain: true, ...listed },
    new Map(changes.map((change) => [change.id, change])),
  );
  return {
    ids: pages.map(({ items }) => items.map(({ id }) => id).join(' ')),
    totals: [...new Set(pages.map(({ total }) => total))],
    isStale,
    pages,
  };
};

describe('a list that grows', () => {
  const two = [
    page(['a9', 'a8', 'a7'], { total: 8, totalPages: 3 }),
    page(['a6', 'a5', 'a4'], { page: 2, total: 8, totalPages: 3 }),
  ];
  const CASES: Record<string, [ResourceEvent[], ids: string[], total: number, isStale: boolean]> = {
    'a row is replaced where it stands': [[put('a5')], ['a9 a8 a7', 'a6 a5 a4'], 8, false],
    'what is new is on top and counted': [[put('a10')], ['a10 a9 a8 a7', 'a6 a5 a4'], 9, false],
    'several that are new stand in their order': [
      [put('a11'), put('a12')],
      ['a12 a11 a9 a8 a7', 'a6 a5 a4'],
      10,
      false,
    ],
    'what is further down than was read stays there': [[put('a2')], ['a9 a8 a7', 'a6 a5 a4'], 8, false],
    'what is deleted goes, and what follows has moved up': [[gone('a8')], ['a9 a7', 'a6 a5 a4'], 7, true],
    'what is deleted further down may have been counted': [[gone('a1')], ['a9 a8 a7', 'a6 a5 a4'], 8, true],
  };
  test.each(Object.entries(CASES))('%s', (_, [changes, ids, total, isStale]) => {
    const result = applied({ pages: two }, ...changes);
    expect({ ids: result.ids, totals: result.totals, isStale: result.isStale }).toEqual({
      ids,
      totals: [total],
      isStale,
    });
  });

  test('the new row is the view that was told', () => {
    expect(applied({ pages: two }, put('a5', 'failed')).pages[1]?.items[1]).toMatchObject({ phase: 'failed' });
  });

  test('pages without a changed row stay the same objects', () => {
    const { pages } = applied({ pages: two }, put('a5'));
    expect(pages[0]).toBe(two[0]);
  });

  test('all that there is needs no reading when something goes', () => {
    const { ids, totals, isStale } = applied({ pages: [page(['a3', 'a2'])] }, gone('a2'), gone('a1'));
    expect([ids, totals, isStale]).toEqual([['a3'], [1], false]);
  });

  test('an empty list takes the first', () => {
    const { ids, totals } = applied({ pages: [page([])] }, put('a1'));
    expect([ids, totals]).toEqual([['a1'], [1]]);
  });
});

describe('one page of a list', () => {
  test('a new item pushes the last out', () => {
    const { ids, totals, pages } = applied(
      { pages: [page(['a9', 'a8', 'a7'], { total: 3 })], isSingle: true },
      put('a10'),
    );
    expect([ids, totals, pages[0]?.totalPages]).toEqual([['a10 a9 a8'], [4], 2]);
  });

  test('a later page is read again for what comes before its end', () => {
    const later = [page(['a6', 'a5', 'a4'], { page: 2, total: 9, totalPages: 3 })];
    expect(applied({ pages: later, isSingle: true }, put('a20')).isStale).toBe(true);
    expect(applied({ pages: later, isSingle: true }, put('a1')).isStale).toBe(false);
    expect(applied({ pages: later, isSingle: true }, put('a5')).isStale).toBe(false);
  });
});

describe('a list with a filter', () => {
  test('shows the change at once, and asks whether it still belongs there', () => {
    const { pages, isStale } = applied({ pages: [page(['a2', 'a1'])], isPlain: false }, put('a2'));
    expect(pages[0]?.items[0]).toMatchObject({ phase: 'stopped' });
    expect(isStale).toBe(true);
  });

  test('takes nothing new by itself', () => {
    const { ids, isStale } = applied({ pages: [page(['a2', 'a1'])], isPlain: false }, put('a3'));
    expect([ids, isStale]).toEqual([['a2 a1'], true]);
  });
});

test.each<[string, Record<string, unknown> | undefined, boolean]>([
  ['nothing asked for', undefined, true],
  ['a page of a size', { page: 2, size: 10, org_id: 'acme' }, true],
  ['a filter that is empty', { search: '', status: undefined }, true],
  ['the order it has by itself', { order_by: 'create_time', order_type: 'desc' }, true],
  ['the oldest first', { order_type: 'asc' }, false],
  ['by name', { order_by: 'name' }, false],
  ['a filter', { status: 'running' }, false],
])('of a list: %s', (_, query, isPlain) => {
  expect(isPlainQuery(query)).toBe(isPlain);
});

test.each([
  ['9', '10', true],
  ['10', '9', false],
  ['10', '10', false],
  ['18446744073709551614', '18446744073709551615', true],
])('version %s is older than %s: %s', (version, than, isIt) => {
  expect(isOlder(version, than)).toBe(isIt);
});

test('unchanged members of a changed row stay the same objects; an event without a change changes nothing', () => {
  const price = { amount: '1.19' };
  const before = [{ ...page(['a5', 'a4']), items: [{ ...row('a5'), price } as Row, row('a4')] }];
  const change = (phase: string): ResourceEvent => ({
    ...put('a5'),
    view: { ...row('a5', phase), price: { ...price } },
  });
  const [changed] = applied({ pages: before }, change('stopped')).pages;
  expect(changed?.items[0]).toMatchObject({ phase: 'stopped' });
  expect((changed?.items[0] as { price?: unknown } | undefined)?.price).toBe(price);
  expect(changed?.items[1]).toBe(before[0]?.items[1]);
  expect(applied({ pages: before }, change('running')).pages[0]).toBe(before[0]);
});
