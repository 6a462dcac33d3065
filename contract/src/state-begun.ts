// The states that an object was in, as its status records them: the operator writes most kinds', the gateway those of policies.
import { type CommonStatus, type KubeObject, MOST_ARG_LETTERS, MOST_STATES, type State } from './define-kind.ts';
import { rfc3339 } from './next-condition.ts';

/** The patch's member if the new status begins another state: the state before the recorded ones. */
export function stateBegun(object: KubeObject, wanted: CommonStatus, nowMs: number): { history?: readonly State[] } {
  const { phase, reason, reasonArgs } = wanted;
  const { status = {} } = object as { status?: CommonStatus };
  if (phase === undefined || (phase === status.phase && reason === status.reason)) return {};
  const args = Object.entries(reasonArgs ?? {}).map(([name, text]) => [name, text.slice(0, MOST_ARG_LETTERS)]);
  const begun: State = {
    phase,
    ...(reason !== undefined && { reason }),
    ...(args.length > 0 && { reasonArgs: Object.fromEntries(args) }),
    since: rfc3339(nowMs),
  };
  return { history: [begun, ...(status.history ?? [])].slice(0, MOST_STATES) };
}
