// Plays billing: what it writes on whatever costs, by server-side apply as a field manager of its own.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Layout } from '../../hack/layout.ts';

const HOUR_MS = 3_600_000;

interface Statement {
  readonly status: 'True' | 'False';
  readonly reason: string;
  /** The generation that the hold was taken for; its own unless told. */
  readonly generation?: number;
  /** For how long credit is reserved from now; an hour unless told. */
  readonly forMs?: number;
  readonly postedSeq?: number;
}

/** An instance, or a disk. */
interface Billed {
  readonly path: string;
  readonly now: KubeObject;
  readonly generation: number;
}

export class Billing {
  readonly #cluster: Layout;

  constructor(cluster: Layout) {
    this.#cluster = cluster;
  }

  /** Credit is reserved for it as it is. */
  reserves(one: Billed, more: Partial<Statement> = {}): Promise<void> {
    return this.#says(one, { status: 'True', reason: 'Reserved', ...more });
  }

  findsNoCredit(one: Billed): Promise<void> {
    return this.#says(one, { status: 'False', reason: 'OutOfCredit' });
  }

  async #says(one: Billed, { status, reason, forMs = HOUR_MS, ...rest }: Statement): Promise<void> {
    const { apiVersion, kind, metadata } = one.now;
    const { generation: observedGeneration = one.generation, postedSeq } = rest;
    const now = Date.now();
    const body = {
      apiVersion,
      kind,
      metadata: { name: metadata.name },
      status: {
        conditions: [
          {
            type: 'CreditReserved',
            status,
            reason,
            observedGeneration,
            message: 'As the story wants it.',
            lastTransitionTime: new Date(now).toISOString(),
          },
        ],
        credit: { until: new Date(now + forMs).toISOString(), ...(postedSeq !== undefined && { postedSeq }) },
      },
    };
    const path = `${one.path}/status?fieldManager=gantry-billing&force=true`;
    await mustCallApi(this.#cluster, { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body });
  }
}
