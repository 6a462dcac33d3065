// The longest waits for requested objects, and their reasons. Pure over the objects.

import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { localized } from '@gantry/contract/localized.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { phaseSeen, type SeenObject, statesSeen } from './seen-states.ts';

export type Wait = NonNullable<Overview['computing']>['waits'][number];

interface Waiting {
  resource: Wait['resource'];
  facts: KindFacts;
  phases: ReadonlySet<string>;
  /** Sentences filled in with the platform's own numbers and models alone: no tenant has written anything in them. */
  public: ReadonlySet<string>;
}

const WAITING: readonly Waiting[] = [
  {
    resource: 'instances',
    facts: gpuInstance,
    phases: new Set(['preparing', 'creating', 'createSuccess', 'starting', 'resuming', 'restoring', 'createTimeout']),
    public: new Set([
      'Scheduling',
      'WaitingForReady',
      'WaitingForGpus',
      'NodesClosed',
      'TooManyGpus',
      'WaitingForRoom',
      'WaitingForRootRoom',
      'WaitingForPlaces',
      'WaitingForCredit',
      'WaitingForDisk',
      'UsageNotPosted',
      'CreateTimeout',
    ]),
  },
  {
    resource: 'hosts',
    facts: gpuHost,
    phases: new Set(['pending']),
    public: new Set(['WaitingForNodes', 'TooFewNodes', 'WaitingForCredit', 'Claiming']),
  },
];

/** The oldest first, `most` of them; and how many there are. */
export function longestWaits(
  list: (facts: KindFacts) => readonly KubeObject[],
  language: Language,
  most: number,
): { waits: Wait[]; waiting: number } {
  const all = WAITING.flatMap((row) =>
    (list(row.facts) as readonly SeenObject[]).flatMap((object) => {
      const phase = phaseSeen(row.facts, object);
      return row.phases.has(phase) ? [{ row, object, phase, since: sinceOf(row, object) }] : [];
    }),
  ).sort((a, b) => a.since - b.since || (idOf(a.object) < idOf(b.object) ? -1 : 1));
  const waits = all.slice(0, most).map(({ row, object, phase, since }): Wait => {
    const { facts } = row;
    const { metadata, spec = {}, status = {} } = object;
    const { reason, reasonArgs: args, message } = status;
    // A wish that is not answered yet has another phase than the reason belongs to.
    const isAnswered = status.phase === phase && reason !== undefined;
    return {
      resource: row.resource,
      id: idOf(object),
      name: typeof spec.displayName === 'string' ? spec.displayName : metadata.name,
      organization_id: organizationOf(metadata.namespace ?? '') ?? '',
      phase,
      phase_label: facts.phases[phase]?.[language] ?? phase,
      since: new Date(since).toISOString(),
      reason: isAnswered ? reason : null,
      said: isAnswered
        ? localized(facts, { reason, ...(args && { args }), ...(message !== undefined && { message }) }, language)
        : null,
      is_public: isAnswered && row.public.has(reason),
    };
  });
  return { waits, waiting: all.length };
}

/** When it began to wait without a break; when it was made, where it has no history. */
function sinceOf({ phases }: Waiting, object: SeenObject): number {
  let since: number | undefined;
  for (const state of statesSeen(object)) {
    if (!phases.has(state.phase)) break;
    since = state.since ?? since;
  }
  return since ?? instantOf(object.metadata.creationTimestamp) ?? 0;
}

const idOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}.${metadata.name}`;
