// The definition of a kind: one object of facts. The CRD, the gateway, RBAC, forms, buttons and the operator all read it. A fact
// that only one of them needs does not belong here.
import Polyglot from 'node-polyglot';
import * as z from 'zod';
import type { SourceType, Use } from './billing/resources.ts';
import { dateTime } from './fields/date-time.ts';
import type { Language } from './fields/language.ts';
import { withMoney } from './fields/shown-money.ts';
import type { KindApi } from './kind-api.ts';
import type { AdminMenu, Right } from './roles.ts';
import { worded } from './words/join.ts';

/** One sentence or label in every language the product speaks, as `words/` has them. */
export interface Words {
  en: string;
  zh: string;
  ja: string;
  /** How other sentences name it; absent where none does. */
  key?: string;
}

export type Tone = 'neutral' | 'progress' | 'good' | 'warning' | 'bad';

export interface PhaseFacts extends Words {
  tone: Tone;
  /** Other labels of the phase, by `status.settledPower` or by the reason: resting states that share a phase. */
  rests?: Readonly<Record<string, Words>>;
}

/** A CEL rule carried in the CRD: `x-kubernetes-validations`. `words` name the field and the rule in one sentence. */
export interface CelRule {
  rule: string;
  words: Words;
  fieldPath?: string;
}

/** Attaches CEL rules to a schema: `[expression over self, sentence that names the field and the rule]`. */
export const cel = (...rules: [rule: string, words: Words][]) => ({
  'x-kubernetes-validations': rules.map(([rule, { en: message }]) => ({ rule, message })),
});

/**
 * A command that a person can give. It is state, never a call: a patch is merged into the object, `delete` deletes it, `create`
 * makes another object that names it, and `open` changes nothing: it leads to a page.
 */
export interface ActionRow<Phase extends string = string> extends Words {
  from: readonly Phase[];
  /** For phases that two resting states share: which `status.settledPower` the row needs. */
  settledPower?: string;
  /** Phases from which the row is open for these of their reasons only. */
  reasons?: { readonly [From in Phase]?: readonly string[] };
  /** Whether the object has what the action is about. Absent: every object has. */
  applies?(object: KubeObject): boolean;
  does: 'delete' | 'create' | 'open' | ((object: KubeObject) => { spec: Record<string, unknown> });
  right: Right;
  danger: 'none' | 'interrupts' | 'destroys';
  spends: boolean;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object, as JSON. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

export const GROUP = 'gantry.dev';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;

export const MOST_STATES = 20;
export const MOST_ARG_LETTERS = 256;
export const MOST_CONDITION_ARGS = 64;
export const MOST_CONDITION_ARG_LETTERS = 4096;

/** A condition as Kubernetes has it (metav1.Condition), and what its sentence takes in other languages. */
export const condition = z.object({
  type: z.string().max(316).describe('The aspect that this is about, in CamelCase.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it is so.'),
  observedGeneration: z.int().optional().describe('The metadata.generation that this condition answers.'),
  lastTransitionTime: dateTime.describe('When status last changed.'),
  reason: z.string().max(1024).describe('Why it is so, as one CamelCase word.'),
  message: z.string().max(32768).describe('Why it is so, as an English sentence.'),
  args: z
    .record(z.string(), z.string().max(MOST_CONDITION_ARG_LETTERS))
    .meta({ maxProperties: MOST_CONDITION_ARGS })
    .optional()
    .describe(
      'The values that the sentence is filled in with, by name; of one that is a sentence itself, which one and its values.',
    ),
});
export type Condition = z.infer<typeof condition>;

/** A phase with its reason, and since when. */
const state = z.object({
  phase: z.string().max(64).describe('The phase that began.'),
  reason: z.string().max(128).optional().describe('Why it began, as one CamelCase word.'),
  reasonArgs: z
    .record(z.string(), z.string().max(MOST_ARG_LETTERS))
    .optional()
    .describe('The values that the sentence of the reason is filled in with, by name. Long ones are cut.'),
  since: dateTime.describe('When it began.'),
});
export type State = z.infer<typeof state>;

/** Common to every kind's status. `message` is English; other languages are built from `reason` and `reasonArgs` (`localized.ts`). */
export const commonStatus = {
  phase: z.string().max(64).optional().describe('The phase that the object is in, in one word.'),
  reason: z.string().max(128).optional().describe('Why it is in this phase, as one CamelCase word.'),
  reasonArgs: z
    .record(z.string(), z.string())
    .optional()
    .describe('The values that the sentence of the reason is filled in with, by name.'),
  message: z.string().max(4096).optional().describe('Why it is in this phase, as an English sentence.'),
  observedGeneration: z
    .int()
    .optional()
    .describe(
      'The metadata.generation that this status answers. While it is the lower one, the latest change of spec has not been handled yet.',
    ),
  conditions: z
    .array(condition)
    .max(32)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .optional()
    .describe('What is known of single aspects, such as CreditReserved.'),
  history: z
    .array(state)
    .max(MOST_STATES)
    .meta({ 'x-kubernetes-list-type': 'atomic' })
    .optional()
    .describe('The states that the object has been in, newest first. Older ones are dropped.'),
};
export type CommonStatus = z.infer<z.ZodObject<typeof commonStatus>>;

export interface KindFacts {
  kind: string;
  plural: string;
  /** For a kind whose lower-case name is taken by a kind of Kubernetes. */
  singular?: string;
  shortNames: readonly string[];
  scope: 'Namespaced' | 'Cluster';
  /** The most that an organisation's members may do with it: a kind that only the platform creates is read-only for them. */
  tenants: 'read' | 'write';
  /** The prefix of the gateway's generated names: `ins-8f3k2m1a`. */
  idPrefix: string;
  /** The collection's path under /api. */
  collection: string;
  /** The menu of the tenants' console that has its pages: a node for everybody who may view. Absent: it has none of its own. */
  menu?: string | undefined;
  /** Its list in the operators' console. Absent: staff have none. */
  staff?: StaffFacts | undefined;
  /** The name of one object, and of several. */
  words: Words;
  many: Words;
  spec: z.ZodObject;
  status: z.ZodObject;
  /** Rules over the whole object; rules over one field sit on the field's schema. */
  rules: readonly CelRule[];
  columns: readonly { name: string; jsonPath: string; type?: 'string' | 'integer' | 'date'; priority?: number }[];
  /** In the order in which they are tested: first match wins. */
  phases: Record<string, PhaseFacts>;
  reasons: Record<string, Words>;
  actions: Record<string, ActionRow>;
  /** The refusals of its own rules. */
  ruleWords: Record<string, Words>;
  /** The phase to show: a request that is not reported yet counts. */
  phaseInView(object: KubeObject): string;
  /** Absent: it costs nothing. */
  cost?: CostFacts;
  /** Undefined: the API has no routes for it. */
  api?: KindApi | undefined;
  /** Ids of reads whose answers change with its objects, besides its own list and detail. */
  touches?: readonly string[];
}

/** A kind's list in the operators' console, with a page and commands. */
export interface StaffFacts {
  /** Its name in addresses: `hosts`. */
  readonly resource: string;
  readonly menu: AdminMenu;
  /** Columns of the list besides those of every kind. */
  readonly columns?: readonly string[];
}

export interface CostFacts {
  source: SourceType;
  /** Its present or future use according to its current spec: credit is reserved for this, and the estimate is based on it. */
  desired(object: KubeObject): readonly Use[];
  /** In CEL, what begins to cost, or costs more: where an organisation has no credit, this is refused, whoever asks. */
  begins: { make: string; change: readonly string[] };
  /**
   * How many like parts `desired` is for: credit may cover fewer of them (`status.credit.replicas`), and they come and go without a
   * change of the spec. Absent: it is one whole.
   */
  replicas?(object: KubeObject): number;
  /**
   * The least and the most that it uses at any one time, and for how many minutes in all if there is a limit: for estimates. Absent:
   * `desired`, without end.
   */
  range?(object: KubeObject): { least: readonly Use[]; most: readonly Use[]; minutes?: number | undefined };
  /** It uses nothing, and a changed spec has to be decided on before it does again: it needs no answer. */
  rests?(object: KubeObject): boolean;
  /**
   * Its place among those that have not started and may wait, the least first: what is reserved for it goes to what runs, if that
   * is short. Undefined: it does not wait.
   */
  waitsAs?(object: KubeObject): number | undefined;
}

type Rows = 'phases' | 'actions' | 'api' | 'menu' | 'staff' | 'spec' | 'status';

/** Facts as a kind's file has them: its words are `kindWords`, and rows say the rest. */
type DeclaredFacts<
  Spec extends z.ZodObject,
  Status extends z.ZodObject,
  Phase extends string,
  Action extends string,
> = Omit<KindFacts, Rows | 'words' | 'many' | 'reasons' | 'ruleWords'> & {
  spec: Spec;
  status: Status;
  /** In the order in which they are tested: first match wins. */
  phases: Record<Phase, Omit<PhaseFacts, keyof Words>>;
  actions: Record<Action, Omit<ActionRow<NoInfer<Phase>>, keyof Words>>;
};

interface KindWords<Phase extends string, Reason extends string, Action extends string> {
  name: Words;
  many: Words;
  phases: Readonly<Record<Phase, Words>>;
  reasons: Readonly<Record<Reason, Words>>;
  actions: Readonly<Record<Action, Words>>;
  rules: Readonly<Record<string, Words>>;
}

/** Joins rows and words. Literal types stay, so that a misspelt phase or reason does not compile, nor one without its words. */
export const defineKind = <
  Spec extends z.ZodObject,
  Status extends z.ZodObject,
  Phase extends string,
  Reason extends string,
  Action extends string,
  Api extends KindApi | undefined = undefined,
  const Menu extends string | undefined = undefined,
  const Staff extends StaffFacts | undefined = undefined,
>({
  words,
  phases,
  actions,
  ...facts
}: DeclaredFacts<Spec, Status, Phase, Action> & {
  words: KindWords<NoInfer<Phase>, Reason, NoInfer<Action>>;
  api?: Api;
  menu?: Menu;
  staff?: Staff;
}) =>
  ({
    ...facts,
    words: words.name,
    many: words.many,
    phases: worded(words.phases, phases),
    reasons: words.reasons,
    actions: worded(words.actions, actions),
    ruleWords: words.rules,
  }) as Omit<KindFacts, Rows | 'reasons'> & {
    spec: Spec;
    status: Status;
    phases: Record<Phase, PhaseFacts>;
    reasons: Record<Reason, Words>;
    actions: Record<Action, ActionRow<Phase>>;
    api: Api;
    menu: Menu;
    staff: Staff;
  };

/** An object of a kind as the API server returns it: defaults are filled in, so the schema's output type applies. */
export interface ObjectOf<K extends { spec: z.ZodObject; status: z.ZodObject }> extends KubeObject {
  spec: z.output<K['spec']>;
  status?: z.output<K['status']>;
}
export type PhaseOf<K extends { phases: object }> = keyof K['phases'] & string;
export type ReasonOf<K extends { reasons: object }> = keyof K['reasons'] & string;
export type ActionOf<K extends { actions: object }> = keyof K['actions'] & string;

/** May this action start now? The button, the API's guard and the tests ask here and nowhere else. */
export function canDo(facts: Pick<KindFacts, 'actions' | 'phaseInView'>, action: string, object: KubeObject): boolean {
  const row = facts.actions[action];
  const phase = facts.phaseInView(object);
  if (!row?.from.includes(phase) || row.applies?.(object) === false) return false;
  const {
    settledPower,
    phase: reportedPhase,
    reason = '',
  } = (object as { status?: CommonStatus & { settledPower?: string } }).status ?? {};
  const reasons = row.reasons?.[phase];
  // A reason belongs to the reported phase, which differs while a request is not answered yet.
  if (reasons && !(reportedPhase === phase && reasons.includes(reason))) return false;
  return row.settledPower === undefined || row.settledPower === settledPower;
}

/** `%{name}` of a sentence. */
export const GAP = /%\{(\w+)\}/g;

/**
 * A sentence in one language, its gaps filled in; one that `args` lacks stays visible rather than vanishing. Of two forms,
 * `one |||| many`, the number decides that stands before the words in which they differ. An amount with `%{currency}` after it is
 * written as screens write it.
 */
export function sentence(words: Words, language: Language, args: Readonly<Record<string, string>> = {}): string {
  const text = withMoney(words[language], args);
  if (!text.includes(FORMS)) return Polyglot.transformPhrase(text, args);
  return Polyglot.transformPhrase(text, { ...args, smart_count: Number(args[countIn(text)]) }, language);
}

const FORMS = '||||';

function countIn(text: string): string {
  const [one = '', many = ''] = text.split(FORMS).map((form) => form.trim());
  let same = 0;
  while (same < one.length && one[same] === many[same]) same++;
  return [...one.slice(0, same).matchAll(GAP)].at(-1)?.[1] ?? '';
}
