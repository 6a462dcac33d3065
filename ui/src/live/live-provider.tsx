// The live stream around the pages of a logged-in person. Pages do nothing for it: their data change automatically.
import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useApi } from '../client/use-api.tsx';
import { useLanguage, useUiWords } from '../i18n/use-words.tsx';
import { readAccountId, readOrganizationId, readToken } from '../session/session.ts';
import { isViewing } from '../session/view-session.ts';
import { KIND_READS } from './kind-reads.ts';
import { LiveCache } from './live-cache.ts';
import { type LiveEvent, type LiveState, LiveStream } from './live-stream.ts';
import { SharedLive } from './shared-live.ts';

export interface Live {
  readonly state: LiveState;
  /** Reconnects at once. */
  retry(): void;
}

const LiveContext = createContext<Live | undefined>(undefined);

interface LiveProviderProps {
  /** New messages, or a first page of them, or a page of nothing with another count: a MessagePage, unchecked. */
  onMessages?(page: unknown): void;
  /** Messages may have been missed. */
  onMessagesMissed?(): void;
  children: ReactNode;
}

export function LiveProvider({ onMessages, onMessagesMissed, children }: LiveProviderProps) {
  const api = useApi();
  const client = useQueryClient();
  const language = useLanguage();
  const t = useUiWords();
  const [state, setState] = useState<LiveState>({ status: 'connecting' });
  const shared = useRef<SharedLive>(undefined);

  const take = useEffectEvent((cache: LiveCache, { name, data }: LiveEvent) => {
    if (name === 'message') onMessages?.(data);
    else if (name === 'resource') {
      const event = data as ResourceEvent;
      const plural = KIND_READS[event.kind]?.plural;
      if (plural !== undefined) api.knows(plural, event.version);
      cache.take(event);
    } else {
      const { kinds } = data as { kinds: readonly string[] };
      cache.reset(kinds);
      if (kinds.includes('messages')) onMessagesMissed?.();
    }
  });

  useEffect(() => {
    const cache = new LiveCache(client);
    const live = new SharedLive({
      // A view of staff gets less than its person would as a member.
      name: ['gantry-live', readAccountId(), readOrganizationId(), language, ...(isViewing() ? ['view'] : [])].join(
        ':',
      ),
      ...('locks' in navigator &&
        'BroadcastChannel' in globalThis && {
          locks: navigator.locks,
          openChannel: (name: string) => new BroadcastChannel(name),
        }),
      openStream: (listener, lastId) =>
        new LiveStream({ api, token: readToken, noToken: t('live.noToken'), ...listener }, lastId),
      onEvent: (event) => take(cache, event),
      onState: setState,
      onGap: () => cache.reset(),
      every: (ms, run) => {
        const timer = setInterval(run, ms);
        return () => clearInterval(timer);
      },
      isSeen: () => document.visibilityState === 'visible',
    });
    shared.current = live;
    return () => {
      live.stop();
      cache.stop();
    };
  }, [api, client, language, t]);

  const value = useMemo(() => ({ state, retry: () => shared.current?.retry() }), [state]);
  return <LiveContext value={value}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('there is no LiveProvider above');
  return live;
}
