// The types of tasks. Apart from the schema, because the list names them and needs no schema.
import type { ProcessType } from '@gantry/contract/kinds/data-process-schema.ts';

export const TYPES = [
  ...(['QaPairs', 'KnowledgeBase', 'KnowledgeGraph', 'Clean', 'Split', 'Convert'] as const),
] as const satisfies readonly ProcessType[];
