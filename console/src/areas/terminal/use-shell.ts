// A shell in an instance, drawn on a screen: opened when the page is, and again when it is asked for.

import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Screen } from './screen.ts';
import { type ShellState, TerminalConnection } from './terminal-connection.ts';

type Ticket = OutputOf<NonNullable<typeof CALLS.openTerminal.facts>>;

export interface Shell {
  readonly state: ShellState;
  /** Where it runs; undefined until the first ticket has come. */
  readonly place: Pick<Ticket, 'cluster_id' | 'namespace' | 'container_name'> | undefined;
  readonly connection: RefObject<TerminalConnection | undefined>;
  reconnect(): void;
}

/** `screen` is undefined until there is one. `between` stands between a former shell and the next. */
export function useShell(id: string, screen: Screen | undefined, between: string): Shell {
  const api = useApi();
  const [state, setState] = useState<ShellState>({ status: 'connecting' });
  const [place, setPlace] = useState<Shell['place']>();
  const [run, setRun] = useState(1);
  const connection = useRef<TerminalConnection>(undefined);
  /** A shell is opened again where the former was, even if another tab went to another organisation meanwhile. */
  const former = useRef<Partial<Pick<Ticket, 'cluster_id' | 'namespace'>>>({});

  useEffect(() => {
    if (!screen) return;
    const controller = new AbortController();
    setState({ status: 'connecting' });
    if (run > 1) screen.separate(between);
    const open = async () => {
      const ticket = await api.call(
        CALLS.openTerminal,
        { params: { id }, query: former.current },
        { signal: controller.signal },
      );
      if (controller.signal.aborted) return;
      former.current = { cluster_id: ticket.cluster_id, namespace: ticket.namespace };
      setPlace(ticket);
      const url = new URL(ticket.url, location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      connection.current = new TerminalConnection(new WebSocket(url), {
        onState: setState,
        onBytes: (bytes, drawn) => screen.write(bytes, drawn),
      });
      connection.current.resize(screen.size);
      screen.focus();
    };
    open().catch((error: unknown) => {
      if (!controller.signal.aborted) setState({ status: 'failed', detail: sentenceOf(error) });
    });
    return () => {
      controller.abort();
      connection.current?.close();
      connection.current = undefined;
    };
  }, [api, id, screen, run, between]);

  return { state, place, connection, reconnect: useCallback(() => setRun((count) => count + 1), []) };
}
