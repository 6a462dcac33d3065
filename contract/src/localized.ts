// The message of a status, a condition or a problem, in the reader's language. Total: if the arguments do not complete a sentence
// of ours, as in an older version's messages, the reader gets the stored text.
import { alertWords } from './alerts/words.ts';
import { CREDIT_SENTENCES } from './billing/credit-sentences.ts';
import { PLANS } from './billing/plans.ts';
import { DATA_REFUSALS } from './data-server-refusals.ts';
import { GAP, type KindFacts, sentence, type Words } from './define-kind.ts';
import type { Language } from './fields/language.ts';
import { KEY_RULES } from './fields/ssh-key.ts';
import { gpuName } from './gpu-name.ts';
import { DETAILS } from './kinds/details.ts';
import { AFTER_LINES, ANY_EXIT_CODE, EXIT_CODES } from './kinds/exits.ts';
import { SETUP_WORDS } from './kinds/model-deployment-words.ts';
import { KINDS } from './kinds.ts';
import { TUNE_ADVICE, TUNE_MEMORY } from './models/tune-words.ts';
import { RECONCILE_REASONS } from './reconcile-sentences.ts';
import { ROLE_NAMES } from './role-names.ts';
import { POLICY_WORDS, RULE_WORDS } from './rule-words.ts';
import type { Stored } from './said.ts';

/** The refusals of every kind's rules and policies. */
export const REFUSALS: readonly Words[] = [
  ...Object.values<KindFacts>(KINDS).flatMap(({ ruleWords }) => Object.values(ruleWords)),
  ...Object.values<Words>(RULE_WORDS),
  ...Object.values<Words>(POLICY_WORDS),
];

/** The sentences that an argument may name, by key. */
const SENTENCES: ReadonlyMap<unknown, Words> = new Map(
  [
    ...Object.values<KindFacts>(KINDS).flatMap(({ reasons }) => Object.values(reasons)),
    ...[
      CREDIT_SENTENCES,
      PLANS,
      ROLE_NAMES,
      DETAILS,
      EXIT_CODES,
      RECONCILE_REASONS,
      KEY_RULES,
      SETUP_WORDS,
      TUNE_MEMORY,
      TUNE_ADVICE,
      DATA_REFUSALS,
    ].flatMap((table) => Object.values<Words>(table)),
    ...[alertWords.channels, alertWords.failures].flatMap((table) => Object.values<Words>(table)),
    ANY_EXIT_CODE,
    AFTER_LINES,
    ...REFUSALS,
  ].map((words) => [words.key, words]),
);

/** The sentence that the arguments name, or else the reason's. */
export function localized(
  { reasons }: Pick<KindFacts, 'reasons'>,
  { reason = '', args: stored, message = '' }: Stored,
  language: Language,
): string {
  const args = stored ?? {};
  const ofReason = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return whole(Object.hasOwn(args, 'sentence') ? SENTENCES.get(args.sentence) : ofReason, args, language) ?? message;
}

/** The arguments of a sentence in this language; those that are sentences are translated into it. */
export function argsIn(language: Language, args: Readonly<Record<string, unknown>>): Record<string, string> {
  const inner = new Map<string, [string, unknown][]>();
  for (const [path, value] of Object.entries(args)) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length > 0) inner.set(name, [...(inner.get(name) ?? []), [rest.join('.'), value]]);
  }
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      if (name.includes('.') || (typeof value !== 'string' && typeof value !== 'number')) return [];
      const own = Object.fromEntries(inner.get(name) ?? []);
      return [[name, whole(SENTENCES.get(own.sentence), own, language) ?? `${value}`]];
    }),
  );
}

/** Undefined if a gap would stay open. */
function whole(
  words: Words | undefined,
  args: Readonly<Record<string, unknown>>,
  language: Language,
): string | undefined {
  if (!words) return undefined;
  const filled = namesOfGpus(argsIn(language, args));
  const isWhole = [...words[language].matchAll(GAP)].every(([, name = '']) => Object.hasOwn(filled, name));
  return isWhole ? sentence(words, language, filled) : undefined;
}

/** Models are read by their names, except where the reader chooses among the cluster's own. */
const namesOfGpus = (args: Record<string, string>): Record<string, string> =>
  args.model === undefined || args.models !== undefined ? args : { ...args, model: gpuName(args.model) };
