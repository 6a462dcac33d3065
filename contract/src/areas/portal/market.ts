// The computing market as a visitor sees it: GPU models with what is free, what a card costs, and what a stopped instance keeps and costs.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { defineRoute } from '../../http/define-route.ts';
import { price } from '../../kind-api.ts';
import { MARKET_STOCK, STOCK_STEPS } from './stock-steps.ts';

export const DAYS_OF_AVAILABILITY = 30;
/** What a stopped instance keeps. */
export const KEPT_AT_REST = ['home', 'system', 'ports', 'mounts'] as const;

const count = z.int().min(0);
export const stock = z.object({
  step: z.enum(STOCK_STEPS).meta({ description: 'none: 0, few: 1 to 3, some: 4 to 15, many: 16 and more.' }),
  count: count.nullable().meta({ description: 'Null where the installation tells its stock in steps.' }),
});

const prices = z.object({
  hour: price.meta({ description: 'By the hour; null where it has no price.' }),
  month: price.meta({ description: 'The same for 730 hours of use.' }),
});

const size = z.object({
  gpus: count,
  cores: z.number(),
  memory_gi: z.number(),
  disk_gi: count.meta({ description: 'The home disk.' }),
});

const marketRegion = z.object({
  region: z.string(),
  name: z.string(),
  takes_instances: z.boolean().meta({ description: 'Whether instances can be created there.' }),
  free: stock.meta({ description: 'Cards that anybody could have now.' }),
  total: stock,
  free_hosts: stock.meta({ description: 'Whole nodes that nobody uses.' }),
  starts: z
    .array(z.object({ gpus: count, free: stock }))
    .meta({ description: 'How many instances of so many cards, each with their cores and memory, could start now.' }),
  card: prices.meta({ description: 'One card alone.' }),
  instance: prices.extend({ size }).meta({
    description:
      'What an instance of one card is billed while it runs: the card, the cores and memory that come with it, and its home disk.',
  }),
  host_month: price.meta({ description: 'One node, rented by the month; null where none can be rented.' }),
});

const availability = z.object({
  since: z.iso.date().nullable().meta({ description: 'The first day that is counted; null: none is yet.' }),
  percent: z.number().min(0).max(100).nullable().meta({
    description:
      'available_looks ÷ looks × 100, over the last 30 days (UTC): of all looks, one a minute, those at which an instance of one card could have started somewhere.',
  }),
  looks: count,
  available_looks: count,
});

const marketModel = z.object({
  id: z.string().meta({ description: 'The model, as instances and hosts ask for it.' }),
  name: z.string(),
  vendor: z.string().nullable(),
  memory_gi: count.nullable().meta({ description: 'Memory of one card; null where its nodes do not say.' }),
  most_gpus: count.meta({ description: 'The most cards of one instance.' }),
  note: z.string().nullable().meta({ description: 'What the platform says of the model.' }),
  shared: z.boolean().meta({ description: 'Whether cards of it can be had singly.' }),
  host: z.boolean().meta({ description: 'Whether nodes of it are rented by the month.' }),
  free: stock.meta({ description: 'Of all regions.' }),
  total: stock,
  price: prices.meta({ description: 'One card, in the region where it costs least.' }),
  facts: z
    .object({
      tflops: z.number().meta({ description: 'Dense FP16 or BF16 matrix arithmetic.' }),
      memory_gb_per_second: z.number(),
      source: z.string(),
      hour_per_tflop: money.nullable(),
    })
    .nullable()
    .meta({ description: 'As its maker states them; null for a model that the table does not have.' }),
  hour_per_gi: money.nullable().meta({ description: 'What a GiB of its memory costs by the hour.' }),
  availability,
  regions: z.array(marketRegion),
});
export type MarketModelView = z.input<typeof marketModel>;

const atRest = z.object({
  keeps: z.array(z.enum(KEPT_AT_REST)).meta({
    description:
      'home: the home disk. system: changes to the root file system, saved. ports and mounts: kept reserved until it is shut down.',
  }),
  home_gi_month: price.meta({ description: 'A GiB of its home disk for a month, whether it runs or not.' }),
  saved_gi_month: price.meta({ description: 'A GiB of its saved root file system for a month.' }),
  frees_gpu: z.literal(true).meta({ description: 'Another may have the card before it starts again.' }),
});

const market = z.object({
  stock: z.enum(MARKET_STOCK).meta({ description: 'How exactly counts are told.' }),
  currency: currencyCode,
  models: z.array(marketModel),
  stopped: atRest.meta({ description: 'What an instance that is stopped keeps, and what that costs.' }),
  away: z.array(z.string()).meta({ description: 'Regions that are out of reach now, and in no count.' }),
});
export type MarketView = z.input<typeof market>;

const marketDetail = marketModel.extend({
  stock: z.enum(MARKET_STOCK),
  currency: currencyCode,
  stopped: atRest,
  days: z
    .array(z.object({ day: z.iso.date(), percent: z.number().min(0).max(100) }))
    .meta({ description: 'The availability of each day that was counted, the earliest first.' }),
});
export type MarketDetailView = z.input<typeof marketDetail>;

export const MARKET_ROUTES = {
  listMarket: defineRoute({
    id: 'listMarket',
    method: 'GET',
    path: '/portal/v1/market',
    tag: 'portal',
    summary: 'GPU models on offer: what is free, and what a card costs a new customer by the very rates of the bill.',
    access: 'public',
    answer: { result: market },
    problems: [],
  }),
  readMarketModel: defineRoute({
    id: 'readMarketModel',
    method: 'GET',
    path: '/portal/v1/market/{id}',
    tag: 'portal',
    summary: 'One GPU model on offer, with its availability of the last 30 days.',
    access: 'public',
    params: z.object({ id: z.string().min(1).max(63) }),
    answer: { result: marketDetail },
    problems: ['not_found'],
  }),
};
