// Each gateway says every ten seconds that it is there, and which version it is: staff see all of them, whichever they ask.
import { hostname } from 'node:os';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, lt } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { gateways } from '../../platform/db/schema/operation.ts';
import { newId } from '../../platform/ids.ts';

const EVERY_MS = 10_000;
/** One that said nothing for so long is gone for good. */
const FORGET_MS = 24 * 3_600_000;

export interface GatewaySignParts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  version: string;
}

export class GatewaySigns {
  readonly #parts: GatewaySignParts;
  readonly #id = newId('gtw');
  readonly #startedAt: Date;
  #callOff: (() => void) | undefined;
  #saying: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: GatewaySignParts) {
    this.#parts = parts;
    this.#startedAt = new Date(parts.clock.now());
  }

  /** Resolves once it has said so for the first time. */
  async start(): Promise<void> {
    const { db, clock } = this.#parts;
    await db.sql.delete(gateways).where(lt(gateways.seenAt, new Date(clock.now() - FORGET_MS)));
    await this.#say();
    this.#later();
  }

  /** A gateway that stops on purpose is not missed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#callOff?.();
    await this.#saying;
    await this.#parts.db.sql.delete(gateways).where(eq(gateways.id, this.#id));
  }

  async #say(): Promise<void> {
    const { db, clock, version } = this.#parts;
    const seenAt = new Date(clock.now());
    const own = { id: this.#id, host: hostname(), version, startedAt: this.#startedAt, seenAt };
    await db.sql.insert(gateways).values(own).onConflictDoUpdate({ target: gateways.id, set: { seenAt } });
  }

  #later(): void {
    if (this.#isStopped) return;
    const { clock, log } = this.#parts;
    this.#callOff = clock.after(EVERY_MS, () => {
      this.#saying = this.#say().catch((error: unknown) =>
        log.warn({ err: error }, 'no sign of life could be written'),
      );
      void this.#saying.finally(() => this.#later());
    });
  }
}
