// Tables of datasets over HTTP.
import { pipeline } from 'node:stream/promises';
import { DATASET_TABLE_ROUTES as R } from '@gantry/contract/areas/datasets/tables.ts';
import { sendFile } from '../../core/files/send-file.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { VersionTables } from './version-tables.ts';

export const tableRoutes = ({ tables }: { tables: VersionTables }): Served[] => [
  serve(R.getDatasetStatistics, ({ caller, params }) => tables.statistics(caller, params)),
  serve(R.listDatasetRows, ({ caller, params, query, signal }) =>
    tables.rows(caller, params, { ...query, kind: 'data' }, signal),
  ),
  serve(R.listDatasetRejected, ({ caller, params, query, signal }) =>
    tables.rows(caller, params, { ...query, kind: 'rejected' }, signal),
  ),
  serve(R.getDatasetCell, async ({ caller, params, query, signal }) => ({
    value: await tables.cell(caller, { ...params, ...query }, signal),
  })),
  serve(R.downloadDatasetTable, async ({ caller, params, query: { format, of: kind, part }, req, res, signal }) => {
    const name = `${params.id}-${params.version}${kind === 'rejected' ? '-rejected' : ''}`;
    if (format === 'parquet') {
      const download = await tables.part(caller, params, { kind, part }, { range: req.headers.range, signal });
      await sendFile(res, download, { path: `${name}-${part}.parquet`, signal });
      return;
    }
    const lines = await tables.lines(caller, params, { kind, format }, signal);
    res.setHeader('content-type', 'application/octet-stream');
    res.setHeader('content-disposition', `attachment; filename="${name}.${format}"`);
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('cache-control', 'private, no-cache');
    await pipeline(lines, res, { signal });
  }),
  serve(R.profileDatasetVersion, ({ caller, params, audit }) => {
    audit.object = `Dataset/${params.id}/${params.version}`;
    return tables.again(caller, params);
  }),
  serve(R.findDatasetRows, ({ caller, params, body, signal }) => tables.find(caller, params, body, signal)),
  serve(R.searchDataset, ({ caller, params, body, signal }) => tables.search(caller, params, body, signal)),
  serve(R.queryDataset, ({ caller, params, body, signal }) => tables.query(caller, params, body.sql, signal)),
  serve(R.compareDatasetRows, ({ caller, params, body, signal }) => tables.compare(caller, params, body, signal)),
];
