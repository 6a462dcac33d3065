// Models over HTTP: content is passed on as it comes, never held whole.
import { MODEL_ROUTES as R } from '@gantry/contract/areas/models/models.ts';
import { sendFile } from '../../core/files/send-file.ts';
import { HUB_TOKEN } from '../../core/files/sources/sealed-credentials.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { OpenModels } from './open-models.ts';

export const modelRoutes = ({
  models,
  deployments,
  uploads,
  downloads,
  downloadsAtOnce,
  sources: { credentials },
  hubUrl,
}: Pick<
  OpenModels,
  'models' | 'deployments' | 'uploads' | 'downloads' | 'downloadsAtOnce' | 'sources' | 'hubUrl'
>): Served[] => [
  serve(R.listModelSpace, ({ caller, query }) => models.space(caller, query)),
  serve(R.listModelLibrary, ({ caller, query }) => models.library(caller, query)),
  serve(R.createModel, async ({ caller, body, audit, language, idempotencyKey }) => {
    const id = await models.create(caller, body, idempotencyKey);
    audit.object = objectOf(id);
    return models.get(caller, id, language);
  }),
  serve(R.getModel, ({ caller, params, language }) => models.get(caller, params.id, language)),
  serve(R.editModel, async ({ caller, params, body, audit, language }) => {
    audit.object = objectOf(params.id);
    await models.edit(caller, params.id, body);
    return models.get(caller, params.id, language);
  }),
  serve(R.deleteModel, ({ caller, params, audit }) => {
    audit.object = objectOf(params.id);
    return models.remove(caller, params.id);
  }),
  serve(R.uploadModelVersion, ({ caller, params, body, audit }) => {
    audit.object = objectOf(params.id, body.version);
    return uploads.beginUpload(caller, params.id, body);
  }),
  serve(R.importModelVersion, ({ caller, params, body, audit }) => {
    audit.object = objectOf(params.id, body.version);
    return uploads.beginImport(caller, params.id, body);
  }),
  serve(R.importModelFromDisk, ({ caller, params, body, audit }) => {
    audit.object = objectOf(params.id, body.version);
    return uploads.beginDiskImport(caller, params.id, body);
  }),
  serve(R.deleteModelVersion, ({ caller, params, audit }) => {
    audit.object = objectOf(params.id, params.version);
    return models.removeVersion(caller, params.id, params.version);
  }),
  serve(R.fitDeployment, ({ caller, body, language }) => deployments.fit(caller, body, language)),
  serve(R.getModelUpload, ({ caller, params, query }) => uploads.progress(caller, { ...params, ...query })),
  serve(R.putModelPiece, ({ caller, params, query, req, audit }) => {
    audit.object = objectOf(params.id, params.version);
    const length = Number(req.headers['content-length'] ?? Number.NaN);
    return uploads.put(caller, { ...params, ...query, length }, req);
  }),
  serve(R.downloadModelFile, ({ caller, params, query, req, res, signal }) =>
    downloadsAtOnce.within(caller, signal, async (rate) => {
      const asked = { range: req.headers.range, signal: rate.signal };
      const download = await downloads.open(caller, { ...params, ...query }, asked);
      await sendFile(res, download, { path: query.path, rate });
    }),
  ),
  serve(R.getModelHubToken, async ({ caller }) => {
    const [about] = await credentials.list(caller.organization.id, HUB_TOKEN.kind);
    return {
      hub: hubUrl === '' ? null : hubUrl,
      is_set: about !== undefined,
      creator: about?.creatorId ?? null,
      create_time: about?.createdAt.toISOString() ?? null,
    };
  }),
  serve(R.setModelHubToken, ({ caller, body }) => credentials.set(caller, HUB_TOKEN, body.token)),
  serve(R.deleteModelHubToken, async ({ caller }) => {
    await credentials.remove(caller.organization.id, HUB_TOKEN);
  }),
];

const objectOf = (id: string, version?: string): string => `Model/${id}${version === undefined ? '' : `/${version}`}`;
