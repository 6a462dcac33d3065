// Credit before a start: whether billing permits what an object costs. The gateway decides and writes the condition CreditReserved;
// every plan asks here before it makes something that costs, and before it ends what runs.
import { type CreditReason, endsWhatRuns, isCreditReason } from '@gantry/contract/billing/credit.ts';
import type { Condition, KubeObject } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { type Args, quoted } from '@gantry/contract/said.ts';
import type { Instant } from '@gantry/kube/clock.ts';

/** `off`: the installation bills nothing. */
export type CreditGate = 'required' | 'off';

interface Costly extends KubeObject {
  status?: {
    conditions?: readonly Condition[] | undefined;
    credit?: { until?: string | undefined } | undefined;
  };
}

/** Why nothing new may be made, in the words of billing. */
export interface CreditTrouble {
  reason: CreditReason;
  args: Args;
}

export interface Credit {
  /** Absent: whatever costs may be made. */
  trouble: CreditTrouble | undefined;
  /** The money is gone: running objects end too. */
  isOut: boolean;
}

const OPEN: Credit = { trouble: undefined, isOut: false };
/** The rest of a longer text says no more, and a status has its limits. */
const MOST_DETAIL = 1000;

/** Whatever costs is made only with credit reserved for this very generation (design section 6). */
export function creditOf({ metadata, status }: Costly, gate: CreditGate, now: Instant): Credit {
  if (gate === 'off') return OPEN;
  const reserved = status?.conditions?.find(({ type }) => type === 'CreditReserved');
  const until = instantOf(status?.credit?.until) ?? 0;
  if (reserved?.status === 'True' && reserved.observedGeneration === metadata.generation && until > now) return OPEN;
  if (reserved?.status !== 'False' || !isCreditReason(reserved.reason))
    return { trouble: { reason: 'WaitingForCredit', args: {} }, isOut: false };
  const { reason, message = '' } = reserved;
  const detail = { message: message.slice(0, MOST_DETAIL) || '–', args: reserved.args ?? {} };
  const args = reason === 'WaitingForCredit' ? {} : quoted('detail', detail);
  return { trouble: { reason, args }, isOut: endsWhatRuns(reason) };
}
