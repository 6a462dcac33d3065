// Applies an object's change to what was read: updates rows in place, inserts new ones, removes deleted ones. Reports when that
// cannot be known without reading again. Pure.

import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import type { ListPage } from '@gantry/contract/http/call.ts';
import { replaceEqualDeep } from '@tanstack/react-query';

export interface Row {
  readonly id: string;
  readonly create_time?: string;
}

export interface Listed {
  readonly pages: readonly ListPage<Row>[];
  /** `pages` is one page that a person turned to, not the beginning of a list that grows. */
  readonly isSingle: boolean;
  /** Everything, the newest first. */
  readonly isPlain: boolean;
}

export interface Applied {
  /** Identical to the input if nothing changed. */
  readonly pages: readonly ListPage<Row>[];
  readonly isStale: boolean;
}

/** Versions are whole numbers as text. */
export const isOlder = (version: string, than: string): boolean =>
  version.length === than.length ? version < than : version.length < than.length;

const OF_ANY_LIST = new Set(['page', 'size', 'org_id']);

/** Whether a list's query filters nothing and keeps the default order. */
export function isPlainQuery(query: Readonly<Record<string, unknown>> = {}): boolean {
  const { order_by = 'create_time', order_type = 'desc', ...rest } = query;
  const hasFilter = Object.entries(rest).some(
    ([name, value]) => !OF_ANY_LIST.has(name) && value !== undefined && value !== '',
  );
  return !hasFilter && order_by === 'create_time' && order_type === 'desc';
}

/** `changes` are of one kind, by id. */
export function applyToList(listed: Listed, changes: ReadonlyMap<string, ResourceEvent>): Applied {
  const seen = new Set<string>();
  const kept = listed.pages.map((page) => changedPage(page, changes, seen));
  const removed = [...seen].filter((id) => changes.get(id)?.type === 'delete').length;
  const last = kept.at(-1);
  const hasMore = last !== undefined && last.page < last.totalPages;
  const counted = removed === 0 ? kept : kept.map((page) => recounted(page, -removed));
  const unseen = [...changes.values()].filter(({ id }) => !seen.has(id));
  const added = listed.isPlain ? withNew(counted, listed.isSingle, hasMore, unseen) : undefined;

  const isComplete = !hasMore && kept[0]?.page === 1;
  const isStale =
    // Only the server knows how a filter or another order treats a change.
    (!listed.isPlain && changes.size > 0) ||
    // Later rows have moved up.
    (removed > 0 && hasMore) ||
    // It may have been counted.
    (!isComplete && unseen.some(({ type }) => type === 'delete')) ||
    added?.isStale === true;
  return { pages: added?.pages ?? counted, isStale };
}

function changedPage(page: ListPage<Row>, changes: ReadonlyMap<string, ResourceEvent>, seen: Set<string>) {
  const items: Row[] = [];
  let isSame = true;
  for (const row of page.items) {
    const change = changes.get(row.id);
    if (!change) items.push(row);
    else {
      seen.add(row.id);
      // Members that did not change stay the same objects, and so do the cells that show them.
      const next = change.type === 'delete' ? undefined : replaceEqualDeep(row, change.view as unknown as Row);
      if (next) items.push(next);
      if (next !== row) isSame = false;
    }
  }
  return isSame ? page : { ...page, items };
}

const recounted = (page: ListPage<Row>, by: number): ListPage<Row> => {
  const total = Math.max(0, page.total + by);
  return { ...page, total, totalPages: page.size > 0 ? Math.ceil(total / page.size) : page.totalPages };
};

/** Objects that are not among the rows, at their place by the time they were made. */
function withNew(
  pages: readonly ListPage<Row>[],
  isSingle: boolean,
  hasMore: boolean,
  unseen: readonly ResourceEvent[],
): Applied {
  const rows = unseen
    .filter(({ type }) => type === 'put')
    .map(({ view }) => view as unknown as Row)
    .sort((a, b) => timeOf(a) - timeOf(b));
  const [first, ...others] = pages;
  if (!first || rows.length === 0) return { pages, isStale: false };
  const end = pages.at(-1)?.items.at(-1);
  // Older than everything that was read, and there is more: it is further down.
  const here = rows.filter((row) => !hasMore || !end || timeOf(row) >= timeOf(end));
  if (first.page !== 1) return { pages, isStale: here.length > 0 };
  if (here.length === 0) return { pages, isStale: false };
  const items = [...first.items];
  const beyond: Row[] = [];
  for (const row of here) {
    const at = items.findIndex((other) => timeOf(other) <= timeOf(row));
    if (at !== -1) items.splice(at, 0, row);
    else if (others.length === 0) items.push(row);
    else beyond.push(row);
  }
  const shown = isSingle ? items.slice(0, first.size) : items;
  const grown = [{ ...first, items: shown }, ...others].map((page) => recounted(page, here.length - beyond.length));
  return { pages: grown, isStale: beyond.length > 0 };
}

const timeOf = ({ create_time }: Row): number => (create_time === undefined ? 0 : Date.parse(create_time));
