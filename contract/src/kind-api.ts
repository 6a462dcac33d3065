// A kind's HTTP facts: the names of its operations, its view, and the bodies that create and change it. Routes, OpenAPI, the
// typed client, live lists and command buttons follow from these facts.

import * as z from 'zod';
import type { KindFacts, KubeObject } from './define-kind.ts';
import type { Feature } from './features.ts';
import { currencyCode, money } from './fields/amounts.ts';
import type { Language } from './fields/language.ts';
import type { RunRecord } from './fields/runs.ts';
import type { ProblemCode } from './http/problem.ts';
import type { Stored } from './said.ts';

export const time = z.string().meta({ format: 'date-time' });
export const bytes = z.number().min(0);
export const tone = z.enum(['neutral', 'progress', 'good', 'warning', 'bad']);

export const priceView = z.object({
  per: z.enum(['hour', 'month']).meta({ description: 'A month of use has 730 hours; one of rent is a month.' }),
  amount: money.meta({ description: 'What is to pay.' }),
  list: money.meta({ description: 'Before the discount.' }),
  discount_percent: z.number().min(0).max(100),
  currency: currencyCode,
});
export type PriceView = z.input<typeof priceView>;
export const price = priceView
  .nullable()
  .meta({ description: 'The price of what is requested now; null if it costs nothing.' });

/** The fields of every kind's view. */
export const commonView = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'The name that people see; the ID if none was chosen.' }),
  phase: z.string().meta({ description: 'The phase, counting commands that are accepted but not yet reported.' }),
  phase_label: z.string(),
  tone,
  reason: z.string().nullable(),
  message: z.string().nullable().meta({ description: 'Why it is in its phase.' }),
  actions: z
    .array(
      z.object({
        action: z.string(),
        label: z.string(),
        danger: z.enum(['none', 'interrupts', 'destroys']),
        spends: z.boolean(),
        price: priceView
          .optional()
          .meta({ description: 'What the object costs after the command, if its price changes.' }),
      }),
    )
    .meta({ description: 'What the caller may do with it now.' }),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.enum(['True', 'False', 'Unknown']),
      reason: z.string(),
      message: z.string(),
      since: time,
    }),
  ),
  creator: z.string().nullable().meta({ description: 'The account that made it.' }),
  create_time: time,
  generation: z.int().meta({ description: 'Another number whenever what is wished for it changes.' }),
  region: z.string(),
  data_center: z.string(),
});
export type CommonView = z.input<typeof commonView>;

/** A state that an object is in, or was. */
export const stateView = z.object({
  phase: z.string(),
  phase_label: z.string(),
  tone,
  reason: z.string().nullable(),
  message: z.string().nullable().meta({ description: 'Why it began.' }),
  since: time,
});
export type StateView = z.input<typeof stateView>;

/** A view's data besides the object itself. `Related` is what the gateway's hook of the kind finds on other objects. */
export interface Beside<Related extends object = object> {
  language: Language;
  /** For the current spec; null if it costs nothing. */
  price: PriceView | null;
  related: Related;
  /** Another kind's message about its object, in the language. */
  localize(facts: Pick<KindFacts, 'reasons'>, stored: Stored): string;
}

/** A run of an object: its program, from its start to its end. */
export const runView = z.object({
  number: z.int(),
  worker: z.int().optional().meta({ description: 'Of a run of several workers: which of them this is.' }),
  cause: z.string().meta({ description: 'Why it was begun.' }),
  start_time: time.nullable(),
  end_time: time.nullable().meta({ description: 'Null: it has not ended.' }),
  exit: z.string().nullable(),
  exit_label: z.string().nullable().meta({ description: 'How it ended.' }),
  exit_code: z.int().nullable(),
  log: z
    .object({
      bytes,
      is_cut: z.boolean().meta({ description: 'It was longer, and only its end is kept.' }),
    })
    .nullable()
    .meta({ description: 'What is kept of its log since it ended.' }),
});
export type RunView = z.input<typeof runView>;

/** The known facts of a run; the present one has no end. */
export type KnownRun = Omit<RunRecord, 'endedAt' | 'exit'> &
  Partial<Pick<RunRecord, 'endedAt' | 'exit'>> & {
    /** The program's number in a run of several, such as a job's workers. Absent: there is one. */
    part?: number;
  };

/** For kinds whose objects run programs: then there are routes to list their runs and to read their logs. Pure. */
export interface KindRuns {
  /** Its runs may consist of several programs: each has a log of its own. */
  hasParts?: true;
  /** Newest first, the present one included. */
  of(object: KubeObject): readonly KnownRun[];
  /** The Pod and the container of a run, or of a part of it. Undefined: it has none. */
  podOf(object: KubeObject, seq: number, part?: number): { pod: string; container: string } | undefined;
}

/** For kinds whose program runs in Pods that come and go, none of which is a run: then there is a route to the log of each. Pure. */
export interface KindReplicas {
  /** Those that there are now. */
  podsOf(object: KubeObject): readonly { pod: string; container: string }[];
}

/** The measured series. A disk's series names the disk; there is one of each other. */
export const SERIES = ['cpu', 'memory', 'root', 'home', 'disk', 'gpu'] as const;
export type SeriesName = (typeof SERIES)[number];

/** The usage of a part: the last hour at a fixed step. */
export const objectUsageView = z.object({
  parts: z.array(z.string()).meta({ description: 'Its Pods or nodes, each measured separately.' }),
  part: z.string().nullable().meta({ description: 'The one that these are of; null if there is none.' }),
  step_seconds: z.int(),
  end_time: time.meta({ description: 'The time of the newest point.' }),
  series: z.array(
    z.object({
      name: z.enum(SERIES),
      disk: z.string().nullable().meta({ description: 'The id of the data disk; null for any other series.' }),
      unit: z.enum(['cores', 'bytes', 'percent']),
      limit: z.number().nullable().meta({ description: 'The most that it can be; null if that is not known.' }),
      now: z.number().nullable().meta({ description: 'Null: there is no data.' }),
      points: z
        .array(z.number().nullable())
        .meta({ description: 'One a step, oldest first; null where there is no data. Empty: none in the last hour.' }),
    }),
  ),
});
export type ObjectUsageView = z.input<typeof objectUsageView>;

/** A part of an object that is measured by itself: a Pod in its namespace, or a whole node. */
export interface MeasuredPart {
  name: string;
  /** The name of one or the other. */
  of: { pod: string } | { node: string };
  /** By their claims: disks by their ids; and the home, with what its file system keeps for itself. */
  volumes: readonly { claim: string; disk: string | null; ownBytes?: number | undefined }[];
  hasGpu: boolean;
}

/** For kinds whose objects use CPU, memory and disks: then there is a route to their usage. Pure. */
export interface KindUsage {
  /** A part keeps its name, and so its hour, when another Pod takes the place of its last one. */
  partsOf(object: KubeObject): readonly MeasuredPart[];
}

export interface KindWrites {
  /** Bodies, strict: see `http/kind-bodies.ts`. */
  create: z.ZodType;
  /** Set if the specification names another path than the collection's. */
  createPath?: string;
  change: z.ZodType;
  /** While it is closed, nothing of the kind is created. */
  feature?: Feature;
  /** Additional fields of a command's body. */
  options?: z.ZodRawShape;
  /** Fields of a deletion's query. */
  removal?: z.ZodRawShape;
  /** Beside those that every write may be refused with. */
  problems: readonly ProblemCode[];
}

export interface KindApi {
  /** One and many, as operations are called: `getDisk`, `listDisks`. */
  names: readonly [one: string, many: string];
  /** `commonView` and the kind's own fields. */
  view: z.ZodObject;
  /** Pure: what the view has beyond `common`. Absent: `status`, which is the phase, and `spec`. */
  show?(object: KubeObject, common: CommonView, beside: Beside): object;
  /** The specification's words for a phase of an object, by which a list can be filtered besides the phase itself. */
  statusesOf?(phase: string, object: KubeObject): readonly string[];
  /** Query fields of the list. Each must equal the view's field of that name, or be in the list that has the name's plural. */
  filters: z.ZodRawShape;
  /** 10 where absent. */
  pageSize?: number;
  /** Absent: members only read it. */
  writes?: KindWrites;
  /** Absent: its objects run no programs. */
  runs?: KindRuns;
  /** Absent: it has no replicas. */
  replicas?: KindReplicas;
  /** Absent: its objects use nothing that is measured. */
  usage?: KindUsage;
}

/** The view of a kind that shows its spec and no more. */
export const plainView = <Spec extends z.ZodObject>(spec: Spec) => commonView.extend({ status: z.string(), spec });
