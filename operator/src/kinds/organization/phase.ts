// The phase of an Organization, and its reason in words.
import type { OrganizationPhase, OrganizationReason } from '@gantry/contract/kinds/organization.ts';

/** A reason, and the arguments of its sentence. */
export interface Explanation {
  reason: OrganizationReason;
  args: Record<string, string>;
}

/** The inputs of the phase. */
export interface OrganizationFacts {
  deleting: boolean;
  refused: OrganizationReason | undefined;
  /** A part has to be made. */
  isMissing: boolean;
  /** A part is there and not as wanted. */
  isDrifted: boolean;
  /** The wish itself is new, and not carried out yet: what drifts from an old one is put back in silence. */
  isBehind: boolean;
}

/** First match wins. */
const PHASES: readonly [
  OrganizationPhase,
  is: (facts: OrganizationFacts) => boolean,
  OrganizationReason | 'refused',
][] = [
  ['deleting', ({ deleting }) => deleting, 'RemovingContents'],
  ['failed', ({ refused, isMissing, isDrifted }) => refused !== undefined && (isMissing || isDrifted), 'refused'],
  ['preparing', ({ isMissing, isBehind }) => isMissing || isBehind, 'Preparing'],
  ['ready', () => true, 'Ready'],
];

export function phaseOf(facts: OrganizationFacts): { phase: OrganizationPhase; reason: OrganizationReason } {
  const [phase, , reason] = PHASES.find(([, is]) => is(facts)) as (typeof PHASES)[number];
  return { phase, reason: reason === 'refused' ? (facts.refused ?? 'Refused') : reason };
}
