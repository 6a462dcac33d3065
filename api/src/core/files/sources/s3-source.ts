// A bucket that an organisation names as a source. The server is a stranger's: it is reached at public addresses alone and led nowhere
// else, its lists are bounded before they are parsed, and an object that changes after it was listed is refused.
import { GetObjectCommand, ListObjectsV2Command, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { demandPublic, InnerAddress, isInnerHost, publicAgents } from '../../../platform/public-address.ts';
import type { FileRow } from '../files.ts';
import { type Source, SourceAway, type SourceFile } from '../source.ts';
import { boundedAnswer, UnreadableAnswer } from './bounded-answer.ts';
import { Taken, type Taking } from './taken.ts';

/** Where objects are, as their organisation writes it. */
export interface S3Place {
  bucket: string;
  /** A folder or a single object; empty for all. */
  prefix: string;
  /** Its origin; empty for Amazon's of the region. */
  endpoint: string;
  region: string;
  /** Whether the bucket is in the path; otherwise it is in the host's name. */
  pathStyle: boolean;
}

export interface S3Keys {
  accessKey: string;
  secretKey: string;
}

interface S3Asked extends S3Place {
  include: readonly string[];
  taking: Taking;
  /** Absent: nothing is signed. */
  keys: S3Keys | undefined;
  signal: AbortSignal;
  /** Rejects with InnerAddress. A proxy is asked for its name once: it resolves names itself. */
  isPublic(): Promise<void>;
}

/** Of one answer: with 1,024 characters each, percent-encoded, they are within what is parsed at once. */
const MOST_KEYS = 100;
/** A quarter of a million keys, whether they are taken or not. */
const MOST_PAGES = 2500;
const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;

export const addressOf = ({ bucket, prefix }: Pick<S3Place, 'bucket' | 'prefix'>): string => `s3://${bucket}/${prefix}`;

/** Amazon's partition of China has a domain of its own. */
const originOf = ({ endpoint, region }: Pick<S3Place, 'endpoint' | 'region'>): string =>
  endpoint === '' ? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}` : endpoint;

function hostOf(place: S3Place): string {
  const host = new URL(originOf(place)).hostname.replace(/^\[|\]$/g, '');
  return place.pathStyle ? host : `${place.bucket}.${host}`;
}

/** As far as it is written; what its name resolves to is judged by the connection. Throws dataset_s3_inner. */
export function demandOutside(place: S3Place): void {
  if (isInnerHost(hostOf(place))) throw inner(place);
}

const inner = (place: S3Place): Problem => problem('dataset_s3_inner', { host: hostOf(place) }, { field: 'endpoint' });

export class Buckets {
  readonly #agents: ReturnType<typeof publicAgents>;

  constructor(agents = publicAgents()) {
    this.#agents = agents;
  }

  source(wish: Omit<S3Asked, 'isPublic'>): Source {
    let judged: Promise<void> | undefined;
    const asked = {
      ...wish,
      isPublic() {
        judged ??= demandPublic(hostOf(wish));
        return judged;
      },
    };
    const client = this.#client(asked);
    return {
      plan: async () => ({
        ...{ revision: '', files: await listed(client, asked), license: null, language: [], tags: [] },
      }),
      bytes: (file, from) => bytesOf(client, asked, file, from),
    };
  }

  #client(asked: S3Asked): S3Client {
    const { region, pathStyle, keys } = asked;
    const client = new S3Client({
      ...{ region, endpoint: originOf(asked), forcePathStyle: pathStyle },
      credentials: { accessKeyId: keys?.accessKey ?? 'none', secretAccessKey: keys?.secretKey ?? 'none' },
      ...(!keys && { signer: { sign: async (request) => request } }),
      // A transfer that stops is tried again later, by its caller.
      maxAttempts: 1,
      followRegionRedirects: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { ...this.#agents, connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    });
    client.middlewareStack.add(boundedAnswer, { name: 'boundedAnswer', step: 'deserialize', priority: 'low' });
    return client;
  }
}

async function listed(client: S3Client, asked: S3Asked): Promise<SourceFile[]> {
  const { prefix } = asked;
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const taken = new Taken({ ...asked, source: 's3', what: addressOf(asked) });
  let hasAny = false;
  let token: string | undefined;
  for (let page = 0; page === 0 || token !== undefined; page++) {
    if (page >= MOST_PAGES) throw taken.tooLarge();
    const { objects, next } = await pageOf(client, asked, { under: folder, token });
    hasAny ||= objects.length > 0;
    for (const { key, ...object } of objects) taken.add({ ...object, path: key.slice(folder.length), sourcePath: key });
    if (next !== undefined && next === token) throw answerOf(asked, 'its list does not go on');
    token = next;
  }
  if (!hasAny && folder !== prefix) await addSingle(client, asked, taken);
  return taken.all();
}

/** The address may be that of one object: of all keys that begin so, it is the first. */
async function addSingle(client: S3Client, asked: S3Asked, taken: Taken): Promise<void> {
  const { objects } = await pageOf(client, asked, { under: asked.prefix, token: undefined, most: 1 });
  const [first] = objects;
  if (first?.key !== asked.prefix) return;
  const { key, ...object } = first;
  taken.add({ ...object, path: key.slice(key.lastIndexOf('/') + 1), sourcePath: key });
}

async function pageOf(
  client: S3Client,
  asked: S3Asked,
  { under, token, most = MOST_KEYS }: { under: string; token: string | undefined; most?: number },
) {
  const command = new ListObjectsV2Command({
    ...{ Bucket: asked.bucket, Prefix: under, MaxKeys: most, EncodingType: 'url' },
    ...(token !== undefined && { ContinuationToken: token }),
  });
  const answer = await told(asked, () => client.send(command, { abortSignal: asked.signal }));
  const wrong = (detail: string) => answerOf(asked, detail);
  const objects = (answer.Contents ?? []).flatMap(({ Key = '', Size, ETag }) => {
    const key = answer.EncodingType === 'url' ? decoded(Key) : Key;
    if (key === undefined || !key.startsWith(under)) throw wrong('it lists keys that were not asked for');
    if (key.endsWith('/')) return [];
    if (Size === undefined || !Number.isSafeInteger(Size) || Size < 0) throw wrong('it lists an object without a size');
    if (ETag === undefined || ETag === '' || ETag.length > MOST_TAG) throw wrong('it lists an object without an ETag');
    return [{ key, sizeBytes: Size, sourceTag: ETag, wantedSha256: null, wantedGitSha1: null }];
  });
  if (answer.IsTruncated && !answer.NextContinuationToken) throw wrong('it does not say where its list goes on');
  return { objects, next: answer.IsTruncated ? answer.NextContinuationToken : undefined };
}

const MOST_TAG = 200;

const answerOf = (asked: S3Asked, detail: string): Problem =>
  problem('dataset_s3_answer', { what: addressOf(asked), detail });

function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

async function* bytesOf(client: S3Client, asked: S3Asked, file: FileRow, from: number): AsyncGenerator<Uint8Array> {
  const { path, sourcePath, sizeBytes, sourceTag } = file;
  const command = new GetObjectCommand({
    ...{ Bucket: asked.bucket, Key: sourcePath ?? path, IfMatch: sourceTag ?? '' },
    ...(from > 0 && { Range: `bytes=${from}-` }),
  });
  const changed = problem('model_disk_changed', { path });
  const { Body, ETag, ContentLength, ContentRange } = await told(
    asked,
    () => client.send(command, { abortSignal: asked.signal }),
    changed,
  );
  const body = Body as (AsyncIterable<Uint8Array> & { destroy(): void }) | undefined;
  const isSame = ETag === sourceTag && ContentLength === sizeBytes - from;
  const isThere = from === 0 || ContentRange === `bytes ${from}-${sizeBytes - 1}/${sizeBytes}`;
  if (!body || !isSame || !isThere) {
    body?.destroy();
    throw changed;
  }
  try {
    yield* body;
  } catch (error) {
    throw asked.signal.aborted ? error : new SourceAway('the connection broke off', { cause: error });
  }
}

const AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);
/** Not what was listed, no longer there, or shorter. */
const CHANGED: ReadonlySet<number> = new Set([404, 412, 416]);

/** Its answer, or what people can do about it. `changed`: of an object that was listed. */
async function told<T>(asked: S3Asked, call: () => Promise<T>, changed?: Problem): Promise<T> {
  try {
    demandOutside(asked);
    await asked.isPublic();
    return await call();
  } catch (error) {
    if (error instanceof Problem || asked.signal.aborted) throw error;
    if (error instanceof InnerAddress) throw inner(asked);
    if (error instanceof UnreadableAnswer) throw answerOf(asked, error.message);
    if (error instanceof S3ServiceException) throw refusal(asked, error, changed);
    // Errors other than those of the connection are in the server's answer.
    throw isOfConnection(error)
      ? new SourceAway('it cannot be reached', { cause: error })
      : answerOf(asked, 'it is no answer of S3');
  }
}

function refusal(asked: S3Asked, error: S3ServiceException, changed: Problem | undefined): Error {
  const what = addressOf(asked);
  const { httpStatusCode: status = 0 } = error.$metadata;
  if (status >= 500 || AGAIN.has(status)) return new SourceAway(`it answers ${status}`);
  if (changed && CHANGED.has(status)) return changed;
  if (status >= 300 && status < 400) return problem('dataset_s3_refused', { what, detail: 'it leads elsewhere' });
  return problem('dataset_s3_refused', { what, detail: `${status} ${codeOf(error)}`.trim() });
}

const isOfConnection = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || typeof (error as NodeJS.ErrnoException).code === 'string');

/** Only as those of S3 are written: it is a stranger's text. */
const codeOf = ({ name }: Error): string => (/^[A-Z][A-Za-z]{1,50}$/.test(name) ? name : '');
