// A shell in an instance, drawn on a screen. The instance keeps it when the page goes: the address names it, a page that comes back
// attaches again, and so does one whose connection broke. An instance from before there were sessions has shells that end with
// their page.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Screen } from './screen.ts';
import type { Asked, ShellPlace, Ticket } from './shell-place.ts';
import { type ShellState, TerminalConnection } from './terminal-connection.ts';

export interface Shell {
  readonly state: ShellState;
  /** The place in which it runs; undefined until the first ticket has come. */
  readonly place: Pick<Ticket, 'cluster_id' | 'namespace' | 'container_name'> | undefined;
  /** Undefined for a shell that ends with its page. */
  readonly session: string | undefined;
  readonly connection: RefObject<TerminalConnection | undefined>;
  /** To the same session if it can still be there, else to a new one. */
  reconnect(): void;
  /** Leaves this one for one of the others, or a new one. */
  attach(session: string): void;
}

export const NEW = 'new';
const PARAMETER = 'session';
const AGAIN_MS = [500, 1000, 2000, 5000];
/** Ends after which the session may still be there. Without any reason the connection broke. */
const BROKEN: ReadonlySet<ShellState['reason']> = new Set([
  undefined,
  'lost',
  'restart',
  'unreachable',
  'failed',
  'left',
]);
/** Ends after which it is not. */
export const OVER: ReadonlySet<ShellState['reason']> = new Set([
  'exited',
  'gone',
  'idle',
  'tooLong',
  'signedOut',
  'badOutput',
]);

/** `screen` is undefined until there is one. `between` stands between a former shell and the next. */
export function useShell(
  { id, hasSessions, open: openIn }: ShellPlace,
  screen: Screen | undefined,
  between: string,
): Shell {
  const api = useApi();
  const [state, setState] = useState<ShellState>({ status: 'connecting' });
  const [place, setPlace] = useState<Shell['place']>();
  const [run, setRun] = useState(1);
  const [parameters, setParameters] = useSearchParams();
  const [session, setSession] = useState<string>();
  const wanted = useRef(parameters.get(PARAMETER) ?? undefined);
  const tries = useRef(0);
  const opens = useRef(openIn);
  opens.current = openIn;
  /** The next shell follows one that ended, whose output stays above. */
  const follows = useRef(false);
  const connection = useRef<TerminalConnection>(undefined);
  /** A shell is opened again where the former was, even if another tab went to another organisation meanwhile. */
  const former = useRef<Asked['former']>({});
  const show = useRef<(session: string | undefined) => void>(undefined);
  show.current = (shown) => {
    setSession(shown);
    if ((parameters.get(PARAMETER) ?? undefined) === shown) return;
    setParameters(shown === undefined ? {} : { [PARAMETER]: shown }, { replace: true });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each run opens once more
  useEffect(() => {
    if (!screen) return;
    const controller = new AbortController();
    const { signal } = controller;
    setState({ status: 'connecting' });
    if (follows.current && wanted.current === NEW) screen.separate(between);
    /** A hidden page waits: two pages would take the session from each other. */
    const again = () => {
      setState({ status: 'connecting', isAgain: true });
      const wait = AGAIN_MS[Math.min(tries.current++, AGAIN_MS.length - 1)];
      const timer = setTimeout(() => onceVisible(signal, () => setRun((count) => count + 1)), wait);
      signal.addEventListener('abort', () => clearTimeout(timer));
    };
    const hear = (next: ShellState) => {
      if (next.status === 'connected') {
        tries.current = 0;
        if (next.session !== undefined && !follows.current) screen.restart();
        follows.current = false;
        wanted.current = next.session ?? NEW;
        show.current?.(next.session);
      } else if (BROKEN.has(next.reason) && wanted.current !== undefined && wanted.current !== NEW) {
        return again();
      } else {
        follows.current = wanted.current === NEW || OVER.has(next.reason);
        if (follows.current) wanted.current = NEW;
      }
      setState(next);
    };
    const open = async () => {
      wanted.current ??= hasSessions ? await lastLeft(id) : NEW;
      const asked = { session: wanted.current, former: former.current };
      const ticket = await opens.current(api, asked, signal);
      if (signal.aborted) return;
      former.current = { cluster_id: ticket.cluster_id, namespace: ticket.namespace };
      setPlace(ticket);
      const url = new URL(ticket.url, location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      connection.current = new TerminalConnection(new WebSocket(url), {
        onState: hear,
        onBytes: (bytes, drawn) => screen.write(bytes, drawn),
      });
      connection.current.resize(screen.size);
      screen.focus();
    };
    const lastLeft = async (instance: string): Promise<string> => {
      const sessions = await api.call(CALLS.listTerminalSessions, { params: { id: instance } }, { signal });
      return sessions.findLast(({ is_open }) => !is_open)?.id ?? NEW;
    };
    open().catch((error: unknown) => {
      if (signal.aborted) return;
      const isNamed = wanted.current !== undefined && wanted.current !== NEW;
      if (isNamed && error instanceof ApiProblem && error.isUncertain) return again();
      // A session of the address that is not there any more: the next is a new one.
      if (isNamed && error instanceof ApiProblem && error.status === 404) wanted.current = NEW;
      setState({ status: 'failed', detail: sentenceOf(error) });
    });
    return () => {
      controller.abort();
      connection.current?.close();
      connection.current = undefined;
    };
  }, [api, id, hasSessions, screen, run, between]);

  const reconnect = useCallback(() => setRun((count) => count + 1), []);
  const attach = useCallback((next: string) => {
    wanted.current = next;
    follows.current = false;
    tries.current = 0;
    setRun((count) => count + 1);
  }, []);
  return { state, place, session, connection, reconnect, attach };
}

function onceVisible(signal: AbortSignal, run: () => void): void {
  const isVisible = () => document.visibilityState === 'visible';
  if (isVisible()) run();
  else document.addEventListener('visibilitychange', () => isVisible() && run(), { once: true, signal });
}
