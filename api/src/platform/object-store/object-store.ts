// Objects in any S3 store: written in pieces that a crash does not lose, read by ranges. Whatever is wrong with the store
// itself is a `StoreAway`.
import { addAbortSignal, type Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type Clock, systemClock } from '@gantry/kube/clock.ts';
import { readableOf } from '../called-off.ts';
import { PassedOn } from '../passed-on.ts';
import { outwardAgents } from '../way-out.ts';

export interface ObjectStoreFacts {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The store did not answer, or not as one does. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** The store does not know an upload any more: it gives up by a rule of its own what was begun days ago, or was restored. */
export class UploadLost extends StoreAway {}

/** A piece's bytes ended early: whoever sent them has gone. */
export class BodyBroken extends Error {
  override readonly name = 'BodyBroken';
}

const TRIES = 3;
/** A few more than the downloads that are let in at once, for those whose connection is still closing. */
const DOWNLOAD_SOCKETS = 144;
/** The time limit of calls that are over in moments, and of each wait for the store to send or to take the next bytes. */
export const ANSWER_MS = 60_000;
/** Others have so much longer, in bytes per millisecond: what is on its way into the store, and pieces that it joins. */
const SLOWEST_SENT = 256;
const SLOWEST_JOINED = 4096;
const say = (): void => undefined;
/** Errors are thrown, and need not be printed too. */
const SILENT = { trace: say, debug: say, info: say, warn: say, error: say };

export interface StoredPiece {
  number: number;
  size: number;
  body: Readable | Uint8Array;
  see?: ((chunk: Uint8Array) => void) | undefined;
}

/** Both ends are in it. */
interface Range {
  from: number;
  to: number;
}

export class ObjectStore {
  readonly #client: S3Client;
  /** With sockets of its own: however slowly people read, the platform's own calls and uploads go on. */
  readonly #outward: S3Client;
  readonly #bucket: string;
  readonly #clock: Pick<Clock, 'after'>;

  constructor(
    { url, bucket, region, accessKey, secretKey }: ObjectStoreFacts,
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#bucket = bucket;
    this.#clock = clock;
    const facts = {
      endpoint: url,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      maxAttempts: TRIES,
      logger: SILENT,
      // A piece that is passed on as it arrives cannot be read twice, neither to hash it first.
      requestChecksumCalculation: 'WHEN_REQUIRED',
    } as const;
    this.#client = new S3Client({ ...facts, requestHandler: outwardAgents() });
    this.#outward = new S3Client({ ...facts, requestHandler: outwardAgents({ maxSockets: DOWNLOAD_SOCKETS }) });
  }

  /** Makes the bucket where it is missing. */
  async open(): Promise<void> {
    const Bucket = this.#bucket;
    if (await this.#found((abortSignal) => this.#client.send(new HeadBucketCommand({ Bucket }), { abortSignal })))
      return;
    await this.#soon((abortSignal) => this.#client.send(new CreateBucketCommand({ Bucket }), { abortSignal }));
  }

  /** A small object at once; what was there is replaced. */
  async put(key: string, body: Uint8Array): Promise<void> {
    const put = new PutObjectCommand({ ...this.#at(key), Body: body, ContentLength: body.length });
    await this.#soon((abortSignal) => this.#client.send(put, { abortSignal }));
  }

  /** Begins an object that arrives in pieces; gives the upload's id. */
  async begin(key: string): Promise<string> {
    const begin = new CreateMultipartUploadCommand(this.#at(key));
    const { UploadId } = await this.#soon((abortSignal) => this.#client.send(begin, { abortSignal }));
    if (UploadId === undefined) throw new StoreAway('the store began an upload without an id');
    return UploadId;
  }

  /**
   * Pieces count from 1. The same one again replaces it. One that breaks off is not there. Whoever sends the body may take any time. A
   * stream stays open; each of its chunks is shown to `see`, and belongs to nobody else: its memory is freed once it is sent. Throws
   * BodyBroken, UploadLost.
   */
  async putPiece(key: string, uploadId: string, { number, size, body, see }: StoredPiece): Promise<void> {
    const over = new AbortController();
    let cancel = () => {};
    const wait = (ms: number) => {
      cancel = this.#clock.after(ms, () => over.abort(new StoreAway('the object store does not answer')));
    };
    const answerMs = ANSWER_MS + size / SLOWEST_SENT;
    const Body =
      body instanceof Uint8Array
        ? body
        : new PassedOn(body, {
            wants: () => cancel(),
            came: (chunk) => see?.(chunk),
            full: () => wait(ANSWER_MS),
            ended: (isWhole) => isWhole && wait(answerMs),
          });
    if (Body instanceof Uint8Array) wait(answerMs);
    else Body.on('error', (error) => over.abort(new BodyBroken('the piece broke off', { cause: error })));
    const piece = { ...this.#at(key), UploadId: uploadId, PartNumber: number, ContentLength: size, Body };
    try {
      await sent(this.#client.send(new UploadPartCommand(piece), { abortSignal: over.signal }));
    } catch (error) {
      if (over.signal.aborted) throw over.signal.reason;
      throw isUnknown((error as Error).cause)
        ? new UploadLost('the object store lost an upload', { cause: error })
        : error;
    } finally {
      cancel();
      if (!(Body instanceof Uint8Array)) Body.destroy();
    }
  }

  /** Joins those of its pieces that are wanted. Undefined if the upload is unknown: it was joined before, or given up. */
  async join(key: string, uploadId: string, isWanted: (number: number) => boolean): Promise<'joined' | undefined> {
    const Parts: { PartNumber: number; ETag: string }[] = [];
    let marker: string | undefined;
    let bytes = 0;
    do {
      const from = { ...this.#at(key), UploadId: uploadId, ...(marker && { PartNumberMarker: marker }) };
      const list = new ListPartsCommand(from);
      const listed = await this.#found((abortSignal) => this.#client.send(list, { abortSignal }));
      if (!listed) return undefined;
      for (const { PartNumber = 0, ETag = '', Size = 0 } of listed.Parts ?? []) {
        if (!isWanted(PartNumber)) continue;
        Parts.push({ PartNumber, ETag });
        bytes += Size;
      }
      marker = listed.IsTruncated ? listed.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    const whole = { ...this.#at(key), UploadId: uploadId, MultipartUpload: { Parts } };
    const complete = new CompleteMultipartUploadCommand(whole);
    await this.#soon((abortSignal) => this.#client.send(complete, { abortSignal }), {
      extraMs: bytes / SLOWEST_JOINED,
    });
    return 'joined';
  }

  async giveUp(key: string, uploadId: string): Promise<void> {
    const giveUp = new AbortMultipartUploadCommand({ ...this.#at(key), UploadId: uploadId });
    await this.#found((abortSignal) => this.#client.send(giveUp, { abortSignal }));
  }

  /** The size; undefined if there is none. */
  async size(key: string): Promise<number | undefined> {
    const head = new HeadObjectCommand(this.#at(key));
    return (await this.#found((abortSignal) => this.#client.send(head, { abortSignal })))?.ContentLength;
  }

  /** Bytes from `from` to `to`, both of them in it; all where absent. */
  async read(key: string, range?: Range, signal?: AbortSignal): Promise<Readable> {
    return this.#read(this.#client, key, range, signal);
  }

  /** The same for whoever downloads it, who may read slowly, or not at all. */
  async download(key: string, range?: Range, signal?: AbortSignal): Promise<Readable> {
    return this.#read(this.#outward, key, range, signal);
  }

  async #read(client: S3Client, key: string, range?: Range, signal?: AbortSignal): Promise<Readable> {
    const Range = range && { Range: `bytes=${range.from}-${range.to}` };
    const get = new GetObjectCommand({ ...this.#at(key), ...Range });
    const { Body } = await this.#soon((abortSignal) => client.send(get, { abortSignal }), { signal });
    if (!Body) throw new StoreAway(`the store gave ${key} without content`);
    const read = neverSilent(Body as Readable, this.#clock);
    return signal ? addAbortSignal(signal, read) : read;
  }

  /** One that is gone is no error. */
  async remove(key: string): Promise<void> {
    await this.#soon((abortSignal) => this.#client.send(new DeleteObjectCommand(this.#at(key)), { abortSignal }));
  }

  close(): void {
    this.#client.destroy();
    this.#outward.destroy();
  }

  readonly #at = (key: string) => ({ Bucket: this.#bucket, Key: key });

  /** A store that accepts a call and says nothing is away too. */
  async #soon<T>(
    call: (signal: AbortSignal) => Promise<T>,
    { extraMs = 0, signal }: { extraMs?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const late = new AbortController();
    const cancel = this.#clock.after(ANSWER_MS + extraMs, () => late.abort());
    try {
      return await sent(call(signal ? AbortSignal.any([signal, late.signal]) : late.signal));
    } catch (error) {
      throw late.signal.aborted ? new StoreAway('the object store does not answer', { cause: error }) : error;
    } finally {
      cancel();
    }
  }

  /** Undefined for what is not there. */
  async #found<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#soon(call);
    } catch (error) {
      if (isUnknown((error as Error).cause)) return undefined;
      throw error;
    }
  }
}

const isUnknown = (cause: unknown): boolean =>
  cause instanceof S3ServiceException && cause.$metadata.httpStatusCode === NOT_FOUND;

/** The same bytes, until the store sends none for so long although they are waited for. Whoever reads may take any time. */
function neverSilent(body: Readable, clock: Pick<Clock, 'after'>): Readable {
  return readableOf(async function* (gone) {
    const wait = () => clock.after(ANSWER_MS, () => body.destroy(new StoreAway('the object store stopped sending')));
    gone.addEventListener('abort', () => body.destroy());
    let cancel = wait();
    try {
      for await (const chunk of body) {
        cancel();
        yield chunk as Buffer;
        cancel = wait();
      }
    } catch (error) {
      throw away(error);
    } finally {
      cancel();
    }
  });
}

/** Bytes from `from` to `to`, the last one not in it: piece by piece into their place, so that many are never copied at once. */
export async function bytesOf(
  store: Pick<ObjectStore, 'read'>,
  key: string,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.max(0, to - from));
  if (bytes.length === 0) return bytes;
  let at = 0;
  for await (const chunk of await store.read(key, { from, to: to - 1 }, signal)) {
    const piece = (chunk as Buffer).subarray(0, bytes.length - at);
    bytes.set(piece, at);
    at += piece.length;
  }
  if (at < bytes.length) throw new StoreAway('an object is shorter than its size');
  return bytes;
}

const NOT_FOUND = 404;

const sent = <T>(answer: Promise<T>): Promise<T> => answer.catch((error: unknown) => Promise.reject(away(error)));

/** A call that was called off is no fault of the store's. */
const away = (error: unknown): unknown =>
  error instanceof StoreAway || (error instanceof Error && error.name === 'AbortError')
    ? error
    : new StoreAway(`the object store: ${(error as Error).message}`, { cause: error });
