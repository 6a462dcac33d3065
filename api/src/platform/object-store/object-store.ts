// Objects in any S3 store: written in pieces that a crash does not lose, read by ranges, copied within the store. Whatever is wrong
// with the store itself is a `StoreAway`.
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
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
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
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

/** A piece's bytes ended early: whoever sent them has gone. */
export class BodyBroken extends Error {
  override readonly name = 'BodyBroken';
}

/** The largest object that can be copied at once; larger ones are copied in parts. */
const MOST_COPIED = 5 * 1024 ** 3;
const COPIED_PART = 1024 ** 3;
const TRIES = 3;
/** The time limit of calls that are over in moments: no bytes are sent, or those of a small object. */
const ANSWER_MS = 60_000;
const say = (): void => undefined;
/** Errors are thrown, and need not be printed too. */
const SILENT = { trace: say, debug: say, info: say, warn: say, error: say };

export class ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #answerMs: number;

  constructor({ url, bucket, region, accessKey, secretKey }: ObjectStoreFacts, answerMs = ANSWER_MS) {
    this.#bucket = bucket;
    this.#answerMs = answerMs;
    this.#client = new S3Client({
      endpoint: url,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      maxAttempts: TRIES,
      logger: SILENT,
      // A piece that is passed on as it arrives cannot be read twice, neither to hash it first.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      requestHandler: outwardAgents(),
    });
  }

  /** Makes the bucket where it is missing. */
  async open(): Promise<void> {
    const Bucket = this.#bucket;
    if (await this.#found(this.#client.send(new HeadBucketCommand({ Bucket })))) return;
    await sent(this.#client.send(new CreateBucketCommand({ Bucket })));
  }

  /** A small object at once; what was there is replaced. */
  async put(key: string, body: Uint8Array): Promise<void> {
    const put = new PutObjectCommand({ ...this.#at(key), Body: body, ContentLength: body.length });
    await this.#soon((abortSignal) => this.#client.send(put, { abortSignal }));
  }

  /** Begins an object that arrives in pieces; gives the upload's id. */
  async begin(key: string): Promise<string> {
    const { UploadId } = await sent(this.#client.send(new CreateMultipartUploadCommand(this.#at(key))));
    if (UploadId === undefined) throw new StoreAway('the store began an upload without an id');
    return UploadId;
  }

  /** Pieces count from 1. The same one again replaces it. One that breaks off is not there. Throws BodyBroken. */
  async putPiece(
    key: string,
    uploadId: string,
    { number, size, body }: { number: number; size: number; body: Readable | Uint8Array },
  ): Promise<void> {
    const piece = { ...this.#at(key), UploadId: uploadId, PartNumber: number, ContentLength: size, Body: body };
    const broken = new AbortController();
    if (body instanceof Readable)
      body.once('error', (error) => broken.abort(new BodyBroken('the piece broke off', { cause: error })));
    try {
      await sent(this.#client.send(new UploadPartCommand(piece), { abortSignal: broken.signal }));
    } catch (error) {
      throw broken.signal.aborted ? broken.signal.reason : error;
    }
  }

  /** Joins those of its pieces that are wanted. Undefined if the upload is unknown: it was joined before, or given up. */
  async join(key: string, uploadId: string, isWanted: (number: number) => boolean): Promise<'joined' | undefined> {
    const Parts: { PartNumber: number; ETag: string }[] = [];
    let marker: string | undefined;
    do {
      const listed = await this.#found(
        this.#client.send(
          new ListPartsCommand({ ...this.#at(key), UploadId: uploadId, ...(marker && { PartNumberMarker: marker }) }),
        ),
      );
      if (!listed) return undefined;
      for (const { PartNumber = 0, ETag = '' } of listed.Parts ?? [])
        if (isWanted(PartNumber)) Parts.push({ PartNumber, ETag });
      marker = listed.IsTruncated ? listed.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    await this.#complete(key, uploadId, Parts);
    return 'joined';
  }

  async giveUp(key: string, uploadId: string): Promise<void> {
    await this.#found(this.#client.send(new AbortMultipartUploadCommand({ ...this.#at(key), UploadId: uploadId })));
  }

  /** The size; undefined if there is none. */
  async size(key: string): Promise<number | undefined> {
    return (await this.#found(this.#client.send(new HeadObjectCommand(this.#at(key)))))?.ContentLength;
  }

  /** Bytes from `from` to `to`, both of them in it; all where absent. */
  async read(key: string, range?: { from: number; to: number }, signal?: AbortSignal): Promise<Readable> {
    const Range = range && { Range: `bytes=${range.from}-${range.to}` };
    const { Body } = await sent(
      this.#client.send(new GetObjectCommand({ ...this.#at(key), ...Range }), signal && { abortSignal: signal }),
    );
    if (!Body) throw new StoreAway(`the store gave ${key} without content`);
    return Body as Readable;
  }

  /** Within the store; what was there is replaced. */
  async copy(from: string, to: string, size: number): Promise<void> {
    const CopySource = `${this.#bucket}/${from}`;
    if (size <= MOST_COPIED) {
      await sent(this.#client.send(new CopyObjectCommand({ ...this.#at(to), CopySource })));
      return;
    }
    const uploadId = await this.begin(to);
    const parts: { PartNumber: number; ETag: string }[] = [];
    for (let at = 0; at < size; at += COPIED_PART) {
      const PartNumber = parts.length + 1;
      const CopySourceRange = `bytes=${at}-${Math.min(at + COPIED_PART, size) - 1}`;
      const { CopyPartResult } = await sent(
        this.#client.send(
          new UploadPartCopyCommand({ ...this.#at(to), UploadId: uploadId, PartNumber, CopySource, CopySourceRange }),
        ),
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag ?? '' });
    }
    await this.#complete(to, uploadId, parts);
  }

  /** One that is gone is no error. */
  async remove(key: string): Promise<void> {
    await this.#soon((abortSignal) => this.#client.send(new DeleteObjectCommand(this.#at(key)), { abortSignal }));
  }

  close(): void {
    this.#client.destroy();
  }

  readonly #at = (key: string) => ({ Bucket: this.#bucket, Key: key });

  async #complete(key: string, uploadId: string, Parts: { PartNumber: number; ETag: string }[]): Promise<void> {
    const whole = { ...this.#at(key), UploadId: uploadId, MultipartUpload: { Parts } };
    await sent(this.#client.send(new CompleteMultipartUploadCommand(whole)));
  }

  /** A store that accepts a call and says nothing is away too. */
  async #soon(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const late = AbortSignal.timeout(this.#answerMs);
    try {
      await sent(call(late));
    } catch (error) {
      throw late.aborted ? new StoreAway('the object store does not answer', { cause: error }) : error;
    }
  }

  /** Undefined for what is not there. */
  async #found<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === NOT_FOUND) return undefined;
      throw away(error);
    }
  }
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
  error instanceof Error && error.name === 'AbortError'
    ? error
    : new StoreAway(`the object store: ${(error as Error).message}`, { cause: error });
