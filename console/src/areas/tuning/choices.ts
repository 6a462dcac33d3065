// What a task chooses among. Apart from the schema, because lists and pages name them and need no schema.
import type { FineTuneSpec } from '@gantry/contract/kinds/fine-tune.ts';

export const OBJECTIVES = ['SFT', 'DPO'] as const satisfies readonly FineTuneSpec['objective'][];
export const METHODS = ['LoRA', 'QLoRA', 'Full'] as const satisfies readonly FineTuneSpec['method'][];
export type Objective = (typeof OBJECTIVES)[number];
export type Method = (typeof METHODS)[number];

interface Wish {
  method?: Method | undefined;
  output: { form?: string | undefined };
}

/** A whole model is made; else an adapter. What a full fine-tuning makes is never one. */
export const isMerged = ({ method, output }: Wish): boolean => method === 'Full' || output.form === 'Merged';
