// The bucket: what lies below our prefix in it. A large object becomes visible only once all its parts are there.
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { outwardAgents } from '../../platform/way-out.ts';

export interface BucketSettings {
  /** '' for Amazon's own. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix: string;
  /** Absent: where Amazon's clients look for them by themselves. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface Stored {
  readonly key: string;
  readonly bytes: number;
  readonly at: Date;
}

/** The least that S3 takes is 5 MiB, the most parts 10,000. */
const PART_BYTES = 16 * 1024 * 1024;
const ANSWER_MS = 60_000;
const CONNECT_MS = 10_000;

export class Bucket {
  readonly #client: S3Client;
  readonly #settings: BucketSettings;

  constructor(settings: BucketSettings) {
    this.#settings = settings;
    const { endpoint, region, credentials } = settings;
    this.#client = new S3Client({
      region,
      ...(endpoint !== '' && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // Stores other than Amazon's know no trailing checksums; what is stored is authenticated by its own format.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { ...outwardAgents(), requestTimeout: ANSWER_MS, connectionTimeout: CONNECT_MS },
    });
  }

  /** The file's bytes under this key. What was sent of one that fails is taken back; of one that is killed, `sweep` does. */
  async putFile(key: string, file: string, bytes: number): Promise<void> {
    const at = this.#at(key);
    await this.#told(async () => {
      const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(at));
      try {
        const parts = [];
        for (let from = 0, number = 1; from < bytes || number === 1; from += PART_BYTES, number++) {
          const length = Math.min(PART_BYTES, bytes - from);
          const Body = createReadStream(file, { start: from, end: from + length - 1 });
          const part = { ...at, UploadId, PartNumber: number, Body, ContentLength: length };
          const { ETag } = await this.#client.send(new UploadPartCommand(part));
          parts.push({ ETag, PartNumber: number });
        }
        await this.#client.send(
          new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: parts } }),
        );
      } catch (error) {
        await this.#client.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined);
        throw error;
      }
    });
  }

  async putText(key: string, text: string): Promise<void> {
    await this.#told(() => this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: text })));
  }

  /** Undefined where there is none. */
  async get(key: string): Promise<Readable | undefined> {
    try {
      const { Body } = await this.#told(() => this.#client.send(new GetObjectCommand(this.#at(key))));
      return Body as Readable | undefined;
    } catch (error) {
      if ((error as Error).cause instanceof S3ServiceException && statusOf((error as Error).cause) === 404)
        return undefined;
      throw error;
    }
  }

  async list(): Promise<Stored[]> {
    const { bucket: Bucket, prefix: Prefix } = this.#settings;
    const found: Stored[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await this.#told(() =>
        this.#client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })),
      );
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
        found.push({ key: Key.slice(Prefix.length), bytes: Size, at: LastModified ?? new Date(0) });
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    return found;
  }

  async remove(key: string): Promise<void> {
    await this.#told(() => this.#client.send(new DeleteObjectCommand(this.#at(key))));
  }

  /** Takes back uploads that began before this and never ended: whoever was sending them is gone. */
  async sweep(before: number): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.#settings;
    const { Uploads = [] } = await this.#told(() =>
      this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
    );
    for (const { Key, UploadId, Initiated } of Uploads)
      if ((Initiated?.getTime() ?? 0) < before)
        await this.#told(() => this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
  }

  close(): void {
    this.#client.destroy();
  }

  #at(key: string) {
    return { Bucket: this.#settings.bucket, Key: `${this.#settings.prefix}${key}` };
  }

  /** Failures as sentences: the client's own name neither the bucket nor what to look at, and may quote what was sent. */
  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const { bucket, endpoint } = this.#settings;
      const where = `the bucket "${bucket}"${endpoint === '' ? '' : ` at ${new URL(endpoint).origin}`}`;
      throw new Error(`${where} ${whyOf(cause)}`, { cause });
    }
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

function whyOf(error: unknown): string {
  const status = statusOf(error);
  const name = (error as Error).name;
  if (name === 'NoSuchBucket') return 'does not exist: make it first';
  if (status === 401 || status === 403)
    return `refuses these credentials (${name}): look at --backup-credentials-file and at the rights to list, get, put and delete`;
  if (name === 'CredentialsProviderError') return 'needs credentials: give --backup-credentials-file';
  if (status === undefined) return `cannot be reached: ${(error as { code?: string }).code ?? name}`;
  return `answers ${status} ${name}`;
}
