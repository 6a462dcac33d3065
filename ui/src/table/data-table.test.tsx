// The table as a person meets it, in a window that shows ten rows.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { WordsProvider } from '../i18n/use-words.tsx';
import { Words } from '../i18n/words.ts';
import { words as english } from '../words/en.ts';
import { type Column, DataTable, type DataTableProps } from './data-table.tsx';

interface Thing {
  id: string;
  name: string;
  state: string;
}

const WINDOW_PX = 36 + 10 * 36;
const things = (count: number): Thing[] =>
  Array.from({ length: count }, (_, at) => ({ id: `t${at}`, name: `Thing ${at}`, state: 'new' }));

/** How often each row's cells were drawn. */
let drawn = new Map<string, number>();
const columns: readonly Column<Thing>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name }) => {
      drawn.set(id, (drawn.get(id) ?? 0) + 1);
      return <a href={`#${id}`}>{name}</a>;
    },
  },
  { id: 'state', label: 'State', cell: ({ state }) => state },
  { id: 'act', label: '', cell: ({ name }) => <button type="button">Open {name}</button>, isWideOnly: true },
];

let isNarrow = false;
let contentPx = 0;
const sizes: [keyof HTMLElement, PropertyDescriptor | undefined][] = [];
const said = new Words('en');
said.add('ui', english);

beforeEach(() => {
  drawn = new Map();
  isNarrow = false;
  contentPx = 36 + 1000 * 36;
  for (const [name, value] of [
    ['offsetHeight', WINDOW_PX],
    ['clientHeight', WINDOW_PX],
    ['offsetWidth', 1000],
  ] as const) {
    sizes.push([name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)]);
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  }
  sizes.push(['scrollHeight', undefined]);
  Object.defineProperty(HTMLElement.prototype, 'scrollHeight', { configurable: true, get: () => contentPx });
  // jsdom lays nothing out: scrolling is a number and an event.
  Element.prototype.scrollTo = function scrollTo(this: Element, to?: unknown) {
    this.scrollTop = (to as { top: number }).top;
    queueMicrotask(() => act(() => void fireEvent.scroll(this)));
  } as Element['scrollTo'];
  window.matchMedia = ((query: string) => ({
    matches: isNarrow && query.includes('max-width: 767.95px'),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  })) as unknown as typeof window.matchMedia;
});
afterEach(() => {
  cleanup();
  for (const [name, former] of sizes.splice(0)) {
    if (former) Object.defineProperty(HTMLElement.prototype, name, former);
    else Reflect.deleteProperty(HTMLElement.prototype, name);
  }
});

const listOf = (items: readonly Thing[]): DataTableProps<Thing>['list'] => ({
  items,
  total: items.length,
  isLoading: false,
  isLoadingMore: false,
  hasMore: false,
  error: null,
  more: () => {},
  again: () => {},
});

function Shown(props: Partial<DataTableProps<Thing>> & { items: readonly Thing[]; isSelectable?: boolean }) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const { items, isSelectable, ...rest } = props;
  return (
    <WordsProvider words={said}>
      <DataTable
        label="Things"
        columns={columns}
        list={listOf(items)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(isSelectable && { selected, onSelect: select })}
        {...rest}
      />
      <output>{[...selected].join(' ')}</output>
    </WordsProvider>
  );
}

const table = () => screen.getByLabelText('Things');
const scrollTo = (top: number) =>
  act(() => {
    table().scrollTop = top;
    fireEvent.scroll(table());
  });
// Finding by role computes every element's style: once a test is enough.
const link = (name: string) => screen.getByText(name, { selector: 'a' });
const button = (name: string) => screen.getByText(name, { selector: 'button' });
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const chosen = () => document.querySelector('output')?.textContent;
const focus = (element: HTMLElement) => act(() => element.focus());
/** Scrolling that follows is over afterwards. */
const press = (key: string, init: object = {}) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init }));

test('only the visible ones of ten thousand rows are in the page, and each says its index', () => {
  render(<Shown items={things(10_000)} />);
  expect(document.querySelectorAll('[role=row]').length).toBeLessThan(30);
  expect(table().getAttribute('aria-rowcount')).toBe('10001');
  scrollTo(5000 * 36);
  expect(link('Thing 5003').closest('[role=row]')?.getAttribute('aria-rowindex')).toBe('5005');
  expect(screen.queryByText('Thing 0')).toBeNull();
  expect(document.querySelectorAll('[role=row]').length).toBeLessThan(40);
});

test('a change of one row draws the cells of no other', () => {
  const items = things(1000);
  const { rerender } = render(<Shown items={items} />);
  const before = new Map(drawn);
  rerender(<Shown items={items.map((thing) => (thing.id === 't3' ? { ...thing, state: 'changed' } : thing))} />);
  expect(screen.getByText('changed')).toBeTruthy();
  expect([...drawn].filter(([id, count]) => count !== before.get(id)).map(([id]) => id)).toEqual(['t3']);
});

test('a row that comes above leaves the focus where it is, and draws no cells of others', () => {
  const items = things(50);
  const { rerender } = render(<Shown items={items} />);
  focus(link('Thing 2'));
  const before = drawn.get('t2');
  rerender(<Shown items={[{ id: 'new', name: 'New one', state: 'new' }, ...items]} />);
  expect(document.activeElement).toBe(link('Thing 2'));
  expect(drawn.get('t2')).toBe(before);
});

test('the row that has the focus stays in the page when it is scrolled away', () => {
  render(<Shown items={things(1000)} />);
  focus(link('Thing 2'));
  scrollTo(500 * 36);
  expect(document.activeElement).toBe(link('Thing 2'));
});

test('when the row that has the focus is gone, the one in its place has it', () => {
  const items = things(50);
  const { rerender } = render(<Shown items={items} />);
  focus(button('Open Thing 2'));
  rerender(<Shown items={items.filter(({ id }) => id !== 't2')} />);
  expect(document.activeElement).toBe(button('Open Thing 3'));
});

test('arrows, End and Home go from row to row and stay in the column', async () => {
  render(<Shown items={things(1000)} />);
  focus(button('Open Thing 0'));
  await press('ArrowDown');
  await press('ArrowDown');
  await press('ArrowUp');
  expect(document.activeElement).toBe(button('Open Thing 1'));
  await press('End');
  expect(document.activeElement).toBe(button('Open Thing 999'));
  await press('PageUp');
  expect(document.activeElement).toBe(button('Open Thing 990'));
  await press('Home');
  expect(document.activeElement).toBe(button('Open Thing 0'));
});

test('with Shift all from the row before are selected, and one press takes them off', () => {
  render(<Shown items={things(20)} isSelectable />);
  fireEvent.click(box('Select Thing 2'));
  fireEvent.click(box('Select Thing 5'), { shiftKey: true });
  expect(chosen()).toBe('t2 t3 t4 t5');
  fireEvent.click(box('Select Thing 3'), { shiftKey: true });
  expect(chosen()).toBe('t2');
});

test('all are selected by one box or by Ctrl+A, and none by Escape', async () => {
  render(<Shown items={things(100)} isSelectable />);
  const all = box('Select all');
  fireEvent.click(all);
  expect(chosen()?.split(' ')).toHaveLength(100);
  expect(all.checked).toBe(true);
  focus(link('Thing 1'));
  await press('Escape');
  expect(chosen()).toBe('');
  await press('a', { ctrlKey: true });
  expect(chosen()?.split(' ')).toHaveLength(100);
});

test('a row that left the list is not selected any more', () => {
  const { rerender } = render(<Shown items={things(5)} isSelectable />);
  fireEvent.click(box('Select Thing 1'));
  fireEvent.click(box('Select Thing 4'));
  rerender(<Shown items={things(3)} isSelectable />);
  expect(chosen()).toBe('t1');
});

test('a heading says how the list is ordered and turns it round', () => {
  const sort = jest.fn();
  render(<Shown items={things(3)} sorting={{ by: 'name', type: 'asc' }} onSort={sort} />);
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending');
  expect(screen.getByRole('columnheader', { name: 'State' }).getAttribute('aria-sort')).toBeNull();
  fireEvent.click(screen.getByText('Name'));
  expect(sort).toHaveBeenCalledWith({ by: 'name', type: 'desc' });
});

test('on a phone a row is a card whose values have their labels, and what is for wide windows is left out', () => {
  isNarrow = true;
  render(<Shown items={things(3)} sorting={{ by: 'name', type: 'asc' }} onSort={() => {}} />);
  const card = link('Thing 1').closest<HTMLElement>('[role=row]') as HTMLElement;
  expect(
    within(card)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['Thing 1', 'Statenew']);
  expect(screen.queryByRole('columnheader')).toBeNull();
  expect(screen.getByRole('combobox', { name: /Sort by/ })).toBeTruthy();
});

test('a card has no line for a cell with nothing in it', () => {
  isNarrow = true;
  const [name] = columns;
  const rest = { id: 'actions', label: 'Actions', cell: ({ name: of }: Thing) => of === 'Thing 1' && 'Stop' };
  render(<Shown items={things(2)} columns={name ? [name, rest] : []} />);
  const cards = screen.getAllByRole('row').map((card) => within(card).getAllByRole('cell'));
  expect(cards.map((cells) => cells.map(({ textContent }) => textContent))).toEqual([
    ['Thing 0'],
    ['Thing 1', 'ActionsStop'],
  ]);
});

test('above cards an order that is not among the columns is not told as another one, which can then be chosen', () => {
  isNarrow = true;
  const sort = jest.fn();
  render(<Shown items={things(3)} sorting={{ by: 'create_time', type: 'desc' }} onSort={sort} />);
  const order = screen.getByRole<HTMLSelectElement>('combobox', { name: /Sort by/ });
  expect(order.value).toBe('create_time desc');
  expect(order.selectedOptions[0]?.disabled).toBe(true);
  fireEvent.change(order, { target: { value: 'name asc' } });
  expect(sort).toHaveBeenCalledWith({ by: 'name', type: 'asc' });
});

test('the next page is asked for at the end, once', () => {
  const more = jest.fn();
  const list = { ...listOf(things(100)), hasMore: true, more };
  contentPx = 36 + 100 * 36;
  render(<Shown items={[]} list={list} />);
  scrollTo(0);
  expect(more).not.toHaveBeenCalled();
  scrollTo(contentPx - WINDOW_PX);
  scrollTo(contentPx - WINDOW_PX);
  expect(more).toHaveBeenCalledTimes(1);
});

test('keys in a field within a row are the field’s own', async () => {
  const typing: readonly Column<Thing>[] = [
    { id: 'note', label: 'Note', cell: ({ name }) => <input aria-label={name} /> },
  ];
  render(<Shown items={things(3)} columns={typing} />);
  const field = screen.getByRole('textbox', { name: 'Thing 0' });
  focus(field);
  await press('ArrowDown');
  expect(document.activeElement).toBe(field);
});
