// The collected records of deployments, over HTTP.
import { type CollectedFileView, COLLECTED_ROUTES as R } from '@gantry/contract/areas/models/collected.ts';
import { sendBody } from '../../core/files/send-file.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Collected, CollectedRow } from './collected/collected.ts';

export const collectedRoutes = ({
  collected,
  downloadsAtOnce,
}: {
  collected: Pick<Collected, 'sets' | 'files' | 'open' | 'remove'>;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
}): Served[] => [
  serve(R.listCollected, async ({ caller }) => ({
    sets: (await collected.sets(caller.organization.id)).map(({ deployment, exists, files, ...sums }) => ({
      ...{ deployment, exists, files },
      ...sumsView(sums),
    })),
  })),
  serve(R.listCollectedFiles, async ({ caller, params, query }) => {
    const { items, total, ...extra } = await collected.files(askedOf(caller, params.id), query);
    return { items: items.map(fileView), total, extra };
  }),
  serve(R.downloadCollected, ({ caller, params, query, res, signal }) =>
    downloadsAtOnce.within(caller, signal, async (rate) => {
      const { size, body } = await collected.open(askedOf(caller, params.id, query.file), rate.signal);
      res.setHeader('content-length', size);
      // Text that people wrote is never rendered as a page in the console's origin.
      res.setHeader('content-type', 'application/jsonl');
      res.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(params.id)}.jsonl`);
      res.setHeader('x-content-type-options', 'nosniff');
      res.setHeader('cache-control', 'private, no-store');
      await sendBody(res, body, rate);
    }),
  ),
  serve(R.deleteCollected, ({ caller, params, query, audit }) => {
    audit.object = `CollectedData/${params.id}${query.file === undefined ? '' : `/${query.file}`}`;
    return collected.remove(askedOf(caller, params.id, query.file));
  }),
];

const askedOf = ({ organization }: Caller, deployment: string, file?: string) => ({
  organizationId: organization.id,
  deployment,
  file,
});

const fileView = ({ id, dataset, ...sums }: CollectedRow): CollectedFileView => ({ id, dataset, ...sumsView(sums) });

const sumsView = ({
  records,
  leftOut,
  sizeBytes,
  firstAt,
  lastAt,
}: Pick<CollectedRow, 'records' | 'leftOut' | 'sizeBytes' | 'firstAt' | 'lastAt'>) => ({
  records,
  left_out: leftOut,
  size_bytes: sizeBytes,
  first_time: firstAt.toISOString(),
  last_time: lastAt.toISOString(),
});
