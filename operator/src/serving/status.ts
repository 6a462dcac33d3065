// The status of a service: what its books say, its phase and its conditions, and where it answers.
import { CAN_START } from '@gantry/contract/billing/credit.ts';
import { type Condition, sentence } from '@gantry/contract/define-kind.ts';
import type { ContainerService, ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import type { Books } from './bookkeeping.ts';
import { addressOf, answeredBy, urlOf } from './desired.ts';
import { explain, givenUp } from './explain.ts';
import type { Facts } from './facts.ts';
import { phaseOf } from './phase.ts';
import { answering } from './replicas.ts';
import type { Trouble } from './trouble.ts';

const messageOf = ({ served }: Facts, { reason, args }: Trouble): string => sentence(served.words(reason), 'en', args);

/** The service as it will be once its books are written. */
export function recorded(owner: ContainerService, books: Books): ContainerService {
  const { readyAt: _ready, asleepSince: _asleep, ...status } = owner.status ?? {};
  return { ...owner, status: { ...status, ...fieldsOf(books) } };
}

function fieldsOf({ revisions, pods, intervals, readyAt, asleepSince }: Books) {
  return {
    ...(revisions[0] && { revision: revisions[0].revision, revisions: [...revisions] }),
    pods: [...pods],
    ...(intervals.length > 0 && { intervals: [...intervals] }),
    ...(readyAt !== undefined && { readyAt }),
    ...(asleepSince !== undefined && { asleepSince }),
  };
}

export function statusOf(f: Facts, books: Books): ContainerServiceStatus {
  const phase = phaseOf(f);
  const why = explain(f, phase);
  const url = urlOf(f.owner, f.settings);
  const { reason, args } = why;
  return {
    phase,
    reason,
    ...(Object.keys(args).length > 0 && { reasonArgs: args }),
    message: messageOf(f, why),
    ...(f.owner.metadata.generation !== undefined && { observedGeneration: f.owner.metadata.generation }),
    conditions: conditionsOf(f, why),
    ...(url !== undefined && { url }),
    address: addressOf(f.owner),
    ...fieldsOf(books),
    replicas: {
      wanted: f.deleting ? 0 : f.wanted,
      ready: f.ready,
      updated: answering(f.updated).length,
      total: answering(f.live).length,
    },
    selector: Object.entries(answeredBy(f.owner, f.nodes))
      .map(([label, value]) => `${label}=${value}`)
      .join(','),
  };
}

/** `Complete` is also the clock of the deadline: since when not all that are wanted are ready. */
function conditionsOf(f: Facts, why: Trouble): Condition[] {
  const said = (type: string, is: boolean, row: Trouble): Condition =>
    nextCondition(
      f.status.conditions,
      { type, status: is ? 'True' : 'False', reason: row.reason, message: messageOf(f, row), args: row.args },
      f.now,
    );
  const hopeless = f.hopeless ?? givenUp(f);
  const some: Trouble = { reason: 'Scaling', args: { ready: String(f.ready), wanted: String(f.covered) } };
  return [
    said('Available', f.ready > 0, f.ready > 0 ? some : why),
    said('Complete', f.isComplete || f.covered === 0, why),
    said('Progressing', !f.isLate, why),
    ...(hopeless ? [said(CAN_START, false, hopeless)] : []),
  ];
}
