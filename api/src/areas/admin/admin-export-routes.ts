// Lists of the operators' console as CSV files, streamed: a page is read when the last one has gone, so that a file of any length
// takes the memory of one page. What was taken out stands in the audit log, also where the reader gave up on the way.
import { pipeline } from 'node:stream/promises';
import type { Language } from '@gantry/contract/fields/language.ts';
import { ADMIN_RESOURCES, type AdminQuery, type AdminResourceName, type PageKey } from '@gantry/contract/http/admin.ts';
import { ADMIN_EXPORTS, adminExportId, EXPORTED, exportedFields } from '@gantry/contract/http/admin-exports.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { csvOf } from '../../platform/csv.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import type { Call, Served } from '../../platform/http/serve.ts';

const AT_ONCE = 500;
/** Each reads the database page by page for as long as its reader takes. */
const MOST_OF_ONE = 2;
const MOST_OF_ALL = 8;
const AGAIN_S = 10;

type Row = Record<string, unknown>;
type Asked = (query: AdminQuery) => Promise<Page<object>> | Page<object>;
type List = (query: AdminQuery, language: Language) => Promise<Page<object>> | Page<object>;

export function exportRoutes(lists: Readonly<Record<AdminResourceName, List>>, atOnce = AT_ONCE): Served[] {
  const underWay = new Map<string, number>();

  return EXPORTED.map((name) => ({
    route: ADMIN_EXPORTS[adminExportId(name)] as RouteFacts,
    async handler(call) {
      const done = begin(call);
      try {
        await send(call, name, (query) => lists[name](query, call.language), atOnce);
      } finally {
        done();
      }
    },
  }));

  function begin({ caller }: Call): () => void {
    const id = caller?.account.id ?? '';
    const [own, all] = [underWay.get(id) ?? 0, [...underWay.values()].reduce((sum, one) => sum + one, 0)];
    if (own >= MOST_OF_ONE || all >= MOST_OF_ALL)
      throw problem('too_many_requests', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
    underWay.set(id, own + 1);
    return () => {
      const left = (underWay.get(id) ?? 1) - 1;
      if (left > 0) underWay.set(id, left);
      else underWay.delete(id);
    };
  }
}

async function send(
  { query, audit, res, signal }: Call,
  name: AdminResourceName,
  list: Asked,
  atOnce: number,
): Promise<void> {
  const asked = query as Pick<AdminQuery, 'sort' | 'filter'>;
  const fields = exportedFields(ADMIN_RESOURCES[name]);
  const first = await list({ ...asked, range: [0, atOnce - 1] });
  let sent = 0;
  let fault: unknown;
  async function* cells() {
    try {
      for await (const row of rowsOf(list, asked, first, atOnce)) {
        sent++;
        yield fields.map((field) => cellOf(row[field]));
      }
    } catch (error) {
      fault = error;
      throw error;
    }
  }
  // From here on rows leave the platform, however it ends.
  Object.assign(audit, { object: `Export/${name}`, evenIfRead: true });
  const told = (how: string) => {
    audit.reason = `${how} ${sent} of ${first.isTotalMore ? 'at least ' : ''}${first.total} rows; filter ${JSON.stringify(asked.filter)}, sort ${asked.sort.join(' ')}`;
  };
  res.setHeader('content-type', 'text/csv; charset=utf-8');
  res.setHeader('content-disposition', `attachment; filename="${name}.csv"`);
  res.setHeader('cache-control', 'no-store');
  if (!first.isTotalMore) res.setHeader('x-total-count', first.total);
  try {
    await pipeline(csvOf(fields, cells()), res, { signal });
    told('sent');
  } catch (error) {
    told('broken off after');
    // Half a file is cut off and never looks like a whole one. A reader who gave up is no fault of ours, and is told nothing more.
    if (fault !== undefined || !signal.aborted) throw error;
  }
}

/** At most as many rows as there were when it began, if they were counted: a log that grows as fast as it is read would have no end. */
async function* rowsOf(
  list: Asked,
  asked: Pick<AdminQuery, 'sort' | 'filter'>,
  first: Page<object>,
  atOnce: number,
): AsyncGenerator<Row> {
  const most = first.isTotalMore ? Number.POSITIVE_INFINITY : first.total;
  let page = first;
  for (let sent = 0; ; ) {
    for (const row of page.items) {
      if (sent === most) return;
      sent++;
      yield row as Row;
    }
    if (sent >= most || page.items.length === 0) return;
    page = await list({ ...asked, ...nextOf(page.last, sent, atOnce) });
  }
}

/** Lists from memory know no keys: they go on by the place. */
const nextOf = (after: PageKey | undefined, sent: number, atOnce: number): Pick<AdminQuery, 'range' | 'after'> =>
  after ? { range: [0, atOnce - 1], after } : { range: [sent, sent + atOnce - 1] };

/** Times are ISO 8601 in UTC and amounts decimals with a point, as on the wire; what has parts is JSON. */
function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? `${value}` : JSON.stringify(value);
}
