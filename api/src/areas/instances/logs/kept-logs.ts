// Logs of runs that have ended, out of the registry (agent/snapshot/log.go puts them there). It is asked as the member, whose
// account may pull what is the organisation's own and no more.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { KnownRun } from '@gantry/contract/kind-api.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';
import * as z from 'zod';
import type { Caller } from '../../../platform/http/caller.ts';

const ACCOUNTS = coreResource('serviceaccounts', 'ServiceAccount');
const AUDIENCE = 'gantry-registry';
/** The API server's least. */
const TOKEN_SECONDS = 600;
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
/** As the agent names what it keeps (agent/snapshot/log.go). */
const LOG_TYPE = 'application/vnd.gantry.log.v1+gzip';
/** The agent keeps at most so much of a log, and by default 4 MiB. */
const MOST_LOG_BYTES = 64 * 1024 * 1024;
/** The bytes that packing adds to a log that cannot be compressed. */
const PACKING_BYTES = 64 * 1024;
const MOST_ANSWER_BYTES = 64 * 1024;
const ANSWER_MS = 20_000;
const NOT_FOUND = 404;

/** As distribution spells repositories: without a step upwards, which a URL would follow. */
const IMAGE =
  /^[^/]+\/([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)+):([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/;
/** An image under a log's name is no log. */
const manifest = z.object({
  artifactType: z.literal(LOG_TYPE),
  layers: z.tuple([z.object({ mediaType: z.literal(LOG_TYPE), digest: z.string().regex(/^sha256:[a-f0-9]{64}$/) })]),
});
const granted = z.object({ token: z.string() });

/** The registry does not have it, or has something else under its name. */
export class NoKeptLog extends Error {
  override readonly name = 'NoKeptLog';
}

export interface KeptLogsParts {
  client: Pick<KubeClient, 'createUnder'>;
  /** The registry's address, whatever its name in images; '' if there is none. */
  registryUrl: string;
  /** The account whose token opens it: the member's if absent. */
  accountOf?: (caller: Caller) => { namespace: string; name: string };
}

export class KeptLogs {
  readonly #parts: KeptLogsParts;

  constructor(parts: KeptLogsParts) {
    this.#parts = parts;
  }

  /** `image` is as a status has it: `<registry>/<namespace>/<name>:<tag>`. Throws NoKeptLog; other errors may pass. */
  async read(
    caller: Caller,
    { image, bytes }: Pick<NonNullable<KnownRun['log']>, 'image' | 'bytes'>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { namespace } = caller.organization;
    const [, repository, tag] = IMAGE.exec(image) ?? [];
    // A status is the platform's; even so nobody's name leads into another organisation's part.
    if (this.#parts.registryUrl === '' || !repository?.startsWith(`${namespace}/`))
      throw new NoKeptLog('there is no registry, or the log is not this organisation’s');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const ask = (path: string, accept: string, token?: string) =>
      fetch(new URL(`/v2/${repository}/${path}`, this.#parts.registryUrl), {
        headers: { accept, ...(token && { authorization: `Bearer ${token}` }) },
        signal: limit,
        redirect: 'error',
      });
    const challenge = await ask(`manifests/${tag}`, MANIFEST);
    const account = this.#parts.accountOf?.(caller) ?? { namespace, name: caller.account.id };
    const token =
      challenge.status === 401
        ? await registryToken(this.#parts.client, account, challenge, repository, limit)
        : undefined;
    const answer = token === undefined ? challenge : await ask(`manifests/${tag}`, MANIFEST, token);
    const found = manifest.safeParse(JSON.parse((await bytesOf(answer, MOST_ANSWER_BYTES)).toString('utf8')));
    if (!found.success) throw new NoKeptLog('what the registry has is no log', { cause: found.error });
    const most = Math.min(bytes, MOST_LOG_BYTES);
    const content = await ask(`blobs/${found.data.layers[0].digest}`, '*/*', token);
    return unpacked(await bytesOf(content, most + PACKING_BYTES), most);
  }
}

/** A token of the registry for this repository, by a token of the account that is good for nothing else. */
export async function registryToken(
  client: Pick<KubeClient, 'createUnder'>,
  account: { namespace: string; name: string },
  challenge: Response,
  repository: string,
  signal: AbortSignal,
): Promise<string> {
  await challenge.body?.cancel();
  const said = challenge.headers.get('www-authenticate') ?? '';
  const part = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(said)?.[1] ?? '';
  const realm = new URL(part('realm'));
  realm.searchParams.set('service', part('service'));
  realm.searchParams.set('scope', `repository:${repository}:pull`);
  const made = await client.createUnder(ACCOUNTS, account, 'token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: account,
    spec: { audiences: [AUDIENCE], expirationSeconds: TOKEN_SECONDS },
  } as KubeObject);
  const password = (made as KubeObject & { status: { token: string } }).status.token;
  const authorization = `Basic ${Buffer.from(`serviceaccount:${password}`).toString('base64')}`;
  const answer = await fetch(realm, { headers: { authorization }, signal, redirect: 'error' });
  return granted.parse(JSON.parse((await bytesOf(answer, MOST_ANSWER_BYTES)).toString('utf8'))).token;
}

const inflate = promisify(gunzip);

async function unpacked(packed: Buffer, most: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: most });
  } catch (cause) {
    throw new NoKeptLog('what the registry has is no log', { cause });
  }
}

async function bytesOf(answer: Response, most: number): Promise<Buffer> {
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel();
    throw new (answer.status === NOT_FOUND ? NoKeptLog : Error)(`the registry answers ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > most) throw new NoKeptLog(`the registry sends more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
