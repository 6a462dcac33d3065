// What a kind is: one object of facts. The CRD, the API's door, RBAC, forms, buttons and the operator all read it.
// A fact that only one of them needs does not belong here.
import * as z from 'zod';
import type { SourceType, Use } from './billing/resources.ts';
import { dateTime } from './fields/date-time.ts';
import type { KindApi } from './kind-api.ts';
import type { Right } from './roles.ts';

/** One sentence or label in every language the product speaks. `{name}` is filled from `reasonArgs`. */
export interface Words {
  en: string;
  zh: string;
  ja: string;
}

export type Tone = 'neutral' | 'progress' | 'good' | 'warning' | 'bad';

export interface PhaseFacts extends Words {
  tone: Tone;
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
 * A command a person can give. It is state, never a call: a patch is merged into the object, `delete` deletes it, `create`
 * makes another object that names it, and `open` changes nothing: it leads to where one works with it.
 */
export interface ActionRow<Phase extends string = string> extends Words {
  from: readonly Phase[];
  /** For phases that two resting states share: which `status.settledPower` the row needs. */
  settledPower?: string;
  /** Phases from which the row is open for these of their reasons only. */
  reasons?: { readonly [From in Phase]?: readonly string[] };
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

/** A condition as Kubernetes has it (metav1.Condition). */
export const condition = z.object({
  type: z.string().max(316).describe('The aspect that this is about, in CamelCase.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it is so.'),
  observedGeneration: z.int().optional().describe('The metadata.generation that this condition answers.'),
  lastTransitionTime: dateTime.describe('When status last changed.'),
  reason: z.string().max(1024).describe('Why it is so, as one CamelCase word.'),
  message: z.string().max(32768).describe('Why it is so, as an English sentence.'),
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

/** What every kind's status has. `message` is English; other languages are built from `reason` and `reasonArgs`. */
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
  shortNames: readonly string[];
  scope: 'Namespaced' | 'Cluster';
  /** What an organisation's members may do with it at most: a kind that the platform alone makes is theirs to read. */
  tenants: 'read' | 'write';
  /** What the gateway's generated names start with: `ins-8f3k2m1a`. */
  idPrefix: string;
  /** The collection's path under /api. */
  collection: string;
  words: Words;
  spec: z.ZodObject;
  status: z.ZodObject;
  /** Rules over the whole object; rules over one field sit on the field's schema. */
  rules: readonly CelRule[];
  columns: readonly { name: string; jsonPath: string; type?: 'string' | 'integer' | 'date'; priority?: number }[];
  /** In the order in which they are tested: first match wins. */
  phases: Record<string, PhaseFacts>;
  reasons: Record<string, Words>;
  actions: Record<string, ActionRow>;
  /** The phase to show: what was asked for and not yet reported counts. */
  phaseInView(object: KubeObject): string;
  /** Absent: it costs nothing. */
  cost?: CostFacts;
  /** Absent: the API has no routes of its own for it. */
  api?: KindApi | undefined;
  /** Ids of reads whose answers change with an object of it, besides its own list and detail. */
  touches?: readonly string[];
}

export interface CostFacts {
  source: SourceType;
  /** What it uses, or will, as it is wished for now: credit is reserved for this, and what it will cost is told by it. */
  wishes(object: KubeObject): readonly Use[];
}

type GivenFacts<
  Spec extends z.ZodObject,
  Status extends z.ZodObject,
  Phase extends string,
  Reason extends string,
  Action extends string,
> = Omit<KindFacts, 'spec' | 'status' | 'phases' | 'reasons' | 'actions' | 'api'> & {
  spec: Spec;
  status: Status;
  phases: Record<Phase, PhaseFacts>;
  reasons: Record<Reason, Words>;
  actions: Record<Action, ActionRow<NoInfer<Phase>>>;
};

/** Gives the facts back with their literal types, so that a misspelt phase or reason does not compile. */
export const defineKind = <
  Spec extends z.ZodObject,
  Status extends z.ZodObject,
  Phase extends string,
  Reason extends string,
  Action extends string,
  Api extends KindApi | undefined = undefined,
>(
  facts: GivenFacts<Spec, Status, Phase, Reason, Action> & { api?: Api },
) => facts as GivenFacts<Spec, Status, Phase, Reason, Action> & { api: Api };

/** The object of a kind as the API server gives it: defaults are filled in, so the schema's output type is the truth. */
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
  if (!row?.from.includes(phase)) return false;
  const {
    settledPower,
    phase: told,
    reason = '',
  } = (object as { status?: CommonStatus & { settledPower?: string } }).status ?? {};
  const reasons = row.reasons?.[phase];
  // A reason was given for the phase that was told, which is another while a wish is not answered yet.
  if (reasons && !(told === phase && reasons.includes(reason))) return false;
  return row.settledPower === undefined || row.settledPower === settledPower;
}

/** `{name}` and `{name|one|many}` of a sentence. */
export const GAP = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

/**
 * A reason's sentence in one language. `{name}` is filled from `args`, `{name|one|many}` with the number and its word; an
 * unknown name stays visible rather than vanishing.
 */
export function sentence(words: Words, language: keyof Words, args: Record<string, string> = {}): string {
  return words[language].replace(GAP, (whole, name: string, one?: string, many?: string) => {
    const value = args[name];
    if (value === undefined) return whole;
    return many === undefined ? value : `${value} ${value === '1' ? one : many}`;
  });
}
