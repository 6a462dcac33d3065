// Tables of datasets over HTTP.
import type { ServerResponse } from 'node:http';
import { DATASET_TABLE_ROUTES as R } from '@gantry/contract/areas/datasets/tables.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { sendBody, sendFile } from '../../core/files/send-file.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { type Prepared, preparedJson, preparedWith } from '../../platform/http/write-answer.ts';
import { DIFFERING, type VersionTables } from './version-tables.ts';

export const tableRoutes = ({
  tables,
  downloadsAtOnce,
}: {
  tables: VersionTables;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
}): Served[] => [
  serve(R.getDatasetStatistics, ({ caller, params }) => tables.statistics(caller, params)),
  serve(R.listDatasetRows, async ({ caller, params, query, res, signal }) =>
    passedOn(res, R.listDatasetRows, await tables.rows(caller, params, { ...query, kind: 'data' }, signal)),
  ),
  serve(R.listDatasetRejected, async ({ caller, params, query, res, signal }) =>
    passedOn(res, R.listDatasetRejected, await tables.rows(caller, params, { ...query, kind: 'rejected' }, signal)),
  ),
  serve(R.getDatasetCell, async ({ caller, params, query, res, signal }) =>
    passedOn(res, R.getDatasetCell, await tables.cell(caller, { ...params, ...query }, signal)),
  ),
  serve(R.downloadDatasetTable, ({ caller, params, query: { format, of: kind, part }, req, res, signal }) =>
    downloadsAtOnce.within(caller, signal, async (rate) => {
      const name = `${params.id}-${params.version}${kind === 'rejected' ? '-rejected' : ''}`;
      if (format === 'parquet') {
        const asked = { range: req.headers.range, signal: rate.signal };
        const download = await tables.part(caller, params, { kind, part }, asked);
        await sendFile(res, download, { path: `${name}-${part}.parquet`, rate });
        return;
      }
      const lines = await tables.lines(caller, params, { kind, format }, rate.signal);
      res.setHeader('content-type', 'application/octet-stream');
      res.setHeader('content-disposition', `attachment; filename="${name}.${format}"`);
      res.setHeader('x-content-type-options', 'nosniff');
      res.setHeader('cache-control', 'private, no-cache');
      await sendBody(res, lines, rate);
    }),
  ),
  serve(R.profileDatasetVersion, ({ caller, params, audit }) => {
    audit.object = `Dataset/${params.id}/${params.version}`;
    return tables.again(caller, params);
  }),
  serve(R.findDatasetRows, async ({ caller, params, body, res, signal }) =>
    unkept(res, preparedWith(R.findDatasetRows, await tables.find(caller, params, body, signal), 'rows')),
  ),
  serve(R.searchDataset, async ({ caller, params, body, res, signal }) =>
    unkept(res, preparedWith(R.searchDataset, await tables.search(caller, params, body, signal), 'rows')),
  ),
  serve(R.queryDataset, async ({ caller, params, body, res, signal }) =>
    unkept(res, preparedWith(R.queryDataset, await tables.query(caller, params, body.sql, signal), 'rows')),
  ),
  serve(R.compareDatasetRows, async ({ caller, params, body, res, signal }) =>
    unkept(res, preparedWith(R.compareDatasetRows, await tables.compare(caller, params, body, signal), ...DIFFERING)),
  ),
];

/** Rows may be collected requests: no browser keeps them. */
function unkept(res: ServerResponse, answer: Prepared): Prepared {
  res.setHeader('cache-control', 'no-store');
  return answer;
}

const passedOn = (res: ServerResponse, route: RouteFacts, json: Uint8Array): Prepared =>
  unkept(res, preparedJson(route, json));
