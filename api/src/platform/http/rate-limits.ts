// How often one session and one address may call. Counts are this process's: several gateways allow as many times more, which
// keeps one client from drowning the others without a store that every call would wait for.
import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { problem } from '@gantry/contract/http/problem.ts';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;
const MOST_KNOWN = 20_000;
/** Times as many as other calls: twenty thousand small files take two minutes. How many at once, their own routes limit. */
const PIECES = 20;

export class RateLimits {
  readonly #sessions: RateLimiterMemory;
  readonly #pieces: RateLimiterMemory;
  readonly #addresses: RateLimiterMemory;
  readonly #inVain: RateLimiterMemory;
  /** Hashes of tokens that were somebody's lately, the oldest first. */
  readonly #known = new Set<string>();
  readonly #attempts = new Map<string, RateLimiterMemory>();

  constructor(perMinute: number) {
    this.#sessions = perMinuteLimiter(perMinute);
    this.#pieces = perMinuteLimiter(PIECES * perMinute);
    this.#addresses = perMinuteLimiter(perMinute);
    this.#inVain = perMinuteLimiter(perMinute);
  }

  /**
   * Before it is known whose a token is: throws too_many_requests where the address has tried too many that are nobody's.
   * Tokens that were somebody's are not hindered by what their neighbours try.
   */
  async mayTry(token: string, ip: string, res: ServerResponse): Promise<void> {
    const tried = await this.#inVain.get(addressKey(ip));
    if (!tried || tried.consumedPoints < this.#inVain.points || this.#known.has(hashOf(token))) return;
    refuse(this.#inVain, tried.msBeforeNext, res);
  }

  known(token: string): void {
    const hashed = hashOf(token);
    if (this.#known.has(hashed)) return;
    this.#known.add(hashed);
    const [oldest] = this.#known;
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  /** A token of this address was nobody's. */
  async inVain(ip: string): Promise<void> {
    await this.#inVain.penalty(addressKey(ip));
  }

  /** Throws too_many_requests. */
  async session(id: string, res: ServerResponse): Promise<void> {
    await consume(this.#sessions, id, res);
  }

  /** For the pieces of a session's uploads, apart from its other calls. Throws too_many_requests. */
  async piece(id: string, res: ServerResponse): Promise<void> {
    await consume(this.#pieces, id, res);
  }

  /** For callers without a valid token; an invalid token counts too. */
  async address(ip: string, res: ServerResponse): Promise<void> {
    await consume(this.#addresses, addressKey(ip), res);
  }

  /** For routes where every call is a guess, or sends something to somebody. */
  async attempt(route: string, perMinute: number, ip: string, res: ServerResponse): Promise<void> {
    let limiter = this.#attempts.get(route);
    if (!limiter) {
      limiter = perMinuteLimiter(perMinute);
      this.#attempts.set(route, limiter);
    }
    await consume(limiter, addressKey(ip), res);
  }
}

const perMinuteLimiter = (points: number) => new RateLimiterMemory({ points, duration: MINUTE_S });

const hashOf = (token: string): string => hash('sha256', token, 'base64');

async function consume(limiter: RateLimiterMemory, key: string, res: ServerResponse): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    refuse(limiter, (refused as RateLimiterRes).msBeforeNext, res);
  }
}

function refuse(limiter: RateLimiterMemory, msBeforeNext: number, res: ServerResponse): never {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  res.setHeader('ratelimit-policy', `"minute";q=${limiter.points};w=${MINUTE_S}`);
  res.setHeader('ratelimit', `"minute";r=0;t=${seconds}`);
  throw problem('too_many_requests', { seconds }, { retryAfterSeconds: seconds });
}

/** One IPv6 customer has a whole /64. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = (tail ?? '').split(':').filter((group) => group !== '');
  const middle = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: middle }, () => '0'), ...right].slice(0, 4).join(':');
}
