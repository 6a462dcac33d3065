// Listeners must still be authorised: sessions end, roles change, members leave, in any process. A second later nobody
// unauthorised hears anything.
import type { OrgRole } from '@gantry/contract/roles.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { StreamHub } from './stream-hub.ts';

export interface LiveSessions {
  /** The current role of each of these sessions and API tokens; missing: it has ended. Throws if that cannot be determined. */
  rolesOf(sessionIds: readonly string[]): Promise<ReadonlyMap<string, OrgRole>>;
}

export interface GuardParts {
  hub: StreamHub;
  sessions: LiveSessions;
  clock: Clock;
  log: { warn(facts: object, message: string): void };
}

const LOOK_EVERY_MS = 500;
const BEAT_EVERY_MS = 15_000;
/** How long nobody is disconnected if roles cannot be determined. */
const BLIND_MS = 30_000;

/** Until the signal, which ends all streams. */
export async function guardStreams({ hub, sessions, clock, log }: GuardParts, signal: AbortSignal): Promise<void> {
  let beatAt = clock.monotonic() + BEAT_EVERY_MS;
  let knownAt = clock.monotonic();
  while (!signal.aborted) {
    await pause(clock, LOOK_EVERY_MS, signal);
    if (clock.monotonic() >= beatAt) {
      beatAt = clock.monotonic() + BEAT_EVERY_MS;
      hub.beat();
    }
    try {
      await sendAway(hub, sessions);
      knownAt = clock.monotonic();
    } catch (error) {
      if (clock.monotonic() - knownAt < BLIND_MS) continue;
      log.warn({ err: error, streams: hub.size }, 'nobody knows who may still listen: all streams end');
      hub.endAll();
    }
  }
  hub.close();
}

async function sendAway(hub: StreamHub, sessions: LiveSessions): Promise<void> {
  const listening = [...hub.listeners()];
  if (listening.length === 0) return;
  const roles = await sessions.rolesOf([...new Set(listening.map(([, { session }]) => session))]);
  for (const [client, { session, membership }] of listening) if (roles.get(session) !== membership) client.end();
}
