// A check of the doctor's: what it is handed, and what it answers. It looks at one thing, throws where it cannot tell, and leaves
// times, order and tidying up to `run-checks.ts`.
import type { CheckId, DoctorReason, Found } from '@gantry/contract/doctor.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { DatabaseFacts } from './database-facts.ts';
import type { ProbedNode } from './node-probes.ts';
import type { ThrowAways } from './throw-aways.ts';

export type DoctorClient = Pick<KubeClient, 'get' | 'list' | 'create' | 'delete' | 'raw' | 'stream'>;

/** The systems that checks look at. A test replaces the wires: the API server, the database, the mail server, Prometheus. */
export interface Surroundings {
  readonly client: DoctorClient;
  readonly clock: Clock;
  /** Absent: no database was named. */
  readonly database?: (() => Promise<DatabaseFacts>) | undefined;
  /** Absent: no database of vectors is set. Resolves with its version of pgvector. */
  readonly vectors?: (() => Promise<string>) | undefined;
  /** Absent: no mail server is set. */
  readonly mail?: { readonly server: string; answers(): Promise<void> } | undefined;
  /** Absent: no Prometheus is set. Resolves with how many series match. */
  readonly countSeries?: ((query: string) => Promise<number>) | undefined;
  /** With sh and nc. */
  readonly probeImage: string;
  /** Before an install nothing of the platform's is expected. */
  readonly isInstalled: boolean;
}

export interface Around extends Surroundings {
  readonly throwAways: ThrowAways;
  /** That run something, and are ready; looked up once. */
  nodes(): Promise<readonly Node[]>;
  /** The findings of throw-away Pods on them; they run once. */
  probedNodes(): Promise<readonly ProbedNode[]>;
}

export interface Check {
  readonly id: CheckId;
  /** After which it counts as having found nothing. */
  readonly limitMs: number;
  readonly needsPlatform?: true;
  look(around: Around, signal: AbortSignal): Promise<Found[]>;
}

export const found = (reason: DoctorReason, args: Found['args'] = {}): Found => ({ reason, args });

/** The answer of a check that cannot look: not a failure of its subject. */
export class CannotTell extends Error {
  override readonly name = 'CannotTell';
  readonly found: Found;

  constructor(reason: DoctorReason, args: Found['args'] = {}) {
    super(reason);
    this.found = found(reason, args);
  }
}

/** A third party's words as part of a sentence: one line, and not a long one. */
export function wordsOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim();
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
