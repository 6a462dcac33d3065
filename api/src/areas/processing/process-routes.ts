// What is behind a data processing task, for whoever sees the dataset that it makes. Somebody else's task does not exist.
import { type ProcessUnitView, PROCESSING_ROUTES as R } from '@gantry/contract/areas/processing/processing.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { wordOf } from '@gantry/contract/fields/stored.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import { UNIT_REASONS } from '@gantry/contract/kinds/data-process-words.ts';
import { workersWords } from '@gantry/contract/kinds/data-task-view.ts';
import type { DataServers } from '../../core/data-server/data-servers.ts';
import { sendBody } from '../../core/files/send-file.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Tables } from '../../core/tables/tables.ts';
import type { TaskStore } from '../../core/tasks/task-store.ts';
import type { WorkerPrice } from '../../core/tasks/worker-price.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { preparedWith } from '../../platform/http/write-answer.ts';
import { previewOf } from './preview.ts';
import type { PricedModels, ProcessedDatasets } from './processing-parts.ts';

interface RouteParts {
  /** Throws not_found. */
  find(caller: Caller, id: string): DataProcess;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
  /** Absent where nothing can be stored. */
  kept?: {
    store: Pick<TaskStore, 'units' | 'outputs'>;
    datasets: Pick<ProcessedDatasets, 'input' | 'demandSeen' | 'filesIn'>;
    data: Pick<DataServers, 'preview'> | undefined;
    models: PricedModels;
    workerPrice: WorkerPrice;
    tables: Pick<Tables, 'linesOf'>;
  };
}

export const processRoutes = ({ find, downloadsAtOnce, kept }: RouteParts): Served[] => {
  /** With the dataset that it makes, once there is one. */
  const seen = async (caller: Caller, id: string) => {
    const object = find(caller, id);
    if (!kept) throw problem('model_store_off');
    const { output } = object.status ?? {};
    const { store, tables, datasets } = kept;
    if (output) await datasets.demandSeen(caller, output.dataset);
    return { uid: object.metadata.uid ?? '', output, store, tables, datasets };
  };
  return [
    serve(R.previewDataProcess, async ({ caller, body, res, signal }) => {
      if (!kept) throw problem('model_store_off');
      res.setHeader('cache-control', 'no-store');
      return preparedWith(R.previewDataProcess, await previewOf(kept, caller, body, signal), 'rows');
    }),
    serve(R.listDataProcessUnits, async ({ caller, params, query, language }) => {
      const { uid, store } = await seen(caller, params.id);
      const { items, total, cursor } = await store.units(uid, query);
      return { items: items.map((row) => unitView(row, language)), total, extra: { cursor } };
    }),
    serve(R.downloadDataProcessRejected, async ({ caller, params, res, signal }) => {
      const { uid, output, store, tables, datasets } = await seen(caller, params.id);
      if (output?.version === undefined) throw problem('not_found', { what: params.id });
      const { dataset, version, run } = output;
      const files = await datasets.filesIn(dataset, version, 'rejected');
      const told = await store.outputs({ taskUid: uid, run });
      let firstRow = 0;
      const parts = files.map(({ name, sha256, bytes }) => {
        const rows = told.find((one) => one.kind === 'rejected' && one.name === name)?.rows ?? 0;
        firstRow += rows;
        return { key: sha256, firstRow: firstRow - rows, rows, bytes };
      });
      return downloadsAtOnce.within(caller, signal, async (rate) => {
        const asking = { lane: caller.organization.id, signal: rate.signal };
        const lines = tables.linesOf(parts, 'jsonl', asking);
        res.setHeader('content-type', 'application/octet-stream');
        res.setHeader('content-disposition', `attachment; filename="${params.id}-rejected.jsonl"`);
        res.setHeader('x-content-type-options', 'nosniff');
        res.setHeader('cache-control', 'private, no-cache');
        await sendBody(res, lines, rate);
      });
    }),
  ];
};

type UnitRow = Awaited<ReturnType<TaskStore['units']>>['items'][number];

const unitView = (row: UnitRow, language: Language): ProcessUnitView => ({
  ...{ unit: row.unit, label: row.label, state: row.state, reason: row.reason },
  reason_label: row.reason === null ? null : wordOf(UNIT_REASONS, workersWords(row.reason), language),
  ...{ rows: row.rows, rejected: row.rejected, run: row.run, time: row.at.toISOString() },
});
