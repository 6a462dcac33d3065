// The files of a disk over HTTP: what goes through is streamed, never held.
import { pipeline } from 'node:stream/promises';
import { FILE_ROUTES, type FileEntry } from '@gantry/contract/http/files.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { DiskFiles } from '../files/disk-files.ts';
import type { Caller } from '../identity/caller.ts';
import type { LoginWatch } from '../terminal/login-watch.ts';
import { type Call, type Served, serve } from './serve.ts';

interface Listing {
  path: string;
  entries: (Omit<FileEntry, 'size_bytes' | 'modified_at' | 'leads_to'> & {
    sizeBytes: number;
    modifiedAt: string;
    leadsTo?: FileEntry['leads_to'];
  })[];
  total: number;
}
interface Usage {
  totalBytes: number;
  usedBytes: number;
  availableBytes: number;
}

export const fileRoutes = ({
  files,
  logins,
}: {
  files: Pick<DiskFiles, 'call' | 'json'>;
  logins: Pick<LoginWatch, 'follow'>;
}): Served[] => [
  serve(FILE_ROUTES.listFiles, async ({ caller, params, query, signal }) => {
    const usage = files.json<Usage>(caller, params.id, { method: 'GET', path: '/usage', query: {}, signal });
    const listing = files.json<Listing>(caller, params.id, { method: 'GET', path: '/dir', query, signal });
    const [used, { entries, total, path }] = await Promise.all([usage, listing]);
    return {
      items: entries.map(({ sizeBytes, modifiedAt, leadsTo, ...rest }) => ({
        ...rest,
        size_bytes: sizeBytes,
        modified_at: modifiedAt,
        ...(leadsTo && { leads_to: leadsTo }),
      })),
      total,
      extra: {
        path,
        used_bytes: used.usedBytes,
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
    whileSignedIn(logins, call, async (signal) => {
      const { caller, params, query, req, res } = call;
      const answer = await files.call(caller, params.id, {
        method: 'GET',
        path: '/file',
        query,
        headers: only(req.headers, ['range', 'if-range', 'if-none-match', 'if-modified-since']),
        signal,
      });
      res.statusCode = answer.statusCode ?? 200;
      for (const [field, value] of Object.entries(only(answer.headers, PASSED_ON))) res.setHeader(field, value);
      res.setHeader('cache-control', 'private, no-cache');
      await pipeline(answer, res, { signal });
    }),
  ),
  serve(FILE_ROUTES.uploadFile, (call) =>
    whileSignedIn(logins, call, async (signal) => {
      const { caller, params, query, req, audit } = call;
      audit.object = `DataDisk/${params.id}`;
      const { path, overwrite, upload } = query;
      const answer = await files.json<{ offset: number; total: number } | undefined>(caller, params.id, {
        method: 'PUT',
        path: '/file',
        query: { path, upload, ...(overwrite && { overwrite }) },
        headers: only(req.headers, ['content-range', 'content-length']),
        body: req,
        signal,
      });
      return answer?.offset === undefined ? { complete: true } : { complete: false, ...answer };
    }),
  ),
  serve(FILE_ROUTES.removeFile, (call) => done(files, call, 'DELETE', '/file', { path: call.query.path })),
  serve(FILE_ROUTES.getUpload, async ({ caller, params, query, signal }) =>
    files.json<{ offset: number }>(caller, params.id, { method: 'GET', path: '/upload', query, signal }),
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

const PASSED_ON = [
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'etag',
  'last-modified',
];

/** A change that answers with nothing. */
async function done(
  files: Pick<DiskFiles, 'call'>,
  call: Pick<Call, 'audit' | 'signal'> & { caller: Parameters<DiskFiles['call']>[0]; params: { id: string } },
  method: 'POST' | 'DELETE',
  path: '/dir' | '/file' | '/rename' | '/upload',
  query: Record<string, string | boolean>,
): Promise<void> {
  call.audit.object = `DataDisk/${call.params.id}`;
  (await files.call(call.caller, call.params.id, { method, path, query, signal: call.signal })).resume();
}

const only = (headers: NodeJS.Dict<string | string[]>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])));
