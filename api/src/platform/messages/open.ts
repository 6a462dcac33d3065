// Joins the parts of messages and streams: SQL, the cluster, and listeners.
import type { KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { ShownRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Database } from '../db/open.ts';
import type { Served } from '../http/serve.ts';
import { guardStreams, type LiveSessions } from '../http/stream-guard.ts';
import { type ResourceChange, StreamHub } from '../http/stream-hub.ts';
import { newId } from '../ids.ts';
import { Announcements } from './announcements.ts';
import { MessageFeed } from './message-feed.ts';
import { messageRoutes } from './message-routes.ts';
import { MessageStore } from './message-store.ts';
import { ResourceMessages, type Resources } from './resource-messages.ts';

export interface MessagesParts {
  db: Database;
  clock: Clock;
  log: Logger;
  sessions: LiveSessions;
  /** The caches, filled. */
  resources: Resources;
  /** Calls back on every change that views show; returns a function that stops it. */
  onShown(listener: (change: ResourceChange) => void): () => void;
  /** An object as its collection shows it. */
  view(facts: KindFacts, object: KubeObject, language: Language, role: ShownRole): object;
}

export interface Messages {
  store: MessageStore;
  announcements: Announcements;
  hub: StreamHub;
  routes: Served[];
  /** For actions outside of any transaction here. Never throws and is not awaited. */
  notify(notice: { accountId: string; title: Words; content: Words; args: Record<string, string> }): void;
}

/** Runs until the signal, which ends all streams. */
export async function startMessages(parts: MessagesParts, signal: AbortSignal): Promise<Messages> {
  const { db, clock, log, resources, onShown, sessions, view } = parts;
  const store = new MessageStore({ db, clock });
  const announcements = new Announcements({ db, clock });
  const onFault = (error: unknown) => log.error({ err: error }, 'an object cannot be shown');
  const hub = new StreamHub({ clock, view, onFault });
  const feed = new MessageFeed({ store, announcements, listeners: hub, clock, log });
  await feed.start(signal);
  await new ResourceMessages({ db, store, resources, clock, log }).start(signal);
  const off = onShown((change) => hub.change(change));
  signal.addEventListener('abort', off);
  void guardStreams({ hub, sessions, clock, log }, signal);
  return {
    store,
    announcements,
    hub,
    routes: messageRoutes({ store, feed, hub }),
    notify({ accountId, title, content, args }) {
      store
        .send({ key: newId('note'), title, content, args }, { account: accountId })
        .catch((error: unknown) => log.error({ err: error, accountId }, 'somebody could not be told'));
    },
  };
}
