// Sentences that were stored in English, such as a condition's message, for readers of another language. The text alone decides:
// it must be a sentence of the product, gaps filled in, word for word; whatever else it is stays as it was written.
import { CREDIT_SENTENCES } from './billing/credit-sentences.ts';
import { GAP, sentence, type Words } from './define-kind.ts';
import { KEY_RULES } from './fields/ssh-key.ts';
import { DETAILS } from './kinds/details.ts';
import { ANY_EXIT_CODE, EXIT_CODES } from './kinds/exits.ts';
import { KINDS } from './kinds.ts';
import { RECONCILE_REASONS } from './reconcile-sentences.ts';
import { POLICY_WORDS, RULE_WORDS } from './rule-words.ts';

/** Longer texts are none of ours; some of them would take long to find that out, and anybody can send one. */
const MOST_LETTERS = 400;

/** What is filled in may be a sentence of the product itself: why a host that an instance waits for is not ready. */
export function inLanguage(text: string, language: keyof Words, own?: Words): string {
  if (language === 'en' || text.length > MOST_LETTERS) return text;
  for (const template of own ? [templateOf(own), ...all()] : all()) {
    const args = argsOf(text, template);
    if (args) return sentence(template.words, language, argsInLanguage(args, language));
  }
  return text;
}

export const argsInLanguage = <Value extends string | number>(
  args: Readonly<Record<string, Value>>,
  language: keyof Words,
): Record<string, Value | string> =>
  language === 'en'
    ? { ...args }
    : Object.fromEntries(
        // A number or a name has no spaces, and is nobody's sentence.
        Object.entries(args).map(([name, value]) => [
          name,
          typeof value === 'string' && value.includes(' ') ? inLanguage(value, language) : value,
        ]),
      );

interface Template {
  words: Words;
  shortest: RegExp;
  longest: RegExp;
  /** How much of the text is the sentence's own. */
  letters: number;
}

/** Undefined also where the text can be read in two ways: nobody knows then which of its words is which argument. */
function argsOf(text: string, { words, shortest, longest }: Template): Record<string, string> | undefined {
  const args = shortest.exec(text)?.groups ?? (shortest.test(text) ? {} : undefined);
  const others = args && (longest.exec(text)?.groups ?? {});
  if (!args || Object.entries(args).some(([name, value]) => others?.[name] !== value)) return undefined;
  return sentence(words, 'en', args) === text ? { ...args } : undefined;
}

const templates = new Map<Words, Template>();

function templateOf(words: Words): Template {
  const known = templates.get(words);
  if (known) return known;
  const template = {
    words,
    shortest: patternOf(words.en, '[^]*?'),
    longest: patternOf(words.en, '[^]*'),
    letters: words.en.replaceAll(GAP, '').length,
  };
  templates.set(words, template);
  return template;
}

function patternOf(english: string, value: string): RegExp {
  const seen = new Set<string>();
  let pattern = '';
  let end = 0;
  for (const { 0: gap, 1: name = '', 2: one, 3: many, index } of english.matchAll(GAP)) {
    pattern += escaped(english.slice(end, index)) + (seen.has(name) ? `\\k<${name}>` : `(?<${name}>${value})`);
    if (one !== undefined && many !== undefined) pattern += ` (?:${escaped(one)}|${escaped(many)})`;
    seen.add(name);
    end = index + gap.length;
  }
  return new RegExp(`^${pattern}${escaped(english.slice(end))}$`);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

let sorted: readonly Template[] | undefined;

/** Every sentence, those that say the most by themselves first: "It is paid for until {at}." would take in longer ones. */
function all(): readonly Template[] {
  sorted ??= [
    ...Object.values(KINDS).flatMap(({ reasons }) => Object.values<Words>(reasons)),
    ...Object.values<Words>(CREDIT_SENTENCES),
    ...Object.values<Words>(DETAILS),
    ...Object.values<Words>(RECONCILE_REASONS),
    ...Object.values<Words>({ ...EXIT_CODES, ANY_EXIT_CODE }),
    ...Object.values<Words>({ ...KEY_RULES, ...RULE_WORDS, ...POLICY_WORDS }),
  ]
    .map(templateOf)
    .sort((a, b) => b.letters - a.letters);
  return sorted;
}
