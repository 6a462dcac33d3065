// A disk's server as sources know it: files by their paths, connections that break, and content that changes.
import { Readable } from 'node:stream';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Disks } from '../disks.ts';

export class PlayedDisk implements Disks {
  readonly id: string;
  files: Record<string, Uint8Array> = {};
  /** The positions at which reads began, other than the first byte. */
  continued: number[] = [];
  /** Another tag: somebody has written since. */
  edition = 1;
  /** One reading breaks off there, and `broken` is called. */
  breaksAfter: number | undefined;
  broken: () => void = () => undefined;
  /** The error that its next call throws. */
  throws: Partial<Record<'list' | 'lastRead', Error>> = {};
  /** It answers a reading, and sends nothing. */
  isSilent = false;
  /** How many readings it answered so. */
  silences = 0;
  /** How many chunks a program that never ends had to send of a last byte. */
  endless: number | undefined;

  constructor(id: string) {
    this.id = id;
  }

  has: Disks['has'] = (member, disk) => member.organization.namespace === 'org-acme' && disk === this.id;

  list: Disks['list'] = async (member, disk, { path }) => {
    if (!this.has(member, disk)) throw problem('not_found', { what: disk });
    this.#throw('list');
    const prefix = path.endsWith('/') ? path : `${path}/`;
    const below = Object.entries(this.files).filter(([at]) => at.startsWith(prefix));
    const names = new Map(
      below.map(([at, bytes]) => {
        const [name = '', ...rest] = at.slice(prefix.length).split('/');
        return [name, { name, type: rest.length > 0 ? 'folder' : 'file', sizeBytes: bytes.length }];
      }),
    );
    if (names.size === 0) throw problem('not_found', { what: 'path' });
    return { entries: [...names.values()], total: names.size };
  };

  read: Disks['read'] = async (_, __, { path, from, signal }) => {
    const bytes = this.files[path];
    if (!bytes) throw problem('not_found', { what: 'path' });
    const isLast = from > 0 && from === bytes.length - 1;
    if (from > 0 && !isLast) this.continued.push(from);
    if (isLast) this.#throw('lastRead');
    if (this.isSilent) {
      this.silences++;
      const body = new Readable({ read: () => undefined });
      signal.addEventListener('abort', () => body.destroy(new Error('aborted')));
      return { tag: `"${this.edition}"`, size: bytes.length, from, body };
    }
    const content = isLast && this.endless !== undefined ? this.#endless() : this.#content(bytes.subarray(from));
    return { tag: `"${this.edition}"`, size: bytes.length, from, body: Readable.from(content) };
  };

  #throw(at: keyof PlayedDisk['throws']): void {
    const { [at]: error } = this.throws;
    delete this.throws[at];
    if (error) throw error;
  }

  async *#endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.endless = (this.endless ?? 0) + 1;
      yield new Uint8Array(1);
    }
  }

  async *#content(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    const { breaksAfter } = this;
    if (breaksAfter === undefined || bytes.length <= breaksAfter) return yield bytes;
    yield bytes.subarray(0, breaksAfter);
    this.breaksAfter = undefined;
    this.broken();
    throw new Error('gone');
  }
}
