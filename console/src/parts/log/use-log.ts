// A run's log as it arrives. Of a run that goes on the answer goes on too; where it breaks off, it is taken up after its newest line.
import type { Call } from '@gantry/contract/http/call.ts';
import type { KIND_CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type LogLine, LogLines, MOST_LINES } from './log-lines.ts';

/** The kinds whose objects run programs. */
export type LoggedKind = {
  [Kind in keyof typeof KIND_CALLS]: (typeof KIND_CALLS)[Kind] extends { log: unknown } ? Kind : never;
}[keyof typeof KIND_CALLS];

export interface ShownLog {
  readonly lines: readonly LogLine[];
  readonly dropped: number;
  readonly longest: number;
  readonly isLoading: boolean;
  readonly error: ApiProblem | null;
  again(): void;
}

const AGAIN_MS = 3000;

/** A program's log. */
export interface LogSource {
  readonly call: Call;
  readonly params: Readonly<Record<string, string | number>>;
  /** Which of several it is. */
  readonly query?: Readonly<Record<string, string | number>>;
}

/** `isLive`: the program has not ended. */
export function useLog(source: LogSource, isLive: boolean): ShownLog {
  const api = useApi();
  const of = useRef(source);
  of.current = source;
  const which = JSON.stringify([source.call.id, source.params, source.query]);
  const store = useRef(new LogLines());
  const [, setDrawn] = useState(0);
  const [state, setState] = useState<{ isLoading: boolean; error: ApiProblem | null }>(LOADING);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` begins anew
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lines = new LogLines();
    store.current = lines;
    setState(LOADING);
    // Once per frame, however fast it arrives.
    const draw = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setDrawn((drawn) => drawn + 1);
      });
    };
    const read = async () => {
      const since = lines.newest;
      const query = {
        ...of.current.query,
        timestamps: 'true',
        ...(isLive && { follow: 'true' }),
        // The node's clock may have any zone.
        ...(since ? { since: new Date(since).toISOString() } : { tail: MOST_LINES }),
      };
      const answer = await api.send(of.current.call, { params: of.current.params, query }, { signal });
      setState(ARRIVED);
      const reader = answer.body?.getReader();
      lines.goOn();
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
        lines.push(next.value);
        draw();
      }
      lines.end();
      draw();
    };
    const attempt = () => {
      read().catch((error: unknown) => {
        if (signal.aborted) return;
        lines.breakOff();
        const problem = error instanceof ApiProblem ? error : api.failure('network');
        // Its container may not have begun; a network comes back.
        const isPassing = isLive && (problem.isUnanswered || problem.error === 'container_not_running');
        setState({ isLoading: false, error: problem });
        if (isPassing) timer = setTimeout(attempt, AGAIN_MS);
      });
    };
    attempt();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [api, which, isLive, tries]);
  const { all: shown, dropped, longest } = store.current;
  return { lines: shown, dropped, longest, ...state, again: useCallback(() => setTries((count) => count + 1), []) };
}

const LOADING = { isLoading: true, error: null };
const ARRIVED = { isLoading: false, error: null };
