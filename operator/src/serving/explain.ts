// Why the service is in its phase: a reason of the contract and the numbers and names for its sentence.
import { CAN_START } from '@gantry/contract/billing/credit.ts';
import type { ServicePhase } from '@gantry/contract/kinds/container-service.ts';
import { quoted, type Said, said } from '@gantry/contract/said.ts';
import { UPDATE } from './desired.ts';
import { type Facts, readyIn } from './facts.ts';
import { isEndingNow } from './phase.ts';
import { type Trouble, troubleOf } from './trouble.ts';

const plain = (reason: Trouble['reason']): Trouble => ({ reason, args: {} });
const wordsOf = ({ served }: Facts, { reason, args }: Trouble): Said => said(served.words(reason), args);

/** Phases that say it all; every other one is explained by what keeps it from being complete. */
const BY_PHASE: Partial<Record<ServicePhase, (f: Facts) => Trouble>> = {
  releasing: () => plain('Releasing'),
  released: () => plain('Released'),
  stopping: (f) => outOfCredit(f) ?? plain('Ending'),
  stopped: (f) => outOfCredit(f) ?? plain('Stopped'),
  sleeping: (f) => (isEndingNow(f) ? plain('Ending') : plain(f.owner.spec.autoscaling ? 'Asleep' : 'ScaledToZero')),
  failed: (f) => f.trouble ?? givenUp(f) ?? { reason: 'NotReady', args: quoted('detail', wordsOf(f, delay(f))) },
  partialSuccess: (f) => (f.isComplete ? creditForSome(f) : lateWords(f)),
  active: (f) => f.trouble ?? { reason: 'Active', args: { wanted: String(f.covered) } },
};

export const explain = (f: Facts, phase: ServicePhase): Trouble => BY_PHASE[phase]?.(f) ?? delay(f);

/** The cause that kept it from starting is gone with its Pods: the condition remembers it. */
export function givenUp(f: Facts): Trouble | undefined {
  if (!f.isGivenUp) return undefined;
  const known = f.status.conditions?.find(({ type, status }) => type === CAN_START && status === 'False');
  if (known?.reason === 'GivenBack' && known.args) return { reason: known.reason, args: known.args };
  const { deadlineMinutes } = f.owner.spec.update ?? UPDATE;
  return { reason: 'GivenBack', args: { minutes: String(deadlineMinutes), ...quoted('detail', wordsOf(f, delay(f))) } };
}

/** Only the end of the money ends it against its spec. */
const outOfCredit = ({ credit, owner }: Facts): Trouble | undefined =>
  owner.spec.power === 'Running' && credit.isOut ? credit.trouble : undefined;

/** The reason for which it waits now. */
function delay(f: Facts): Trouble {
  return (
    f.trouble ??
    f.hopeless ??
    f.credit.trouble ??
    (f.isUnposted ? plain('UsageNotPosted') : f.waitsFor) ??
    troubleOf(f) ??
    onTheWay(f)
  );
}

function onTheWay(f: Facts): Trouble {
  const { live, updated, covered, wanted, ready, present, status, served } = f;
  // Billing has not decided about the first replica yet.
  if (covered === 0 && wanted > 0) return plain('WaitingForCredit');
  if (status.phase === 'sleeping' || status.phase === 'waking') return plain('Waking');
  if (updated.length < live.length)
    return {
      reason: 'Rolling',
      args: {
        updated: String(readyIn(updated)),
        wanted: String(covered),
        revision: String(present?.revision ?? 0),
      },
    };
  const runs = updated.some(({ pod }) => pod.status?.containerStatuses?.some(({ state }) => state?.running));
  const own = served.progress?.(
    f.owner,
    updated.map(({ pod }) => pod),
  );
  if (own) return own;
  return runs ? { reason: 'Scaling', args: { ready: String(ready), wanted: String(covered) } } : plain('PullingImage');
}

function creditForSome({ covered, wanted, status }: Facts): Trouble {
  const reserved = status.conditions?.find(({ type }) => type === 'CreditReserved');
  const detail = { message: (reserved?.message ?? '').slice(0, 1000) || '–', args: reserved?.args ?? {} };
  return {
    reason: 'CreditForSome',
    args: { covered: String(covered), wanted: String(wanted), ...quoted('detail', detail) },
  };
}

/** Some serve, though not all that should. */
function lateWords(f: Facts): Trouble {
  // The cause that kept it from starting is gone with its Pods.
  const known = f.status.conditions?.find(({ type, status }) => type === 'Progressing' && status === 'False');
  if (f.isBack && known?.reason === 'UpdateGivenBack' && known.args) return { reason: known.reason, args: known.args };
  const detail = quoted('detail', wordsOf(f, delay(f)));
  const { deadlineMinutes } = f.owner.spec.update ?? UPDATE;
  const isUpdate = f.live.some(({ isReady, revision }) => isReady && revision !== f.present?.revision);
  return isUpdate
    ? {
        reason: f.isBack ? 'UpdateGivenBack' : 'UpdateFailed',
        args: { revision: String(f.present?.revision ?? 0), minutes: String(deadlineMinutes), ...detail },
      }
    : { reason: 'ReplicasFailing', args: { ready: String(f.ready), wanted: String(f.covered), ...detail } };
}
