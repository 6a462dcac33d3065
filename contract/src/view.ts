// An object of any kind in lists and details, in one language. Pages add to it; they never decide it again.
import { type ActionRow, type CommonStatus, canDo, type KindFacts, type KubeObject, type Tone } from './define-kind.ts';
import type { Language } from './fields/language.ts';
import { localized } from './localized.ts';
import { mayRole, type ShownRole } from './roles.ts';

export interface View {
  id: string;
  /** The id where nobody chose a name. */
  name: string;
  phase: string;
  phaseLabel: string;
  tone: Tone;
  /** Why it is in its phase; undefined while a request is not answered yet, because the last answer was to another one. */
  message?: string;
  /** The actions allowed now, by the phase and the role. */
  actions: { action: string; label: string; danger: ActionRow['danger']; spends: boolean }[];
}

/**
 * A state in words, as lists, details and histories show it. An unknown phase, of a newer operator, shows by its name; of an
 * unknown reason the stored message, if there is one.
 */
export function stateInWords(
  { phases, ...facts }: Pick<KindFacts, 'phases' | 'reasons'>,
  {
    phase,
    settledPower = '',
    reasonArgs: args,
    ...state
  }: Pick<CommonStatus, 'reason' | 'reasonArgs' | 'message'> & { phase: string; settledPower?: string },
  language: Language,
): { label: string; tone: Tone; message: string | undefined } {
  const known = phases[phase];
  // A state of the history has no power, but its reason says the same.
  const rest = known?.rests?.[settledPower] ?? known?.rests?.[state.reason ?? ''];
  return {
    label: (rest ?? known)?.[language] ?? phase,
    tone: known?.tone ?? 'neutral',
    message: localized(facts, { ...state, args }, language) || undefined,
  };
}

/** Pure. */
export function viewOf(facts: KindFacts, object: KubeObject, language: Language, role: ShownRole): View {
  const { spec, status } = object as {
    spec?: { displayName?: string };
    status?: CommonStatus & { settledPower?: string };
  };
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
