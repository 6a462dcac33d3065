// Plays billing: what it writes on an instance, by server-side apply as a field manager of its own.
import { mustCallApi } from '../../hack/api-call.ts';
import type { Layout } from '../../hack/layout.ts';
import type { Instance } from './instance.ts';

const HOUR_MS = 3_600_000;

interface Statement {
  readonly status: 'True' | 'False';
  readonly reason: string;
  /** The generation that the hold was taken for; the instance's own unless told. */
  readonly generation?: number;
  /** For how long credit is reserved from now; an hour unless told. */
  readonly forMs?: number;
  readonly postedSeq?: number;
}

export class Billing {
  readonly #cluster: Layout;

  constructor(cluster: Layout) {
    this.#cluster = cluster;
  }

  /** Credit is reserved for the instance as it is. */
  reserves(dev: Instance, more: Partial<Statement> = {}): Promise<void> {
    return this.#says(dev, { status: 'True', reason: 'Reserved', ...more });
  }

  findsNoCredit(dev: Instance): Promise<void> {
    return this.#says(dev, { status: 'False', reason: 'OutOfCredit' });
  }

  async #says(dev: Instance, { status, reason, forMs = HOUR_MS, ...rest }: Statement): Promise<void> {
    const { apiVersion, kind, metadata } = dev.now;
    const { generation: observedGeneration = dev.generation, postedSeq } = rest;
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
    const path = `${dev.path}/status?fieldManager=gantry-billing&force=true`;
    await mustCallApi(this.#cluster, { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body });
  }
}
