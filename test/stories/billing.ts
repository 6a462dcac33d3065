// Plays billing: writes its answers on billable objects, by server-side apply with its own field manager.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Layout } from '../../hack/layout.ts';

const HOUR_MS = 3_600_000;
/** Billing's sentence when there is not enough. */
export const NUMBERS = 'needs 1.20 USD, 0.34 USD available';

interface Statement {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
  /** The generation that the hold was taken for; the object's own by default. */
  readonly generation?: number;
  /** How long credit is reserved from now; an hour by default. */
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

  /** With the numbers that the person should see. */
  refuses(one: Billed, reason: string, message: string): Promise<void> {
    return this.#says(one, { status: 'False', reason, message });
  }

  findsNoCredit(one: Billed): Promise<void> {
    return this.refuses(one, 'OutOfCredit', NUMBERS);
  }

  /** For a whole organisation. */
  async saysInCredit(organization: string, is: boolean): Promise<void> {
    const status = is ? 'True' : 'False';
    const condition = { type: 'InCredit', status, reason: is ? 'InCredit' : 'OutOfCredit', message: is ? '' : NUMBERS };
    const lastTransitionTime = new Date().toISOString();
    const metadata = { name: organization };
    const body = {
      apiVersion: API_VERSION,
      kind: 'Organization',
      metadata,
      status: { conditions: [{ ...condition, lastTransitionTime }] },
    };
    await this.#applies(`/apis/${API_VERSION}/organizations/${organization}`, body);
  }

  async #says(one: Billed, { status, reason, message = '', forMs = HOUR_MS, ...rest }: Statement): Promise<void> {
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
            message,
            lastTransitionTime: new Date(now).toISOString(),
          },
        ],
        credit: { until: new Date(now + forMs).toISOString(), ...(postedSeq !== undefined && { postedSeq }) },
      },
    };
    await this.#applies(one.path, body);
  }

  async #applies(of: string, body: object): Promise<void> {
    const path = `${of}/status?fieldManager=gantry-billing&force=true`;
    await mustCallApi(this.#cluster, { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body });
  }
}
