// The objects that this operator has applied for one owner without ever reading them. Only digests are kept: these are Secrets.
import { createHash } from 'node:crypto';
import type { KubeObject } from '@gantry/contract/define-kind.ts';

/** After so long it is applied once more: somebody may have changed or deleted it, and nobody would tell. */
const STALE_MS = 30 * 60_000;

export class UnseenMemory {
  readonly #known = new Map<string, { digest: string; at: number }>();

  /** This very object was applied not long ago. */
  isFresh(wanted: KubeObject, now: number): boolean {
    const known = this.#known.get(idOf(wanted));
    return known !== undefined && known.digest === digestOf(wanted) && now - known.at < STALE_MS;
  }

  note(wanted: KubeObject, now: number): void {
    this.#known.set(idOf(wanted), { digest: digestOf(wanted), at: now });
  }

  /** An object that is no longer wanted may be gone: it is created again when it is wanted again. */
  keepOnly(wanted: readonly KubeObject[]): void {
    const ids = new Set(wanted.map(idOf));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
  }
}

const idOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
const digestOf = (object: KubeObject): string => createHash('sha256').update(JSON.stringify(object)).digest('hex');
