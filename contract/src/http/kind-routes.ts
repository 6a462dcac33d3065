// The routes of the kinds: lists, details, creation, edits, commands and batches follow from each kind's facts.
import * as z from 'zod';
import type { ActionRow, KindFacts } from '../define-kind.ts';
import {
  type KindApi,
  type KindReplicas,
  type KindRuns,
  type KindUsage,
  type KindWrites,
  objectUsageView,
  runView,
  stateView,
} from '../kind-api.ts';
import { KINDS } from '../kinds.ts';
import { MOST_AT_ONCE } from './call.ts';
import { defineRoute, type RouteFacts } from './define-route.ts';
import { objectId as id } from './kind-bodies.ts';
import { logQuery, replicaQuery, workerQuery } from './log-query.ts';
import { pageQuery } from './paging.ts';
import type { ProblemCode } from './problem.ts';

const params = z.object({ id });
/** Never grants anything: the frame refuses one that is not the token's. */
export const org_id = z.string().max(63).optional();
const MOST_RUN_NUMBER = 2 ** 31 - 1;
const order = {
  order_by: z.enum(['create_time', 'name', 'status']).default('create_time'),
  order_type: z.enum(['asc', 'desc']).default('desc'),
};
const find = {
  search: z.string().max(63).optional().meta({ description: 'A part of the name or of the id.' }),
  status: z.string().max(63).optional().meta({ description: 'A status or a phase, as answers show it.' }),
};
/** Possible refusals of a write of any kind. */
export const REFUSED_WRITES = [
  'quota_exceeded',
  'policy_refused',
  'organization_not_ready',
  'not_enough_credit',
  'spend_cap_reached',
  'member_cap_reached',
  'no_price',
  'plan_limit',
] as const satisfies readonly ProblemCode[];

const batchItem = z.object({
  id: z.string(),
  code: z.int().meta({ description: '0: accepted.' }),
  error: z.string().nullable(),
  message: z.string(),
});

/** The part of a kind's facts that matters here. */
interface Facts {
  collection: string;
  actions: Readonly<Record<string, Pick<ActionRow, 'does'>>>;
}

/** Commands that are given by a call: to edit is a PUT, to open needs no command. */
type Command<F extends Facts> = Exclude<keyof F['actions'] & string, 'edit' | 'login'>;
const commandsOf = <F extends Facts>({ actions }: F) =>
  z.enum(
    Object.entries(actions)
      .filter(([action, { does }]) => action !== 'edit' && does !== 'open')
      .map(([action]) => action) as [Command<F>, ...Command<F>[]],
  );

const readingRoutes = <Api extends KindApi>(
  { collection }: Facts,
  { names: [one, many], view, filters, pageSize = 10 }: Api,
) => ({
  list: defineRoute({
    id: `list${many}`,
    method: 'GET',
    path: `/${collection}`,
    tag: one.toLowerCase(),
    summary: `${many} of the organisation, newest first.`,
    access: { right: 'view' },
    query: z.strictObject({ ...pageQuery(pageSize), org_id, ...order, ...find, ...(filters as Api['filters']) }),
    answer: { list: view as Api['view'] },
    problems: [],
  }),
  read: defineRoute({
    id: `get${one}`,
    method: 'GET',
    path: `/${collection}/{id}`,
    tag: one.toLowerCase(),
    summary: `One ${one.toLowerCase()}.`,
    access: { right: 'view' },
    params,
    query: z.strictObject({ org_id }),
    answer: { result: view as Api['view'] },
    problems: [],
  }),
  history: defineRoute({
    id: `get${one}History`,
    method: 'GET',
    path: `/${collection}/{id}/history`,
    tag: one.toLowerCase(),
    summary: 'The last states that it was in, newest first.',
    access: { right: 'view' },
    params,
    query: z.strictObject({ org_id }),
    answer: { data: z.array(stateView) },
    problems: [],
  }),
});

const runLogQuery = logQuery.extend({ org_id });
const workerLogQuery = workerQuery.extend({ org_id });
const LOG = {
  answer: { file: 'text/plain' },
  problems: ['container_not_running', 'log_not_kept', 'too_many_logs'],
  exempt: true,
} as const;

const runningRoutes = <Api extends KindApi>({ collection }: Facts, { names: [one], runs }: Api) => ({
  runs: defineRoute({
    id: `get${one}Runs`,
    method: 'GET',
    path: `/${collection}/{id}/run`,
    tag: one.toLowerCase(),
    summary: 'Its last runs, newest first.',
    access: { right: 'view' },
    params,
    query: z.strictObject({ org_id }),
    answer: { data: z.array(runView) },
    problems: [],
  }),
  log: defineRoute({
    id: `get${one}Log`,
    method: 'GET',
    path: `/${collection}/{id}/run/{number}/log`,
    tag: one.toLowerCase(),
    summary:
      'What the program of a run wrote: of a run that goes on as it writes it, of one that has ended what is kept.',
    access: { right: 'view' },
    params: params.extend({ number: z.coerce.number().int().min(1).max(MOST_RUN_NUMBER) }),
    query: (runs?.hasParts ? workerLogQuery : runLogQuery) as LogQuery<Api>,
    ...LOG,
  }),
});

type LogQuery<Api> = Api extends { runs: { hasParts: true } } ? typeof workerLogQuery : typeof runLogQuery;

const replicaRoutes = <Api extends KindApi>({ collection }: Facts, { names: [one] }: Api) => ({
  replicaLog: defineRoute({
    id: `get${one}ReplicaLog`,
    method: 'GET',
    path: `/${collection}/{id}/replica/{pod}/log`,
    tag: one.toLowerCase(),
    summary: 'What the program of a replica has written. Nothing of it is kept once the replica is gone.',
    access: { right: 'view' },
    params: params.extend({ pod: id.meta({ description: 'The name of its Pod.' }) }),
    query: replicaQuery.extend({ org_id }),
    ...LOG,
  }),
});

const measuringRoutes = <Api extends KindApi>({ collection }: Facts, { names: [one] }: Api) => ({
  usage: defineRoute({
    id: `get${one}Figures`,
    method: 'GET',
    path: `/${collection}/{id}/figures`,
    tag: one.toLowerCase(),
    summary: 'The CPU, memory, disks and GPUs that it uses, now and over the last hour.',
    access: { right: 'view' },
    params,
    query: z.strictObject({
      org_id,
      part: z.string().max(253).optional().meta({ description: 'One of its parts; the first if it is left out.' }),
    }),
    answer: { result: objectUsageView },
    problems: [],
  }),
});

type ShapeOf<S> = S extends z.ZodRawShape ? S : Record<never, never>;

const writingRoutes = <F extends Facts, Api extends KindApi, Writes extends KindWrites>(
  facts: F,
  { names: [one, many], view }: Api,
  { create, createPath = facts.collection, change, options, removal, problems, feature }: Writes,
) => {
  const tag = one.toLowerCase();
  const access = { right: 'use' } as const;
  const refused = [...REFUSED_WRITES, ...problems];
  const commanded = [...refused, 'action_not_allowed'] as const;
  const action = commandsOf(facts);
  const answer = { result: view as Api['view'] };
  const path = `/${facts.collection}`;
  return {
    create: defineRoute({
      id: `create${one}`,
      method: 'POST',
      path: `/${createPath}`,
      tag,
      summary: `Makes one ${tag}; the answer shows it before it is ready.`,
      access,
      body: create as Writes['create'],
      answer,
      ...(feature && { feature }),
      status: 201,
      problems: refused,
    }),
    change: defineRoute({
      id: `update${one}`,
      method: 'PUT',
      path: `${path}/{id}`,
      tag,
      summary: `Changes the fields that are given; null takes an optional one away.`,
      access,
      params,
      query: z.strictObject({
        org_id,
        generation: z.coerce.number().int().min(0).optional().meta({
          description: 'Of the view that the change was made from: what somebody else has changed since is a conflict.',
        }),
      }),
      body: change as Writes['change'],
      answer,
      problems: commanded,
    }),
    remove: defineRoute({
      id: `delete${one}`,
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: `Gives one ${tag} up.`,
      access,
      params,
      query: z.strictObject({ org_id, ...(removal as ShapeOf<Writes['removal']>) }),
      answer: { text: 'ok' },
      problems: commanded,
    }),
    act: defineRoute({
      id: `act${one}`,
      method: 'POST',
      path: `${path}/{id}/action`,
      tag,
      summary: 'Gives a command; the answer shows the object on its way, not where it arrives.',
      access,
      params,
      body: z.strictObject({ action, ...(options as ShapeOf<Writes['options']>) }),
      answer,
      status: 202,
      problems: commanded,
    }),
    batch: defineRoute({
      id: `batch${many}`,
      method: 'POST',
      path: `${path}/batch`,
      tag,
      summary: `Gives several ${many.toLowerCase()} one command; each has its own answer.`,
      access,
      body: z.strictObject({
        action,
        ids: z.array(id).min(1, 'nothing_selected').max(MOST_AT_ONCE),
        confirm: z
          .array(id)
          .max(MOST_AT_ONCE)
          .optional()
          .meta({ description: 'The ids once more, where the command asks for that of one object.' }),
      }),
      answer: { data: z.array(batchItem) },
      problems: ['nothing_selected'],
    }),
  };
};

type Reading<Api extends KindApi> = ReturnType<typeof readingRoutes<Api>>;
type Writing<F extends Facts, Api extends KindApi, Writes extends KindWrites> = ReturnType<
  typeof writingRoutes<F, Api, Writes>
>;
type Running<Api extends KindApi> = ReturnType<typeof runningRoutes<Api>>;
type Replicated<Api extends KindApi> = ReturnType<typeof replicaRoutes<Api>>;
type Measuring<Api extends KindApi> = ReturnType<typeof measuringRoutes<Api>>;
type RoutesOf<F extends Facts & { api: KindApi }> = Reading<F['api']> &
  (F['api'] extends { runs: KindRuns } ? Running<F['api']> : unknown) &
  (F['api'] extends { replicas: KindReplicas } ? Replicated<F['api']> : unknown) &
  (F['api'] extends { usage: KindUsage } ? Measuring<F['api']> : unknown) &
  (F['api'] extends { writes: infer Writes extends KindWrites } ? Writing<F, F['api'], Writes> : unknown);

/** The routes of one kind, by operation. */
export const routesOf = <F extends Facts & { api: KindApi }>(facts: F): RoutesOf<F> => {
  const { api }: { api: KindApi } = facts;
  const routes = {
    ...readingRoutes(facts, api),
    ...(api.runs && runningRoutes(facts, api)),
    ...(api.replicas && replicaRoutes(facts, api)),
    ...(api.usage && measuringRoutes(facts, api)),
    ...(api.writes && writingRoutes(facts, api, api.writes)),
  };
  return routes as unknown as RoutesOf<F>;
};

type Kinds = typeof KINDS;
/** A key of KINDS that has routes. */
export type ServedKind = { [K in keyof Kinds]: Kinds[K]['api'] extends KindApi ? K : never }[keyof Kinds];

/** Per kind with routes, by its key in KINDS. */
export const KIND_ROUTES = Object.fromEntries(
  Object.entries<KindFacts>(KINDS).flatMap(([key, { api, ...facts }]) =>
    api ? [[key, routesOf({ ...facts, api })]] : [],
  ),
) as unknown as { [K in ServedKind]: RoutesOf<Kinds[K]> };

/** All of them, by their ids. */
export const KIND_ROUTES_BY_ID: Readonly<Record<string, RouteFacts>> = Object.fromEntries(
  Object.values<Record<string, RouteFacts>>(KIND_ROUTES)
    .flatMap((routes) => Object.values(routes))
    .map((route) => [route.id, route]),
);
