// Datasets over HTTP: content is passed on as it comes, never held whole.
import { type DatasetVersionView, DATASET_ROUTES as R } from '@gantry/contract/areas/datasets/datasets.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { sendArchive } from '../../core/files/send-archive.ts';
import { sendFile } from '../../core/files/send-file.ts';
import { setS3Keys } from '../../core/files/sources/s3-keys.ts';
import type { SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Datasets } from './datasets.ts';
import type { Uploads } from './uploads.ts';
import type { Versions } from './versions.ts';

interface DatasetParts {
  datasets: Datasets;
  versions: Versions;
  uploads: Uploads;
  credentials: SealedCredentials;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
}

export const datasetRoutes = ({
  datasets,
  versions,
  uploads,
  credentials,
  downloadsAtOnce,
}: DatasetParts): Served[] => [
  serve(R.listDatasets, ({ caller, query }) => datasets.space(caller, query)),
  serve(R.listDatasetLibrary, ({ caller, query }) => datasets.library(caller, query)),
  serve(R.createDataset, async ({ caller, body, audit, language, idempotencyKey }) => {
    const id = await datasets.create(caller, body, idempotencyKey);
    audit.object = objectOf({ id });
    return datasets.get(caller, id, language);
  }),
  serve(R.getDataset, ({ caller, params, language }) => datasets.get(caller, params.id, language)),
  serve(R.editDataset, async ({ caller, params, body, audit, language }) => {
    audit.object = objectOf(params);
    await datasets.edit(caller, params.id, body);
    return datasets.get(caller, params.id, language);
  }),
  serve(R.deleteDataset, ({ caller, params, audit }) => {
    audit.object = objectOf(params);
    return datasets.remove(caller, params.id);
  }),
  serve(R.listDatasetVersions, async ({ caller, params, query, language }) => {
    const { items, total, cursor } = await versions.list(caller, params.id, query, language);
    return { items, total, extra: { cursor } };
  }),
  serve(R.createDatasetVersion, (call) =>
    begun(versions, call, (id) => uploads.begin(call.caller, id, call.body, call.idempotencyKey)),
  ),
  serve(R.importDatasetFromCollected, (call) =>
    begun(versions, call, (id) => uploads.beginCollected(call.caller, id, call.body, call.idempotencyKey)),
  ),
  serve(R.importDatasetFromHub, (call) =>
    begun(versions, call, (id) => uploads.beginHub(call.caller, id, call.body, call.idempotencyKey)),
  ),
  serve(R.importDatasetFromDisk, (call) =>
    begun(versions, call, (id) => uploads.beginDisk(call.caller, id, call.body, call.idempotencyKey)),
  ),
  serve(R.importDatasetFromS3, (call) =>
    begun(versions, call, (id) => uploads.beginS3(call.caller, id, call.body, call.idempotencyKey)),
  ),
  serve(R.listS3Credentials, async ({ caller }) =>
    (await credentials.list(caller.organization.id, 's3')).map(({ name, creatorId, createdAt }) => ({
      ...{ name, creator: creatorId, create_time: createdAt.toISOString() },
    })),
  ),
  serve(R.setS3Credentials, ({ caller, body: { name, access_key, secret_key } }) =>
    setS3Keys(credentials, caller, { name, accessKey: access_key, secretKey: secret_key }),
  ),
  serve(R.deleteS3Credentials, async ({ caller, params: { id } }) => {
    if (!(await credentials.remove(caller.organization.id, { kind: 's3', name: id })))
      throw problem('not_found', { what: id });
  }),
  serve(R.getDatasetVersion, ({ caller, params, language }) => versions.get(caller, params, language)),
  serve(R.deleteDatasetVersion, ({ caller, params, audit }) => {
    audit.object = objectOf(params);
    return datasets.removeVersion(caller, params.id, Number(params.version));
  }),
  serve(R.listDatasetFiles, async ({ caller, params, query }) => {
    const { items, total, cursor } = await versions.files(caller, params, query);
    return { items, total, extra: { cursor } };
  }),
  serve(R.addDatasetFiles, async ({ caller, params, body, audit }) => {
    audit.object = objectOf(params);
    return { missing: await uploads.add(caller, params, body.files) };
  }),
  serve(R.completeDatasetVersion, async ({ caller, params, audit, language }) => {
    audit.object = objectOf(params);
    await uploads.complete(caller, params);
    return versions.get(caller, params, language);
  }),
  serve(R.getDatasetUpload, ({ caller, params, query }) => uploads.progress(caller, { ...params, ...query })),
  serve(R.putDatasetPiece, ({ caller, params, query, req, audit }) => {
    audit.object = objectOf(params);
    const length = Number(req.headers['content-length'] ?? Number.NaN);
    return uploads.put(caller, { ...params, ...query, length }, req);
  }),
  serve(R.downloadDatasetFile, ({ caller, params, query, req, res, signal }) =>
    downloadsAtOnce.within(caller, signal, async (rate) => {
      const asked = { range: req.headers.range, signal: rate.signal };
      const download = await versions.open(caller, { ...params, ...query }, asked);
      await sendFile(res, download, { path: query.path, rate });
    }),
  ),
  serve(R.downloadDatasetVersion, ({ caller, params, res, signal }) =>
    downloadsAtOnce.within(caller, signal, async (rate) => {
      const { archive, name } = await versions.archive(caller, params, rate.signal);
      await sendArchive(res, archive, { name, rate });
    }),
  ),
  serve(R.compareDatasetVersions, ({ caller, params, query }) => versions.compare(caller, params, query.with)),
];

/** A version that was begun, as its caller sees it. */
async function begun(
  versions: Versions,
  {
    caller,
    params: { id },
    audit,
    language,
  }: { caller: Caller; params: { id: string }; audit: { object?: string | undefined }; language: Language },
  begin: (id: string) => Promise<number>,
): Promise<DatasetVersionView> {
  audit.object = objectOf({ id });
  const version = `${await begin(id)}`;
  audit.object = objectOf({ id, version });
  return versions.get(caller, { id, version }, language);
}

const objectOf = ({ id, version }: { id: string; version?: string }): string =>
  `Dataset/${id}${version === undefined ? '' : `/${version}`}`;
