// One request to the cluster's API server as its administrator. For a command line that starts in a tenth of a second:
// a process of kubectl's size per question would cost more than the cluster's own start.
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { certificateFile, keyFile } from './certificates.ts';
import type { Layout } from './layout.ts';
import { untilAnswered } from './slow-server.ts';

/** A busy machine answers late; a hanging one never. */
const LIMIT_MS = 30_000;

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
}

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

export async function callApi(
  cluster: Layout,
  { method = 'GET', path, body, contentType }: ApiCall,
): Promise<ApiAnswer> {
  const [ca, cert, key] = await Promise.all(
    [certificateFile(cluster, 'ca'), certificateFile(cluster, 'admin'), keyFile(cluster, 'admin')].map((file) =>
      readFile(file),
    ),
  );
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': contentType ?? 'application/json' };
    const call = request(
      new URL(path, cluster.apiServer),
      { method, ca, cert, key, headers, timeout: LIMIT_MS },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
        answer.once('error', reject);
      },
    );
    call.once('timeout', () => call.destroy(new Error(`${method} ${path}: no answer in ${LIMIT_MS / 1000} s`)));
    call.once('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** As `callApi`, and any answer above 299 is an error, except those in `also`. */
export async function mustCallApi(cluster: Layout, call: ApiCall, also: readonly number[] = []): Promise<ApiAnswer> {
  return untilAnswered(async () => {
    const answer = await callApi(cluster, call);
    if (answer.status < 300 || also.includes(answer.status)) return answer;
    throw new Error(`${call.method ?? 'GET'} ${call.path}: ${answer.status} ${answer.body.slice(0, 500)}`);
  });
}

/** Server-side apply: creates or updates, and says nothing about fields it does not name. */
export async function applyObject(cluster: Layout, collection: string, object: KubeObject): Promise<void> {
  await mustCallApi(cluster, {
    method: 'PATCH',
    path: `${collection}/${object.metadata.name}?fieldManager=gantry-hack&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: object,
  });
}

export interface KubeObject {
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}
