// An object store in memory, as this room uses one, with a hook before and after each of its steps.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore, StoredPiece } from '../../../platform/object-store/object-store.ts';

type Played = Pick<
  ObjectStore,
  'put' | 'begin' | 'putPiece' | 'join' | 'giveUp' | 'size' | 'read' | 'download' | 'remove' | 'close'
>;

export class PlayedStore implements Played {
  readonly objects = new Map<string, Uint8Array>();
  readonly uploads = new Map<string, Map<number, Uint8Array>>();
  /** How many bytes were read. */
  readBytes = 0;
  step: () => Promise<void> = async () => undefined;
  #begun = 0;

  /** As the class that it stands for. */
  get store(): ObjectStore {
    return this as unknown as ObjectStore;
  }

  put = (key: string, bytes: Uint8Array) => this.#do(() => void this.objects.set(key, Buffer.from(bytes)));

  begin = (key: string) =>
    this.#do(() => {
      const id = `${key}#${++this.#begun}`;
      this.uploads.set(id, new Map());
      return id;
    });

  putPiece = async (_: string, id: string, { number, body, see }: StoredPiece) => {
    const bytes = body instanceof Uint8Array ? body : await buffer(body);
    see?.(bytes);
    await this.#do(() => void this.uploads.get(id)?.set(number, bytes));
  };

  join = (key: string, id: string, isWanted: (number: number) => boolean) =>
    this.#do(() => {
      const parts = this.uploads.get(id);
      if (!parts) return undefined;
      const wanted = [...parts].filter(([number]) => isWanted(number)).sort(([a], [b]) => a - b);
      this.objects.set(key, Buffer.concat(wanted.map(([, bytes]) => bytes)));
      this.uploads.delete(id);
      return 'joined' as const;
    });

  giveUp = (_: string, id: string) => this.#do(() => void this.uploads.delete(id));
  size = async (key: string) => this.objects.get(key)?.length;
  remove = (key: string) => this.#do(() => void this.objects.delete(key));
  close = () => undefined;

  read = async (key: string, range?: { from: number; to: number }) => {
    const whole = this.objects.get(key);
    if (!whole) throw new Error(`nothing at ${key}`);
    const bytes = range ? whole.subarray(range.from, range.to + 1) : whole;
    this.readBytes += bytes.length;
    return Readable.from([Buffer.from(bytes)], { objectMode: false });
  };
  download = this.read;

  async #do<T>(effect: () => T): Promise<T> {
    await this.step();
    const done = effect();
    await this.step();
    return done;
  }
}
