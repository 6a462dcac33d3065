// Uploads that were started on this machine, by disk, destination, size and time of the file: choosing the same file again
// resumes it, even after a reload.
import { randomId } from '@gantry/ui/client/chance.ts';

const PREFIX = 'gantry_uploads';
/** Longer than anybody waits to go on; the bytes stay on the disk until they are given up there. */
const KEPT_MS = 30 * 86_400_000;

type Kept = Record<string, { readonly upload: string; readonly at: number }>;

export interface UploadKey {
  readonly disk: string;
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
}

export class UploadMemory {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #now: () => number;
  readonly #key: string;

  /** Per person: nobody else resumes theirs. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, account: string, now: () => number) {
    this.#key = `${PREFIX}:${account}`;
    this.#storage = storage;
    this.#now = now;
  }

  /** The id of an upload, and whether it was begun before. */
  begin(of: UploadKey): { upload: string; isKnown: boolean } {
    const kept = this.#read();
    const known = kept[textOf(of)];
    if (known) return { upload: known.upload, isKnown: true };
    const upload = randomId();
    this.#write({ ...kept, [textOf(of)]: { upload, at: this.#now() } });
    return { upload, isKnown: false };
  }

  forget(of: UploadKey): void {
    const { [textOf(of)]: _, ...others } = this.#read();
    this.#write(others);
  }

  #read(): Kept {
    try {
      const kept = JSON.parse(this.#storage.getItem(this.#key) ?? '{}') as Kept;
      return Object.fromEntries(Object.entries(kept).filter(([, { at }]) => this.#now() - at < KEPT_MS));
    } catch {
      return {};
    }
  }

  #write(kept: Kept): void {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // Without room there is no resuming after a reload, and all else works.
    }
  }
}

const textOf = ({ disk, path, size, modifiedAt }: UploadKey): string => [disk, path, size, modifiedAt].join('\n');
