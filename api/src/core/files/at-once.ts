// Limits what one person, one organisation and everybody have under way at the same time. One more is refused immediately, with a time to
// wait. Whoever hardly sends or takes loses the place; while all places are taken, the organisation with the most gives way.
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Least, LeastRate } from './least-rate.ts';

type Measures = Pick<Clock, 'monotonic' | 'after'>;

interface Most {
  ofAccount: number;
  ofOrganization: number;
  ofAll: number;
}

/** A transfer under way. `rate` watches whoever sends or takes; its signal aborts with a problem once the place is lost. */
interface Held {
  readonly account: string;
  readonly organization: string;
  readonly rate: LeastRate;
}

const AGAIN_SECONDS = 5;

/** A connection of 50 KB/s that a person's eight transfers share leaves each of them more. */
const LEAST: Least = {
  bytes: 256 * 1024,
  windowMs: 60_000,
  slow: ({ bytes }) => problem('transfer_too_slow', { least: bytes / 1024 }, { retryAfterSeconds: AGAIN_SECONDS }),
};

export class AtOnce {
  readonly #most: Most;
  readonly #refused: (most: number) => Problem;
  readonly #clock: Measures;
  /** In the order in which they began. */
  readonly #held = new Set<Held>();

  /** `refused` says that a person or an organisation has so many already. */
  constructor(most: Most, clock: Measures, refused: (most: number) => Problem) {
    this.#most = most;
    this.#clock = clock;
    this.#refused = refused;
  }

  /**
   * Throws what `refused` says; unavailable where everybody together has too many; transfer_too_slow and transfer_gave_way where the
   * place is lost. The rate's signal is aborted once the work is over, and with `signal`.
   */
  async within<T>(
    { account, organization }: Caller,
    signal: AbortSignal | undefined,
    work: (rate: LeastRate) => Promise<T>,
  ): Promise<T> {
    const { ofAccount, ofOrganization, ofAll } = this.#most;
    const held = [...this.#held];
    if (held.filter((one) => one.account === account.id).length >= ofAccount) throw this.#refused(ofAccount);
    const ours = held.filter((one) => one.organization === organization.id).length;
    if (ours >= ofOrganization) throw this.#refused(ofOrganization);
    if (held.length >= ofAll) this.#makeRoom(ours);
    const rate = new LeastRate(this.#clock, LEAST);
    const mine = { account: account.id, organization: organization.id, rate };
    const leave = () => rate.end(signal?.reason);
    this.#held.add(mine);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      signal?.throwIfAborted();
      return await work(rate);
    } catch (error) {
      throw rate.signal.aborted ? rate.signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', leave);
      this.#held.delete(mine);
      rate.end(new Error('the transfer is over'));
    }
  }

  /** What began last has the least to lose. Two more than ours, so that no two organisations take a place from each other in turns. */
  #makeRoom(ours: number): void {
    const [most = []] = [...Map.groupBy(this.#held, ({ organization }) => organization).values()].sort(
      (one, other) => other.length - one.length,
    );
    const last = most.at(-1);
    const again = { retryAfterSeconds: AGAIN_SECONDS };
    if (!last || most.length < ours + 2) throw problem('unavailable', { seconds: AGAIN_SECONDS }, again);
    this.#held.delete(last);
    last.rate.end(problem('transfer_gave_way', {}, again));
  }
}

/** Each holds one of the store's connections that downloads alone use (`object-store.ts`). */
const DOWNLOADS: Most = { ofAccount: 8, ofOrganization: 16, ofAll: 128 };
/** Those of everybody leave connections for what the platform does itself. */
const PIECES: Most = { ofAccount: 8, ofOrganization: 16, ofAll: 40 };

export const piecesAtOnce = (clock: Measures, most = PIECES): AtOnce =>
  new AtOnce(most, clock, () => problem('too_many_requests', { seconds: 1 }, { retryAfterSeconds: 1 }));

export const downloadsAtOnce = (clock: Measures, most = DOWNLOADS): AtOnce =>
  new AtOnce(most, clock, (count) =>
    problem('too_many_downloads', { most: count }, { retryAfterSeconds: AGAIN_SECONDS }),
  );
