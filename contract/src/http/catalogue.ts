// Beside the kinds: mounts, regions, GPU models on offer, tags, and the question whether an instance would find room.
import * as z from 'zod';
import { gpuInstance } from '../kinds/gpu-instance.ts';
import { fitView, gpuSpecView, mountView } from './catalogue-views.ts';
import { defineRoute } from './define-route.ts';
import { creationBody, objectId as id } from './kind-bodies.ts';
import { org_id, REFUSED_WRITES } from './kind-routes.ts';
import { pageQuery } from './paging.ts';

const _params = z.object({ id });

export const MOUNT_ROUTES = {
  listMounts: defineRoute({
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
  mountDisk: defineRoute({
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
  unmountDisk: defineRoute({
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

export const CATALOGUE_ROUTES = {
  fitInstance: defineRoute({
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
  listRegions: defineRoute({
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
  listGpuSpecs: defineRoute({
    id: 'listGpuSpecs',
    method: 'GET',
    path: '/elnode/v1/spec',
    tag: 'catalogue',
    summary: 'GPU models on offer, with their stock.',
    access: 'public',
    query: z.strictObject({ gpu_type: z.string().max(63).optional(), region: z.string().max(63).optional() }),
    answer: {
      data: z.array(
        gpuSpecView.extend({
          note: z.string().nullable().meta({ description: 'What the platform says of the model.' }),
        }),
      ),
    },
    problems: [],
  }),
  listHostTags: defineRoute({
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
