// What every list and detail shows of an object, of whichever kind, in one language. Pages add to it; they never decide it again.
import {
  type ActionRow,
  type CommonStatus,
  canDo,
  type KindFacts,
  type KubeObject,
  type State,
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

/** A state in words, as lists, details and histories show it. An unknown phase or reason, of a newer operator, shows by its name. */
export function stateInWords(
  { phases, ...facts }: Pick<KindFacts, 'phases' | 'reasons'>,
  { phase, reason, reasonArgs = {} }: { phase: string; reason?: string | undefined; reasonArgs?: State['reasonArgs'] },
  language: keyof Words,
): { label: string; tone: Tone; message: string | undefined } {
  const known = phases[phase];
  const words = reasonWords(facts, reason);
  return {
    label: known?.[language] ?? phase,
    tone: known?.tone ?? 'neutral',
    message: words && sentence(words, language, argsInLanguage(reasonArgs, language)),
  };
}

/** Pure. */
export function viewOf(facts: KindFacts, object: KubeObject, language: keyof Words, role: OrgRole): View {
  const { spec, status } = object as { spec?: { displayName?: string }; status?: CommonStatus };
  const phase = facts.phaseInView(object);
  const isAnswered = status?.phase === phase;
  const { label, tone, message } = stateInWords(facts, { ...(isAnswered && status), phase }, language);
  return {
    id: object.metadata.name,
    name: spec?.displayName ?? object.metadata.name,
    phase,
    phaseLabel: label,
    tone,
    ...(message !== undefined && { message }),
    actions: Object.entries(facts.actions)
      .filter(([action, { right }]) => canDo(facts, action, object) && mayRole(role, right))
      .map(([action, { [language]: label, danger, spends }]) => ({ action, label, danger, spends })),
  };
}
