// How many nodes have a model's files already: replicas start there without waiting for them.
import * as z from 'zod';

export const cachedOn = z
  .object({
    nodes: z.int(),
    of: z.int().meta({ description: 'Nodes that could run it.' }),
    copying: z.int().meta({ description: 'Nodes that they are being copied to, before a replica needs them.' }),
  })
  .nullable()
  .meta({ description: 'How many nodes have its files already. Null: it is not known yet which files these are.' });
export type CachedOn = z.output<typeof cachedOn>;
