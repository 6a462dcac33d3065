// A hold: a card of the market at the price that was shown, kept for a visitor from "Start" to the console's form.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';
import { objectId } from '../../http/kind-bodies.ts';
import { time } from '../../kind-api.ts';

/** Through sign-in. */
export const HOLD_SECONDS = 60;
/** Altogether, once somebody who is signed in has claimed it: through a payment. */
export const CLAIMED_HOLD_SECONDS = 600;
/** Of one instance. */
export const MOST_HELD_GPUS = 16;

const hold = z.object({
  id: z.string().meta({ description: 'Whoever has it has the hold.' }),
  model: z.string(),
  name: z.string(),
  gpus: z.int().meta({ description: 'Cards of one node.' }),
  region: z.string(),
  region_name: z.string(),
  hour: money.nullable().meta({ description: 'One card by the hour, as it was shown; null: it has no price.' }),
  currency: currencyCode,
  until: time,
  seconds: z.int().min(0).meta({ description: 'From this answer to its end.' }),
  is_claimed: z.boolean().meta({ description: 'An organisation has claimed it, which lengthened it once.' }),
  path: z.string().meta({ description: "The console's form of a new instance with this card chosen." }),
});
export type HoldView = z.input<typeof hold>;

const params = z.object({ id: objectId });

export const HOLD_ROUTES = {
  holdCard: defineRoute({
    id: 'holdCard',
    method: 'POST',
    path: '/portal/v1/market/hold',
    tag: 'portal',
    summary: 'Keeps free GPUs of one node for 60 seconds at the price of now, for whoever has the id in the answer.',
    access: 'public',
    body: z.strictObject({
      model: z.string().min(1).max(63),
      gpus: z.int().min(1).max(MOST_HELD_GPUS).default(1),
      region: z
        .string()
        .min(1)
        .max(63)
        .optional()
        .meta({ description: 'Left out: where a card costs least, of the regions that have it free.' }),
      instead: objectId
        .optional()
        .meta({ description: 'A hold that this one takes the place of: nobody keeps two by choosing again.' }),
    }),
    answer: { result: hold },
    status: 201,
    problems: ['not_found', 'region_closed', 'card_held', 'cards_taken', 'too_many_holds'],
    attemptsPerMinute: 20,
  }),
  readHold: defineRoute({
    id: 'readHold',
    method: 'GET',
    path: '/portal/v1/market/hold/{id}',
    tag: 'portal',
    summary: 'A hold that has not ended, and that no organisation has claimed.',
    access: 'public',
    params,
    answer: { result: hold },
    problems: ['not_found'],
  }),
  claimHold: defineRoute({
    id: 'claimHold',
    method: 'POST',
    path: '/portal/v1/market/hold/{id}/claim',
    tag: 'portal',
    summary: "Makes a hold the organisation's, its only one, and lengthens it once to ten minutes altogether.",
    access: { right: 'use' },
    params,
    answer: { result: hold },
    problems: ['not_found'],
  }),
};
