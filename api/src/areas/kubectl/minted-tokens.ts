// Tokens that the API server takes: one per kubeconfig in use, of its member's ServiceAccount, bound to its Secret. They are
// short-lived, and no client ever sees one.
import type { Clock } from '@gantry/kube/clock.ts';
import { notLoggedIn, Refusal } from './refusal.ts';

/** A kubeconfig that is good. */
export interface Grant {
  /** Also the Secret's name. */
  id: string;
  secretUid: string;
  accountId: string;
  namespace: string;
}

export interface MintedTokenParts {
  /** By TokenRequest; undefined while the namespace, the account or the Secret is not there. */
  issue(wanted: {
    namespace: string;
    name: string;
    uid: string;
    account: string;
    seconds: number;
  }): Promise<{ token: string } | undefined>;
  /** Whether the kubeconfig is still good. */
  holds(grant: Grant): Promise<boolean>;
  clock: Clock;
}

/** The API server's least. */
const LIFE_S = 600;
/** Half of it: a clock may be wrong, and a token must last as long as a request takes to arrive. */
const USED_FOR_MS = 300_000;

export class MintedTokens {
  readonly #parts: MintedTokenParts;
  readonly #kept = new Map<string, { token: Promise<string>; until: number }>();

  constructor(parts: MintedTokenParts) {
    this.#parts = parts;
  }

  /** Rejects with a Refusal, or where the cluster does not answer. */
  of(grant: Grant): Promise<string> {
    const now = this.#parts.clock.monotonic();
    const kept = this.#kept.get(grant.id);
    if (kept && now < kept.until) return kept.token;
    for (const [id, { until }] of this.#kept) if (until <= now) this.#kept.delete(id);
    const token = this.#mint(grant);
    this.#kept.set(grant.id, { token, until: now + USED_FOR_MS });
    token.catch(() => this.drop(grant));
    return token;
  }

  /** The API server does not take it any more. */
  drop({ id }: Grant): void {
    this.#kept.delete(id);
  }

  async #mint(grant: Grant): Promise<string> {
    const { id: name, secretUid: uid, accountId: account, namespace } = grant;
    const minted = await this.#parts.issue({ namespace, name, uid, account, seconds: LIFE_S });
    if (!minted) throw new Refusal(503, 'the cluster does not know the account or the Secret of this kubeconfig', 2);
    // It took its time, in which the kubeconfig may have been revoked.
    if (!(await this.#parts.holds(grant))) throw notLoggedIn();
    return minted.token;
  }
}
