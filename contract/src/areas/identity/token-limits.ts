// The limits of an API token's use of models. Shared by the routes that make tokens and the gateway that enforces them.
import * as z from 'zod';

export const MOST_LIMITED_MODELS = 50;
const MOST_A_MINUTE = 1_000_000_000;
const MOST_TOKENS = 1_000_000_000_000;

const count = (most: number) => z.int().min(1).max(most).nullable().default(null);
const budget = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/)
  .nullable()
  .default(null)
  .meta({ description: 'Decimal with at most six decimals, in the organisation’s currency.' });

/** Null: no limit. Days and months are UTC's. */
export const tokenLimits = z.strictObject({
  models: z
    .array(
      z
        .string()
        .min(3)
        .max(200)
        .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$/),
    )
    .min(1)
    .max(MOST_LIMITED_MODELS)
    .nullable()
    .default(null)
    .meta({ description: 'As they are called: organisation/deployment, or organisation/alias.' }),
  requests_per_minute: count(MOST_A_MINUTE),
  tokens_per_minute: count(MOST_A_MINUTE),
  tokens_per_day: count(MOST_TOKENS),
  tokens_per_month: count(MOST_TOKENS),
  money_per_day: budget,
  money_per_month: budget,
});
export type TokenLimits = z.output<typeof tokenLimits>;
