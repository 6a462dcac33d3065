// The routes of the kinds: lists, details, creation, edits, actions and batches follow from each kind's facts; beside them
// mounts, regions, GPU models on offer, tags, and the question whether an instance would find room.
import * as z from 'zod';
import type { KindFacts } from '../define-kind.ts';
import { IMAGE_SOURCE } from '../fields/image-source.ts';
import { dataDisk } from '../kinds/data-disk.ts';
import { gpuHost } from '../kinds/gpu-host.ts';
import { gpuInstance } from '../kinds/gpu-instance.ts';
import { image } from '../kinds/image.ts';
import { snapshot } from '../kinds/snapshot.ts';
import { defineRoute, type RouteFacts } from './define-route.ts';
import { changeBody, creationBody } from './kind-bodies.ts';
import {
  diskView,
  fitView,
  gpuSpecView,
  hostView,
  imageView,
  instanceView,
  mountView,
  snapshotView,
} from './kind-views.ts';
import { pageQuery } from './paging.ts';
import type { ProblemCode } from './problem.ts';

const id = z.string().min(1).max(63);
const params = z.object({ id });
/** Never grants anything: the frame refuses one that is not the token's. */
const org_id = z.string().max(63).optional();
const order = {
  order_by: z.enum(['create_time', 'name', 'status']).default('create_time'),
  order_type: z.enum(['asc', 'desc']).default('desc'),
};
const find = {
  search: z.string().max(63).optional().meta({ description: 'A part of the name or of the id.' }),
  status: z.string().max(63).optional().meta({ description: 'A status or a phase, as answers show it.' }),
};
/** A list's query, with the kind's own filters as the handler of all kinds sees them. */
const listQuery = <Own extends z.ZodRawShape>(size: number, own: Own) =>
  z.strictObject({ ...pageQuery(size), org_id, ...order, ...find, ...own });

const PEOPLE = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9_一-鿿]+$/, 'name_rule');
const HOST = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9_]+$/, 'host_name_rule');
const source = z.string().max(512).regex(IMAGE_SOURCE, 'image_malformed');

const MOST_AT_ONCE = 100;
const REFUSED_WRITES = [
  'quota_exceeded',
  'policy_refused',
  'organization_not_ready',
  'not_enough_credit',
  'spend_cap_reached',
  'member_cap_reached',
  'no_price',
  'plan_limit',
] as const satisfies readonly ProblemCode[];

/** Commands that are given by a call: to edit is a PUT, to open needs no command. */
const commandsOf = <Action extends string>(facts: { actions: Record<Action, { does: unknown }> }) =>
  z.enum(
    Object.entries<{ does: unknown }>(facts.actions)
      .filter(([action, { does }]) => action !== 'edit' && does !== 'open')
      .map(([action]) => action) as [Exclude<Action, 'edit' | 'login'>, ...Exclude<Action, 'edit' | 'login'>[]],
  );

const batchItem = z.object({
  id: z.string(),
  code: z.int().meta({ description: '0: accepted.' }),
  error: z.string().nullable(),
  message: z.string(),
});

interface Reading<View extends z.ZodObject, Own extends z.ZodRawShape> {
  /** One and many of it, as operations are called. */
  names: [one: string, many: string];
  view: View;
  filters: Own;
  size?: number;
}

const readingRoutes = <View extends z.ZodObject, Own extends z.ZodRawShape>(
  { collection }: Pick<KindFacts, 'collection'>,
  { names: [one, many], view, filters, size = 10 }: Reading<View, Own>,
) => ({
  list: defineRoute({
    id: `list${many}`,
    method: 'GET',
    path: `/${collection}`,
    tag: one.toLowerCase(),
    summary: `${many} of the organisation, newest first.`,
    access: { right: 'view' },
    query: listQuery(size, filters),
    answer: { list: view },
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
    answer: { result: view },
    problems: [],
  }),
});

interface Writing<Create extends z.ZodType, Change extends z.ZodType, Act extends z.ZodObject> {
  create: Create;
  change: Change;
  act: Act;
  removal?: z.ZodRawShape;
  problems: readonly ProblemCode[];
}

const writingRoutes = <
  View extends z.ZodObject,
  Own extends z.ZodRawShape,
  Create extends z.ZodType,
  Change extends z.ZodType,
  Act extends z.ZodObject,
>(
  { collection }: Pick<KindFacts, 'collection'>,
  { names: [one, many], view }: Reading<View, Own>,
  { create, change, act, removal = {}, problems }: Writing<Create, Change, Act>,
) => {
  const tag = one.toLowerCase();
  const access = { right: 'use' } as const;
  const refused = [...REFUSED_WRITES, ...problems];
  const commanded = [...refused, 'action_not_allowed'] as const;
  return {
    create: defineRoute({
      id: `create${one}`,
      method: 'POST',
      path: `/${collection}`,
      tag,
      summary: `Makes one ${tag}; the answer shows it before it is ready.`,
      access,
      body: create,
      answer: { result: view },
      status: 201,
      problems: refused,
    }),
    change: defineRoute({
      id: `update${one}`,
      method: 'PUT',
      path: `/${collection}/{id}`,
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
      body: change,
      answer: { result: view },
      problems: commanded,
    }),
    remove: defineRoute({
      id: `delete${one}`,
      method: 'DELETE',
      path: `/${collection}/{id}`,
      tag,
      summary: `Gives one ${tag} up.`,
      access,
      params,
      query: z.strictObject({ org_id, ...removal }),
      answer: { text: 'ok' },
      problems: commanded,
    }),
    act: defineRoute({
      id: `act${one}`,
      method: 'POST',
      path: `/${collection}/{id}/action`,
      tag,
      summary: 'Gives a command; the answer shows the object on its way, not where it arrives.',
      access,
      params,
      body: act,
      answer: { result: view },
      status: 202,
      problems: commanded,
    }),
    batch: defineRoute({
      id: `batch${many}`,
      method: 'POST',
      path: `/${collection}/batch`,
      tag,
      summary: `Gives several ${many.toLowerCase()} one command; each has its own answer.`,
      access,
      body: z.strictObject({
        action: act.shape.action as Act['shape']['action'],
        ids: z.array(id).min(1, 'nothing_selected').max(MOST_AT_ONCE),
      }),
      answer: { data: z.array(batchItem) },
      problems: ['nothing_selected'],
    }),
  };
};

const reading = {
  instance: {
    names: ['Instance', 'Instances'],
    view: instanceView,
    filters: { host: z.string().max(63).optional() },
  },
  host: {
    names: ['Host', 'Hosts'],
    view: hostView,
    filters: { tag: z.string().max(63).optional(), source: z.enum(['rented', 'owned']).optional() },
    size: 100,
  },
  disk: { names: ['Disk', 'Disks'], view: diskView, filters: {} },
  image: {
    names: ['Image', 'Images'],
    view: imageView,
    filters: {
      official: z.stringbool().optional().meta({ description: 'Only official ones, or only own ones.' }),
      llm: z.stringbool().optional(),
    },
  },
  snapshot: {
    names: ['Snapshot', 'Snapshots'],
    view: snapshotView,
    filters: { instance: z.string().max(63).optional() },
  },
} satisfies Record<string, Reading<z.ZodObject, z.ZodRawShape>>;

/** What a person says of an instance, when it is made and ever after. */
const INSTANCE_FIELDS = [
  'command',
  'gpu',
  'cores',
  'memoryGi',
  'host',
  'homeDisk',
  'disks',
  'env',
  'ports',
  'notebookPort',
  'sshKeys',
] as const;

export const instanceCreation = creationBody(gpuInstance.spec, ...INSTANCE_FIELDS).extend({
  displayName: PEOPLE,
  image: source,
});

export const INSTANCE_ROUTES = {
  ...readingRoutes(gpuInstance, reading.instance),
  ...writingRoutes(gpuInstance, reading.instance, {
    create: instanceCreation,
    change: changeBody(gpuInstance.spec, ...INSTANCE_FIELDS).extend({
      displayName: PEOPLE.optional(),
      image: source.optional(),
    }),
    act: z.strictObject({
      action: commandsOf(gpuInstance),
      displayName: PEOPLE.optional().meta({ description: 'exportTemplate: the name of the image.' }),
    }),
    problems: [
      'name_rule',
      'image_malformed',
      'ssh_key_malformed',
      'no_such_reference',
      'not_enough_gpus',
      'wrong_gpu',
      'instance_not_shut_down',
      'disk_in_use',
    ],
  }),
  fit: defineRoute({
    id: 'fitInstance',
    method: 'POST',
    path: `/${gpuInstance.collection}/fit`,
    tag: 'instance',
    summary: 'Whether an instance like this would find room now; nothing is made.',
    access: { right: 'use' },
    body: creationBody(gpuInstance.spec, 'gpu', 'cores', 'memoryGi', 'host'),
    answer: { result: fitView },
    problems: ['no_such_reference'],
  }),
};

export const HOST_ROUTES = {
  ...readingRoutes(gpuHost, reading.host),
  ...writingRoutes(gpuHost, reading.host, {
    create: creationBody(gpuHost.spec, 'source', 'gpu', 'nodes', 'months', 'autoRenew', 'tags', 'disks').extend({
      displayName: HOST,
    }),
    change: changeBody(gpuHost.spec, 'nodes', 'autoRenew', 'tags', 'disks').extend({ displayName: HOST.optional() }),
    act: z.strictObject({
      action: commandsOf(gpuHost),
      months: z.int().min(1).max(120).optional().meta({ description: 'renew: how many months more; 1 unless told.' }),
    }),
    problems: ['host_name_rule', 'no_such_reference', 'disk_in_use'],
  }),
};

export const DISK_ROUTES = {
  mounts: defineRoute({
    id: 'listMounts',
    method: 'GET',
    path: '/stor/v1/data-disk/mount',
    tag: 'disk',
    summary: 'Which disks are mounted to which hosts and instances, and which wait to be.',
    access: { right: 'view' },
    query: z.strictObject({ ...pageQuery(10), org_id, disk: id.optional(), resource: id.optional() }),
    answer: { list: mountView },
    problems: [],
  }),
  ...readingRoutes(dataDisk, reading.disk),
  ...writingRoutes(dataDisk, reading.disk, {
    create: creationBody(dataDisk.spec, 'sizeGi', 'storageClassName', 'access').extend({ displayName: PEOPLE }),
    change: changeBody(dataDisk.spec, 'sizeGi').extend({ displayName: PEOPLE.optional() }),
    act: z.strictObject({
      action: commandsOf(dataDisk),
      confirm: id.optional().meta({ description: 'release: the id once more, since all data is lost.' }),
    }),
    removal: { confirm: id.optional().meta({ description: 'The id once more, since all data is lost.' }) },
    problems: ['name_rule', 'confirmation_needed', 'disk_in_use'],
  }),
  mount: defineRoute({
    id: 'mountDisk',
    method: 'POST',
    path: '/stor/v1/mount/data-disk/ni',
    tag: 'disk',
    summary: 'Mounts a disk to a host or an instance.',
    access: { right: 'use' },
    body: z.strictObject({
      disk: id,
      resource: id.meta({ description: 'The id of a host or an instance.' }),
      mountPath: z.string().min(1).max(255),
    }),
    answer: { result: mountView },
    status: 202,
    problems: [...REFUSED_WRITES, 'no_such_reference', 'action_not_allowed', 'disk_in_use'],
  }),
  unmount: defineRoute({
    id: 'unmountDisk',
    method: 'DELETE',
    path: '/stor/v1/mount/data-disk/ni/{id}',
    tag: 'disk',
    summary: 'Takes a disk off a host or an instance.',
    access: { right: 'use' },
    params: z.object({ id: z.string().min(1).max(127) }),
    answer: { text: 'ok' },
    problems: [...REFUSED_WRITES, 'action_not_allowed'],
  }),
};

export const IMAGE_ROUTES = {
  ...readingRoutes(image, reading.image),
  ...writingRoutes(image, reading.image, {
    create: creationBody(image.spec, 'llm', 'pullSecret').extend({ displayName: PEOPLE, source }),
    change: changeBody(image.spec, 'llm').extend({ displayName: PEOPLE.optional() }),
    act: z.strictObject({ action: commandsOf(image) }),
    problems: ['name_rule', 'image_malformed', 'official_image'],
  }),
};

export const SNAPSHOT_ROUTES = readingRoutes(snapshot, reading.snapshot);

export const CATALOGUE_ROUTES = {
  regions: defineRoute({
    id: 'listRegions',
    method: 'GET',
    path: '/elnode/v1/cluster/region',
    tag: 'catalogue',
    summary: 'The data centres of this installation.',
    access: 'account',
    query: z.strictObject({ org_id }),
    answer: { data: z.array(z.object({ region: z.string(), name: z.string() })) },
    problems: [],
  }),
  gpuSpecs: defineRoute({
    id: 'listGpuSpecs',
    method: 'GET',
    path: '/elnode/v1/spec',
    tag: 'catalogue',
    summary: 'GPU models on offer, with their stock.',
    access: 'public',
    query: z.strictObject({ gpu_type: z.string().max(63).optional(), region: z.string().max(63).optional() }),
    answer: { data: z.array(gpuSpecView) },
    problems: [],
  }),
  tags: defineRoute({
    id: 'listHostTags',
    method: 'GET',
    path: '/account/v1/ni-tag/g/tag-name',
    tag: 'host',
    summary: "The tags of the organisation's hosts, each once.",
    access: { right: 'view' },
    query: z.strictObject({ org_id, search: z.string().max(63).optional() }),
    answer: { data: z.array(z.string()) },
    problems: [],
  }),
};

/** Every route of this file, by its id. */
export const KIND_ROUTES: Readonly<Record<string, RouteFacts>> = Object.fromEntries(
  [INSTANCE_ROUTES, HOST_ROUTES, DISK_ROUTES, IMAGE_ROUTES, SNAPSHOT_ROUTES, CATALOGUE_ROUTES]
    .flatMap((area): RouteFacts[] => Object.values(area))
    .map((route) => [route.id, route]),
);
