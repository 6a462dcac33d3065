// An object store in memory, as this room uses one, with a hook before and after each of its steps.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../../../platform/object-store/object-store.ts';

type Played = Pick<
  ObjectStore,
  'put' | 'begin' | 'putPiece' | 'join' | 'giveUp' | 'size' | 'read' | 'copy' | 'remove' | 'close'
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

  putPiece = async (_: string, id: string, piece: { number: number; body: Readable | Uint8Array }) => {
    const bytes = piece.body instanceof Readable ? await buffer(piece.body) : piece.body;
    await this.#do(() => void this.uploads.get(id)?.set(piece.number, bytes));
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

  copy = (from: string, to: string) =>
    this.#do(() => {
      const bytes = this.objects.get(from);
      if (!bytes) throw new Error(`nothing at ${from}`);
      this.objects.set(to, bytes);
    });

  read = async (key: string) => {
    const bytes = this.objects.get(key);
    if (!bytes) throw new Error(`nothing at ${key}`);
    this.readBytes += bytes.length;
    return Readable.from([Buffer.from(bytes)], { objectMode: false });
  };

  async #do<T>(effect: () => T): Promise<T> {
    await this.step();
    const done = effect();
    await this.step();
    return done;
  }
}
