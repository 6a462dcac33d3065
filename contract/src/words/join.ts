// Joins catalogues, each in one language, into facts, which have each sentence in all of them.
import type { Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';

/** The shape of another language's catalogue: the keys of the English one. */
export type Shape<W> = { readonly [K in keyof W]: string };

/** The same of a catalogue with groups in it. */
export type DeepShape<W> = { readonly [K in keyof W]: W[K] extends string ? string : DeepShape<W[K]> };

type InEach<W> = Readonly<Record<Language, W>>;

/** `subject` is the first part of each sentence's key: `GpuHost.Expired`. */
export const joined = <Key extends string>(
  subject: string,
  { en, zh, ja }: InEach<Readonly<Record<Key, string>>>,
): Readonly<Record<Key, Words>> =>
  Object.fromEntries(
    (Object.keys(en) as Key[]).map((name) => [
      name,
      { key: `${subject}.${name}`, en: en[name], zh: zh[name], ja: ja[name] },
    ]),
  ) as Record<Key, Words>;

/** Rows, each with its words, in the order of the rows. */
export const worded = <Key extends string, Row extends object>(
  words: Readonly<Record<Key, Words>>,
  rows: Readonly<Record<Key, Row>>,
): Readonly<Record<Key, Row & Words>> =>
  Object.fromEntries((Object.keys(rows) as Key[]).map((name) => [name, { ...rows[name], ...words[name] }])) as Record<
    Key,
    Row & Words
  >;

/** A kind's words in one language: a file of `words/<language>/`. */
interface KindPhrases<Phase extends string, Reason extends string, Action extends string, Rule extends string> {
  /** The name of one object, and of several. */
  readonly name: string;
  readonly many: string;
  readonly phases: Readonly<Record<Phase, string>>;
  readonly reasons: Readonly<Record<Reason, string>>;
  readonly actions: Readonly<Record<Action, string>>;
  /** The refusals of its own rules. */
  readonly rules: Readonly<Record<Rule, string>>;
}

/** Everything that a kind says. A reason's sentence has the key `<kind>.<reason>`. */
export const kindWords = <Phase extends string, Reason extends string, Action extends string, Rule extends string>(
  kind: string,
  { en, zh, ja }: InEach<KindPhrases<Phase, Reason, Action, Rule>>,
) => ({
  name: { en: en.name, zh: zh.name, ja: ja.name },
  many: { en: en.many, zh: zh.many, ja: ja.many },
  phases: joined(`${kind}.phases`, { en: en.phases, zh: zh.phases, ja: ja.phases }),
  reasons: joined(kind, { en: en.reasons, zh: zh.reasons, ja: ja.reasons }),
  actions: joined(`${kind}.actions`, { en: en.actions, zh: zh.actions, ja: ja.actions }),
  rules: joined(`${kind}.rules`, { en: en.rules, zh: zh.rules, ja: ja.rules }),
});
