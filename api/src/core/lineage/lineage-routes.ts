// The lineage of one thing over HTTP.
import { EXPORT_IS_CUT, LINEAGE_ROUTES as R } from '@gantry/contract/areas/lineage/lineage.ts';
import { readableOf } from '../../platform/called-off.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { version } from '../../platform/version.ts';
import { sendBody } from '../files/send-file.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { Lineage } from './lineage.ts';
import { type EventGraph, runEvents } from './run-events.ts';

/** The events say by which release they were written. */
const PRODUCER = `urn:gantry:gateway:${version}`;
/** So many are a chunk: thousands of small ones would each be a write. */
const AT_ONCE = 64;

export const lineageRoutes = ({
  lineage,
  downloadsAtOnce,
}: {
  lineage: Lineage;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
}): Served[] => [
  serve(R.getLineage, ({ caller, query }) => lineage.of(caller, query)),
  serve(R.getLineageImpact, ({ caller, query }) => lineage.impact(caller, query)),
  serve(R.exportLineage, ({ caller, query, res, signal }) =>
    downloadsAtOnce.within(caller, signal, async (rate) => {
      const graph = await lineage.events(caller, query);
      const name = `lineage-${query.kind}-${query.id}${query.version === undefined ? '' : `-${query.version}`}.ndjson`;
      res.setHeader('content-type', 'application/x-ndjson');
      res.setHeader('content-disposition', `attachment; filename="${name}"`);
      res.setHeader('x-content-type-options', 'nosniff');
      res.setHeader('cache-control', 'private, no-store');
      if (graph.more) res.setHeader(EXPORT_IS_CUT, 'true');
      await sendBody(
        res,
        readableOf(() => linesOf(graph)),
        rate,
      );
    }),
  ),
];

async function* linesOf(graph: EventGraph): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const event of runEvents(graph, PRODUCER)) {
    lines.push(`${JSON.stringify(event)}\n`);
    if (lines.length < AT_ONCE) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}
