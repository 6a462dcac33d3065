// One file that has arrived: what its bytes are, by reading them from the store. Nothing that somebody said of it counts.
import { problem } from '@gantry/contract/http/problem.ts';
import type { FileRow } from '../../core/files/files.ts';
import { aside, type Task, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { bytesOf, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { type GgufFacts, type ggufHeader, isGguf } from './formats/gguf.ts';
import { isPickle, isPickleName } from './formats/pickle.ts';
import type { Parsed, TensorFacts } from './formats/refusal.ts';
import { isSafetensors, type readSafetensors } from './formats/safetensors.ts';
import type { ReadFile } from './version-facts.ts';

const FIRST_READ = 256 * 1024;
const TAIL = 64 * 1024;
const GROWS = 4;

type ReadHeader = (head: Uint8Array, size: number) => Parsed<object>;
const FORMATS = new URL('formats/', import.meta.url);
const GGUF_HEADER = taskIn<typeof ggufHeader>(new URL('gguf.ts', FORMATS), 'ggufHeader');
const SAFETENSORS_HEADER = taskIn<typeof readSafetensors>(new URL('safetensors.ts', FORMATS), 'readSafetensors');

type Checked = Pick<FileRow, 'path' | 'sizeBytes'>;

/** Facts of its header, if it has one. `lane`: whose file it is. Throws model_pickle and model_header. */
export async function readHeader(store: ObjectStore, key: string, file: Checked, lane: string): Promise<ReadFile> {
  const { path, sizeBytes: size } = file;
  const part = (from: number, to: number) => bytesOf(store, key, { from, to: Math.min(to, size) });
  const head = await part(0, FIRST_READ);
  const tail = size > FIRST_READ ? await part(Math.max(0, size - TAIL), size) : head;
  if (isPickleName(path) || isPickle(head, tail)) throw problem('model_pickle', { path });
  const facts = async <Facts extends object>(
    read: (bytes: Uint8Array<ArrayBuffer>) => Promise<Parsed<Facts>>,
  ): Promise<Facts> => {
    let bytes = head;
    for (;;) {
      const { length } = bytes;
      const parsed = await read(bytes);
      if ('refused' in parsed) throw problem(parsed.refused, { path, detail: parsed.detail });
      if (!('needs' in parsed)) return parsed;
      // Formats limit their headers, and what is needed is always more than there is.
      bytes = await part(0, Math.max(parsed.needs, length * GROWS));
    }
  };
  const work = <Facts extends object>(task: Task<ReadHeader>) =>
    facts(async (bytes) => {
      try {
        return (await aside.run(task, [bytes, size], { lane, transfer: [bytes.buffer] })) as Parsed<Facts>;
      } catch (error) {
        if (error instanceof TooMuchWork && error.why !== 'queue')
          throw problem('model_header', { path, detail: 'it takes too long to read' }, { cause: error });
        throw error;
      }
    });
  if (isGguf(head)) return { path, gguf: await work<GgufFacts>(GGUF_HEADER) };
  if (!/\.(safetensors|gguf)$/i.test(path)) return { path };
  if (isSafetensors(head)) return { path, safetensors: await work<TensorFacts>(SAFETENSORS_HEADER) };
  throw problem('model_header', { path, detail: 'it does not begin as such a file does' });
}
