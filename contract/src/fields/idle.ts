// The policy for things that nobody uses: of one object, and of an organisation by default.
import * as z from 'zod';

export const IDLE_DOES = ['Nothing', 'Warn', 'Act'] as const;
export type IdleDoes = (typeof IDLE_DOES)[number];
export const LEAST_IDLE_MINUTES = 5;
export const MOST_IDLE_MINUTES = 43_200;

export interface IdlePolicy {
  does: IdleDoes;
  afterMinutes: number;
}

/** The default for organisations that chose nothing: it only warns. */
export const DEFAULT_IDLE_POLICY: IdlePolicy = { does: 'Warn', afterMinutes: 60 };

/** `acts`: the sentence about what Act does to the kind. */
export const idlePolicy = (acts: string) =>
  z
    .object({
      does: z.enum(IDLE_DOES).describe(`Warn: people are told. Act: and ${acts}`),
      afterMinutes: z
        .int()
        .min(LEAST_IDLE_MINUTES)
        .max(MOST_IDLE_MINUTES)
        .default(DEFAULT_IDLE_POLICY.afterMinutes)
        .describe('How long nothing may happen before that.'),
    })
    .optional()
    .meta({ description: 'If its GPUs do nothing and nobody uses it. Absent: as the organisation has it.' });
