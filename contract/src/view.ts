// What every list and detail shows of an object, of whichever kind, in one language. Pages add to it; they never decide it again.
import {
  type ActionRow,
  type CommonStatus,
  canDo,
  type KindFacts,
  type KubeObject,
  sentence,
  type Tone,
  type Words,
} from './define-kind.ts';
import { argsInLanguage } from './in-language.ts';
import { mayRole, type OrgRole } from './roles.ts';

export interface View {
  id: string;
  /** The id where nobody chose a name. */
  name: string;
  phase: string;
  phaseLabel: string;
  tone: Tone;
  /** Why it is in its phase; absent while a wish is not yet answered, since the last answer was to another. */
  message?: string;
  /** What may be done now: what the phase and the role allow. */
  actions: { action: string; label: string; danger: ActionRow['danger']; spends: boolean }[];
}

/** Undefined where the kind has no such reason, be its name one that every JavaScript object knows. */
export const reasonWords = ({ reasons }: Pick<KindFacts, 'reasons'>, reason = ''): Words | undefined =>
  Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;

/** Pure. An unknown phase or reason, of a newer operator, shows by its name. */
export function viewOf(facts: KindFacts, object: KubeObject, language: keyof Words, role: OrgRole): View {
  const { spec, status } = object as { spec?: { displayName?: string }; status?: CommonStatus };
  const phase = facts.phaseInView(object);
  const phaseFacts = facts.phases[phase];
  const words = reasonWords(facts, status?.reason);
  const isAnswered = status?.phase === phase;
  return {
    id: object.metadata.name,
    name: spec?.displayName ?? object.metadata.name,
    phase,
    phaseLabel: phaseFacts?.[language] ?? phase,
    tone: phaseFacts?.tone ?? 'neutral',
    ...(isAnswered &&
      words && { message: sentence(words, language, argsInLanguage(status?.reasonArgs ?? {}, language)) }),
    actions: Object.entries(facts.actions)
      .filter(([action, { right }]) => canDo(facts, action, object) && mayRole(role, right))
      .map(([action, { [language]: label, danger, spends }]) => ({ action, label, danger, spends })),
  };
}
