// What this room needs of others, each call as the person who began the run.
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { NotNow } from '../../core/tasks/run-kind.ts';
import type { ServedSubject } from '../../platform/db/schema/evaluations.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** A version of a dataset whose table is there. */
export interface AskedRows {
  dataset: string;
  name: string;
  version: number;
  parts: readonly { sha256: string; bytes: number }[];
}

export interface EvaluatedDatasets {
  input(
    caller: Caller,
    wish: { dataset: string; version?: number | undefined },
  ): Promise<AskedRows | NotNow<'InputsGone' | 'InputsArriving' | 'InputsUnreadable' | 'OutputTaken'>>;
  /** Throws not_found where the caller sees no such dataset. */
  demandSeen(caller: Caller, dataset: string): Promise<void>;
}

/** A subject as it is served now; the seed is the evaluation's. */
export type Served = Omit<ServedSubject, 'stamp' | 'isChanged'> & { stamp: Omit<ServedSubject['stamp'], 'seed'> };

export interface EvaluatedModels {
  served(
    organizationId: string,
    subject: { deployment: string; adapter?: string | undefined },
  ): Promise<Served | NotNow<'InputsGone' | 'ModelNotServing'>>;
}

/** As /v1 bills them; undefined where there is no model of that name. */
export type TokensCost = (
  organizationId: string,
  model: string,
  tokens: { prompt: number; completion: number },
) => Micros | undefined;
