// What this room needs of others.
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import type { NotNow as Why } from '../../core/tasks/run-kind.ts';
import type { Caller } from '../../platform/http/caller.ts';

export type NotNow = Why<'InputsGone' | 'InputsArriving' | 'InputsUnreadable' | 'OutputTaken'>;

export interface InputVersion {
  dataset: string;
  name: string;
  version: number;
  managersOnly: boolean;
  kind: 'table' | 'documents';
  parts: readonly { sha256: string; bytes: number }[];
}

/** How a version comes about that a run has made. */
export interface MadeBy {
  source: 'process';
  include: readonly string[];
  task: string;
  taskUid: string;
  run: number;
  from: { dataset: string; version: number };
  /** Of a knowledge base: what has embedded it, as the task calls it. */
  model?: string;
}

/** Datasets as tasks see them, each call as the person who began the run. */
export interface ProcessedDatasets {
  input(caller: Caller, wish: { dataset: string; version?: number | undefined }): Promise<InputVersion | NotNow>;
  output(
    caller: Caller,
    wish: { dataset?: string | undefined; name?: string | undefined },
    made: { type: 'qa' | 'rag' | 'file'; key: string; managersOnly: boolean },
  ): Promise<string | NotNow>;
  made(caller: Caller, dataset: string, by: MadeBy, key: string): Promise<number>;
  /** Throws not_found where the caller sees no such dataset. */
  demandSeen(caller: Caller, dataset: string): Promise<void>;
  /** Files of a ready version in a folder of it. */
  filesIn(dataset: string, number: number, folder: string): Promise<{ name: string; sha256: string; bytes: number }[]>;
  version(
    dataset: string,
    number: number,
  ): Promise<
    | {
        state: string;
        digest: string | null;
        rows: number | null;
        problem: ProblemCode | null;
        problemArgs: ProblemArgs | null;
      }
    | undefined
  >;
}

/** Answered requests of the last hour, taken together. */
export interface Pace {
  requests: number;
  ms: number;
  prompt: number;
  completion: number;
}

/** What a preview is priced by, now. */
export interface PreviewPrices {
  currency: string;
  /** Of the worker; undefined where something of it has no price. */
  perHour: Micros | undefined;
  /** As /v1 bills them; undefined where the model is not there. */
  tokensCost(tokens: { prompt: number; completion: number }): Micros | undefined;
}

/** Models as /v1 knows them, by the name that a task asks for. */
export interface PricedModels {
  /** Undefined where there is none of that name. */
  costs(organizationId: string, model: string, tokens: { prompt: number; completion: number }): Micros | undefined;
  pace(organizationId: string, model: string): Promise<Pace | undefined>;
}
