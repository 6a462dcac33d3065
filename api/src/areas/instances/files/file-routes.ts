// A disk's files over HTTP: content is streamed, never buffered whole.
import { pipeline } from 'node:stream/promises';
import { FILE_ROUTES, fileEntry } from '@gantry/contract/areas/instances/files.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import * as z from 'zod';
import type { LoginWatch } from '../../../core/identity/sessions/login-watch.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { type Call, type Served, serve } from '../../../platform/http/serve.ts';
import type { DiskFiles, FileCall } from './disk-files.ts';

/** As agent/diskserver answers. */
const entry = fileEntry.omit({ size_bytes: true, modified_at: true, leads_to: true }).extend({
  sizeBytes: z.number(),
  modifiedAt: z.string(),
  leadsTo: fileEntry.shape.leads_to,
});
const listing = z.object({ path: z.string(), entries: z.array(entry), total: z.number() });
const hits = z.object({ entries: z.array(entry.extend({ folder: z.string() })), isComplete: z.boolean() });
const usage = z.object({ totalBytes: z.number(), usedBytes: z.number(), availableBytes: z.number() });
/** Nothing once the upload is complete. */
const uploaded = z.object({ offset: z.number(), total: z.number() }).optional();
const begun = z.object({ offset: z.number() });

export const fileRoutes = ({
  files,
  logins,
}: {
  files: Pick<DiskFiles, 'call' | 'json' | 'ownBytes'>;
  logins: Pick<LoginWatch, 'follow'>;
}): Served[] => [
  serve(FILE_ROUTES.listFiles, async ({ caller, params, query, signal }) => {
    const [used, { entries, total, path }] = await Promise.all([
      files.json(caller, params.id, { method: 'GET', path: '/usage', query: {}, signal }, usage),
      files.json(caller, params.id, { method: 'GET', path: '/dir', query, signal }, listing),
    ]);
    return {
      items: entries.map(entryView),
      total,
      extra: {
        path,
        used_bytes: Math.max(0, used.usedBytes - files.ownBytes(caller, params.id)),
        total_bytes: used.totalBytes,
        available_bytes: used.availableBytes,
      },
    };
  }),
  serve(FILE_ROUTES.makeFolder, (call) => done(files, call, 'POST', '/dir', { path: call.body.path })),
  serve(FILE_ROUTES.removeFolder, (call) => done(files, call, 'DELETE', '/dir', { path: call.query.path })),
  serve(FILE_ROUTES.renameFile, (call) => {
    const { path, to, overwrite } = call.body;
    return done(files, call, 'POST', '/rename', { path, to, ...(overwrite && { overwrite }) });
  }),
  serve(FILE_ROUTES.downloadFile, (call) =>
    whileSignedIn(logins, call, (signal) => {
      const headers = only(call.req.headers, ['range', 'if-range', 'if-none-match', 'if-modified-since']);
      return passOn(files, call, { path: '/file', headers, signal }, 'application/octet-stream');
    }),
  ),
  serve(FILE_ROUTES.zipFolder, (call) =>
    whileSignedIn(logins, call, (signal) => passOn(files, call, { path: '/zip', signal }, 'application/zip')),
  ),
  serve(FILE_ROUTES.searchFiles, async ({ caller, params, query, signal }) => {
    const { entries, isComplete } = await files.json(
      caller,
      params.id,
      { method: 'GET', path: '/search', query, signal },
      hits,
    );
    return { items: entries.map(({ folder, ...found }) => ({ ...entryView(found), folder })), complete: isComplete };
  }),
  serve(FILE_ROUTES.copyFile, (call) =>
    whileSignedIn(logins, call, (signal) => {
      const { path, to, overwrite } = call.body;
      return done(files, { ...call, signal }, 'POST', '/copy', { path, to, ...(overwrite && { overwrite }) });
    }),
  ),
  serve(FILE_ROUTES.uploadFile, (call) =>
    whileSignedIn(logins, call, async (signal) => {
      const { caller, params, query, req, audit } = call;
      audit.object = `DataDisk/${params.id}`;
      const { path, overwrite, upload } = query;
      const headers = only(req.headers, ['content-range', 'content-length']);
      const asked = { path, upload, ...(overwrite && { overwrite }) };
      const sent = { method: 'PUT', path: '/file', query: asked, headers, body: req, signal } as const;
      const answer = await files.json(caller, params.id, sent, uploaded);
      return answer === undefined ? { complete: true } : { complete: false, ...answer };
    }),
  ),
  serve(FILE_ROUTES.removeFile, (call) => done(files, call, 'DELETE', '/file', { path: call.query.path })),
  serve(FILE_ROUTES.getUpload, async ({ caller, params, query, signal }) =>
    files.json(caller, params.id, { method: 'GET', path: '/upload', query, signal }, begun),
  ),
  serve(FILE_ROUTES.giveUpUpload, (call) => done(files, call, 'DELETE', '/upload', call.query)),
];

/** A transfer may last for hours, and ends with the session behind it. */
async function whileSignedIn<T>(
  logins: Pick<LoginWatch, 'follow'>,
  { caller, signal }: Pick<Call, 'signal'> & { caller: Caller },
  transfer: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const unfollow = logins.follow(caller.session, () => over.abort());
  try {
    return await transfer(AbortSignal.any([signal, over.signal]));
  } catch (error) {
    throw over.signal.aborted ? problem('unauthenticated') : error;
  } finally {
    unfollow();
  }
}

const entryView = ({ sizeBytes, modifiedAt, leadsTo, ...rest }: z.output<typeof entry>) => ({
  ...rest,
  size_bytes: sizeBytes,
  modified_at: modifiedAt,
  ...(leadsTo && { leads_to: leadsTo }),
});

/** Streams an answer to the caller; either end stops the other. */
async function passOn(
  files: Pick<DiskFiles, 'call'>,
  { caller, params, query, res }: Target & Pick<Call, 'res'> & { query: { path: string } },
  call: Pick<FileCall, 'path' | 'headers' | 'signal'>,
  type: string,
): Promise<void> {
  const answer = await files.call(caller, params.id, { ...call, method: 'GET', query });
  const status = answer.statusCode ?? 0;
  if (!DOWNLOADS.includes(status)) throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
  res.statusCode = status;
  for (const [field, value] of Object.entries(only(answer.headers, PASSED_ON))) res.setHeader(field, value);
  // A tenant's file in the console's origin: whatever its server answers, the browser never renders it as a page.
  res.setHeader('content-type', type);
  const said = answer.headers['content-disposition'] ?? '';
  res.setHeader('content-disposition', /^attachment(;|$)/i.test(said) ? said : 'attachment');
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('cache-control', 'private, no-cache');
  await pipeline(answer, res, { signal: call.signal });
}

const DOWNLOADS = [200, 206, 304];
const AGAIN_S = 2;
const PASSED_ON = ['content-length', 'content-range', 'accept-ranges', 'etag', 'files-bytes', 'last-modified'];

interface Target {
  caller: Caller;
  params: { id: string };
}

/** A change that answers with nothing. */
async function done(
  files: Pick<DiskFiles, 'call'>,
  call: Pick<Call, 'audit' | 'signal'> & Target,
  method: 'POST' | 'DELETE',
  path: '/dir' | '/file' | '/rename' | '/copy' | '/upload',
  query: Record<string, string | boolean>,
): Promise<void> {
  call.audit.object = `DataDisk/${call.params.id}`;
  (await files.call(call.caller, call.params.id, { method, path, query, signal: call.signal })).resume();
}

const only = (headers: NodeJS.Dict<string | string[]>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])));
