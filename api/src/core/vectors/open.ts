// Vectors of large knowledge bases, where the installation has a database for them. It may be away: everything else goes on.

import { Turn } from '../../platform/db/turn.ts';
import type { Platform } from '../../platform/open.ts';
import { LargeVectors, type LargeVectorsParts } from './large-vectors.ts';
import { PgVectors } from './pg-vectors.ts';

export interface OpenVectors {
  vectors: LargeVectors;
  /** `areUsed`: those of these files that a version still needs. */
  start(areUsed: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>): void;
  stop(): Promise<void>;
}

/** Undefined where there is none. */
export function openVectors(
  { config, db, clock, log }: Pick<Platform, 'db' | 'clock' | 'log'> & { config: { vectorsUrl: string } },
  blobs: LargeVectorsParts['blobs'],
): OpenVectors | undefined {
  if (config.vectorsUrl === '') return undefined;
  const pg = new PgVectors(config.vectorsUrl);
  const vectors = new LargeVectors({ pg, blobs, clock, log });
  const turn = new Turn({ db, clock, log }, 'vectors');
  return {
    vectors,
    start: (areUsed) => turn.start((signal) => vectors.work(areUsed, signal)),
    async stop() {
      await turn.stop();
      await pg.close();
    },
  };
}
