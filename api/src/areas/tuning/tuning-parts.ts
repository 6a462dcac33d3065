// What this room needs of others, each call as the person who began the run.

import type { ProblemArgs, ProblemCode } from '@gantry/contract/http/problem.ts';
import type { ListedFile } from '../../core/files/deliver.ts';
import type { NotNow as Why } from '../../core/tasks/run-kind.ts';
import type { ModelMade } from '../../platform/db/schema/models.ts';
import type { Caller } from '../../platform/http/caller.ts';

export type NotNow = Why<'InputsGone' | 'InputsArriving' | 'InputsUnreadable' | 'OutputTaken'>;

/** A version of a dataset whose table is there. */
export interface TrainedOn {
  dataset: string;
  version: number;
  parts: readonly { sha256: string; bytes: number }[];
}

export interface TunedDatasets {
  input(caller: Caller, wish: { dataset: string; version?: number | undefined }): Promise<TrainedOn | NotNow>;
}

export interface BaseVersion {
  model: string;
  name: string;
  version: string;
  files: readonly ListedFile[];
  /** As the headers of its files have them. */
  parameters?: number | undefined;
  weightBytes?: number | undefined;
  contextLength?: number | undefined;
}

export interface TunedModels {
  base(caller: Caller, wish: { model: string; version: string }): Promise<BaseVersion | NotNow>;
  output(
    caller: Caller,
    wish: { model?: string | undefined; name?: string | undefined },
    key: string,
  ): Promise<string | NotNow>;
  made(caller: Caller, model: string, of: { name: string; made: ModelMade }, key: string): Promise<string>;
  version(
    model: string,
    name: string,
  ): Promise<
    { state: string; digest: string | null; problem: ProblemCode | null; problemArgs: ProblemArgs | null } | undefined
  >;
}
