// Ends what stays open within a second of the session's end behind it: a logout, a lost role, a removal, wherever it happened.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** A credential: a session or an API token, or a kubeconfig. */
interface Login {
  id: string;
}

/** By id; missing if no longer valid. Throws if that cannot be determined. */
export type ReadAccess<One extends Login = Caller['session']> = (
  logins: readonly One[],
) => Promise<ReadonlyMap<string, { mayUse: boolean }>>;

const LOOK_MS = 500;

export class LoginWatch<One extends Login = Caller['session']> {
  readonly #read: ReadAccess<One>;
  readonly #clock: Clock;
  readonly #followed = new Map<string, { session: One; over: Set<() => void> }>();
  #cancel: (() => void) | undefined;

  constructor(parts: { readAccess: ReadAccess<One>; clock: Clock }) {
    this.#read = parts.readAccess;
    this.#clock = parts.clock;
  }

  async holds(session: One): Promise<boolean> {
    return (await this.#read([session])).get(session.id)?.mayUse ?? false;
  }

  /** Calls back once when the session is no longer valid; returns a function that stops following. */
  follow(session: One, over: () => void): () => void {
    const followed = this.#followed.get(session.id) ?? { session, over: new Set() };
    followed.over.add(over);
    this.#followed.set(session.id, followed);
    this.#cancel ??= this.#clock.after(LOOK_MS, () => void this.#look());
    return () => {
      followed.over.delete(over);
      // Another entry of this session may have begun after the end of ours.
      if (followed.over.size === 0 && this.#followed.get(session.id) === followed) this.#followed.delete(session.id);
    };
  }

  /** Nothing is followed any more. */
  stop(): void {
    this.#cancel?.();
    this.#followed.clear();
  }

  async #look(): Promise<void> {
    const asked = [...this.#followed.values()];
    // A database that does not answer ends nobody's work: the next look is soon.
    const access = await this.#read(asked.map(({ session }) => session)).catch(() => undefined);
    if (access) {
      for (const followed of asked) {
        const { session, over } = followed;
        if (access.get(session.id)?.mayUse) continue;
        // Another entry of this session, added meanwhile, was not part of the query: the next look handles it.
        if (this.#followed.get(session.id) === followed) this.#followed.delete(session.id);
        for (const call of over) {
          try {
            call();
          } catch {
            // A failure to end one keeps no other open, and the looks continue.
          }
        }
      }
    }
    this.#cancel = this.#followed.size > 0 ? this.#clock.after(LOOK_MS, () => void this.#look()) : undefined;
  }
}
