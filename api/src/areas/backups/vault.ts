// Backups in the bucket: made, listed, proved, fetched, and removed when they are old. Each is two objects, `<id>/data` and, written
// last and removed first, `<id>/manifest.json`: without that it is none.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BACKUP_ID, type BackupParts, backUp, newId } from './backup.ts';
import { type Manifest, manifestOf, manifestText, mustBeSigned, readManifest } from './manifest.ts';
import { type Proved, prove } from './restore.ts';
import { expired } from './retention.ts';
import { keysFor, newKeys, SEALED_HEADER_BYTES, Unreadable } from './sealed.ts';
import type { Bucket } from './store.ts';

const DATA = 'data';
const MANIFEST = 'manifest.json';
const KEY = /^([^/]+)\/(data|manifest\.json)$/;
/** A file without a manifest for so long belongs to a backup that was cut off. */
const UNFINISHED_MS = 24 * 3_600_000;
const MOST_MANIFEST_BYTES = 64 * 1024;
const FIRST_BYTES = 64 * 1024;

export interface VaultParts {
  readonly bucket: Pick<Bucket, 'putFile' | 'putText' | 'get' | 'list' | 'remove' | 'sweep'>;
  /** The first seals, any opens. */
  readonly secrets: readonly string[];
  readonly now: () => number;
}

export class Vault {
  readonly #parts: VaultParts;

  constructor(parts: VaultParts) {
    this.#parts = parts;
  }

  /** Sealed on this machine's disk first, so that a slow bucket never holds up the database. */
  async make(parts: BackupParts, id = newId(this.#parts.now())): Promise<Manifest> {
    const { bucket, secrets, now } = this.#parts;
    const keys = await newKeys(secrets);
    const at = now();
    return inFolder(async (folder) => {
      const file = join(folder, 'sealed');
      const counts = await backUp(parts, { id, at, keys }, createWriteStream(file, { mode: 0o600 }));
      const { size: bytes } = await stat(file);
      const hash = createHash('sha256');
      await pipeline(createReadStream(file), hash);
      const sha256 = hash.digest('hex');
      await bucket.putFile(`${id}/${DATA}`, file, bytes);
      const facts = manifestOf({
        ...{ id, at: new Date(at).toISOString(), version: parts.version },
        ...{ bytes, sha256, counts },
      });
      await bucket.putText(`${id}/${MANIFEST}`, manifestText(facts, keys));
      return facts;
    });
  }

  /** Whole ones, newest first: as their manifests say, which nobody has proved. */
  async list(): Promise<Manifest[]> {
    const ids = (await this.#keys()).flatMap(({ id, what }) => (what === MANIFEST ? [id] : []));
    const found: Manifest[] = [];
    for (const id of ids.sort().reverse()) {
      const read = await this.#manifest(id).catch((error: unknown) => {
        if (error instanceof Unreadable) return undefined;
        throw error;
      });
      if (read) found.push(read.facts);
    }
    return found;
  }

  /** An id, or the newest. Rejects with a sentence where there is none. */
  async find(name: string): Promise<string> {
    const all = (await this.#keys()).flatMap(({ id, what }) => (what === MANIFEST ? [id] : [])).sort();
    const id = name === 'latest' ? all.at(-1) : all.find((one) => one === name);
    if (id === undefined)
      throw new Unreadable(
        name === 'latest' ? 'the bucket holds no backup' : `the bucket holds no whole backup "${name}"`,
      );
    return id;
  }

  /** Hands `work` the file, on this machine's disk and proved from its first byte to its last. Rejects with Unreadable. */
  async proved<T>(id: string, work: (file: string, proved: Proved) => Promise<T>): Promise<T> {
    const { bucket, secrets } = this.#parts;
    const read = await this.#manifest(id);
    if (!read) throw new Unreadable(`the bucket holds no whole backup "${id}"`);
    return inFolder(async (folder) => {
      const data = await bucket.get(`${id}/${DATA}`);
      if (!data) throw new Unreadable(`${id} has a manifest, and its data are gone`);
      const file = join(folder, id);
      const hash = createHash('sha256');
      let bytes = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          bytes += chunk.length;
          done(null, chunk);
        },
      });
      await pipeline(data, counting, createWriteStream(file, { mode: 0o600 }));
      const beginning = createReadStream(file, { end: FIRST_BYTES });
      const [first = Buffer.alloc(0)] = (await beginning.toArray()) as Buffer[];
      mustBeSigned(read, await keysFor(first.subarray(0, SEALED_HEADER_BYTES), secrets, id));
      // The file's own header is more exact, if it can be read.
      const proved = await prove({ file, secrets });
      if (bytes !== read.facts.bytes || hash.digest('hex') !== read.facts.sha256 || proved.header.id !== id)
        throw new Unreadable(`${id} holds the data of another backup`);
      return work(file, proved);
    });
  }

  /** Removes what is older than so many days, and what backups that were cut off left. Resolves with the ids of the old. */
  async tidy(keepDays: number): Promise<string[]> {
    const { bucket, now } = this.#parts;
    const manifests = await this.list();
    const old = expired(
      manifests.map(({ id, at }) => ({ id, at: Date.parse(at) })),
      keepDays,
      now(),
    );
    for (const { id } of old) {
      await bucket.remove(`${id}/${MANIFEST}`);
      await bucket.remove(`${id}/${DATA}`);
    }
    const whole = new Set(manifests.map(({ id }) => id));
    for (const { id, what, at } of await this.#keys())
      if (what === DATA && !whole.has(id) && now() - at > UNFINISHED_MS) await bucket.remove(`${id}/${DATA}`);
    await bucket.sweep(now() - UNFINISHED_MS);
    return old.map(({ id }) => id);
  }

  /** Ours alone: a bucket may hold other things. */
  async #keys(): Promise<{ id: string; what: string; at: number }[]> {
    return (await this.#parts.bucket.list()).flatMap(({ key, at }) => {
      const [, id = '', what = ''] = KEY.exec(key) ?? [];
      return BACKUP_ID.test(id) ? [{ id, what, at: at.getTime() }] : [];
    });
  }

  async #manifest(id: string): Promise<ReturnType<typeof readManifest> | undefined> {
    const stream = await this.#parts.bucket.get(`${id}/${MANIFEST}`);
    if (!stream) return undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_MANIFEST_BYTES) throw new Unreadable(`the manifest of ${id} cannot be read`);
      chunks.push(chunk);
    }
    return readManifest(Buffer.concat(chunks).toString('utf8'), id);
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-backup-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
