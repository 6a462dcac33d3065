// A kind of owner whose versions are in memory, and whose check refuses files that begin with "bad".

import type { FileOwner } from '@gantry/contract/billing/storage.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { FileRow } from '../files.ts';
import type { Arrival, OwnerKind } from '../owner-kind.ts';

type State = 'uploading' | 'checking' | 'ready' | 'failed';

export class PlayedOwner implements OwnerKind {
  readonly kind: FileOwner;
  readonly versions = new Map<string, { organizationId: string; state: State }>();

  constructor(kind: FileOwner) {
    this.kind = kind;
  }

  waiting = async (_: Date, { except, most }: { except: readonly string[]; most: number }): Promise<Arrival[]> =>
    [...this.versions]
      .filter(([id, { state }]) => state === 'checking' && !except.includes(id))
      .slice(0, most)
      .map(([id, { organizationId }]) => ({
        ...{ kind: this.kind, id, organizationId, step: 'checking', createdAt: new Date(0), tries: 0 },
      }));

  source = async (): Promise<never> => {
    throw new Error('it has none');
  };
  planned = async (): Promise<void> => undefined;
  fetched = async (): Promise<void> => undefined;
  checkList = (): void => undefined;

  checkFile = async (_: Arrival, { path }: FileRow): Promise<string> => {
    if (path.startsWith('bad')) throw problem('model_header', { path, detail: 'it is bad' });
    return path;
  };

  ready =
    async ({ id }: Arrival) =>
    async (): Promise<void> =>
      this.#set(id, 'ready');
  failed = async (_: unknown, { id }: Arrival): Promise<void> => this.#set(id, 'failed');
  delayed = async (): Promise<void> => undefined;
  worked = async (): Promise<void> => undefined;
  lost = async (_: unknown, { id }: Arrival): Promise<void> => this.#set(id, 'uploading');
  lastWord = () => problem('internal');

  #set(id: string, state: State): void {
    const version = this.versions.get(id);
    if (version) version.state = state;
  }
}
