// One file that has arrived: what its bytes are, by reading all of them back from the store. Nothing that somebody said of it counts.
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { isGguf, readGguf } from './formats/gguf.ts';
import { isPickle, isPickleName } from './formats/pickle.ts';
import type { Parsed } from './formats/refusal.ts';
import { isSafetensors, readSafetensors } from './formats/safetensors.ts';
import type { FileRow } from './model-views.ts';
import type { ReadFile } from './version-facts.ts';

const FIRST_READ = 256 * 1024;
const TAIL = 64 * 1024;
const GROWS = 4;

type Checked = Pick<FileRow, 'path' | 'sizeBytes'>;

/** Facts of its header, if it has one. Throws model_pickle and model_header. */
export async function readHeader(store: ObjectStore, key: string, file: Checked): Promise<ReadFile> {
  const { path, sizeBytes: size } = file;
  const part = async (from: number, to: number) => buffer(await store.read(key, { from, to: Math.min(to, size) - 1 }));
  const head = await part(0, FIRST_READ);
  const tail = size > FIRST_READ ? await part(Math.max(0, size - TAIL), size) : head;
  if (isPickleName(path) || isPickle(head, tail)) throw problem('model_pickle', { path });
  const facts = async <Facts extends object>(
    read: (bytes: Uint8Array, size: number) => Parsed<Facts>,
  ): Promise<Facts> => {
    let bytes: Uint8Array = head;
    for (;;) {
      const parsed = read(bytes, size);
      if ('refused' in parsed) throw problem(parsed.refused, { path, detail: parsed.detail });
      if (!('needs' in parsed)) return parsed;
      // Formats limit their headers, and what is needed is always more than there is.
      bytes = await part(0, Math.max(parsed.needs, bytes.length * GROWS));
    }
  };
  if (isGguf(head)) return { path, gguf: await facts(readGguf) };
  if (!/\.(safetensors|gguf)$/i.test(path)) return { path };
  if (isSafetensors(head)) return { path, safetensors: await facts(readSafetensors) };
  throw problem('model_header', { path, detail: 'it does not begin as such a file does' });
}

/** The SHA-256 of all its bytes. Throws model_hash if its source says another. */
export async function hashed(store: ObjectStore, key: string, file: FileRow, signal: AbortSignal): Promise<string> {
  const sha256 = createHash('sha256');
  // As git hashes a file.
  const git = file.wantedGitSha1 === null ? undefined : createHash('sha1').update(`blob ${file.sizeBytes}\0`);
  for await (const chunk of await store.read(key, undefined, signal)) {
    sha256.update(chunk);
    git?.update(chunk);
  }
  const digest = sha256.digest('hex');
  if (file.wantedSha256 !== null && file.wantedSha256 !== digest) throw wrongHash(file.path, file.wantedSha256, digest);
  const gitDigest = git?.digest('hex');
  if (gitDigest !== undefined && gitDigest !== file.wantedGitSha1)
    throw wrongHash(file.path, `${file.wantedGitSha1} (git)`, digest);
  return digest;
}

const wrongHash = (path: string, wanted: string, actual: string): Problem =>
  problem('model_hash', { path, wanted, actual });
