// Beside the kinds: mounts, regions, GPU models on offer, tags, and the question whether an instance would find room.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { creationBody, objectId as id, imageReference, placement } from '../../http/kind-bodies.ts';
import { org_id, REFUSED_WRITES } from '../../http/kind-routes.ts';
import { pageQuery } from '../../http/paging.ts';
import { time } from '../../kind-api.ts';
import { containerService } from '../../kinds/container-service.ts';
import { gpuInstance } from '../../kinds/gpu-instance.ts';
import { job } from '../../kinds/job.ts';
import { fitView, gpuSpecView, mountView, recommendationView, regionView, workloadFitView } from './catalogue-views.ts';

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

const size = ['gpu', 'cores', 'memoryGi', 'host'] as const;
const recommend = (id: string, collection: string, tag: string) =>
  defineRoute({
    id,
    method: 'POST',
    path: `/${collection}/recommendation`,
    tag,
    summary: 'A size for an image, with its reason; nothing is made, and nothing is changed.',
    access: { right: 'view' },
    body: z.strictObject({ image: imageReference }),
    answer: { result: recommendationView },
    problems: ['image_malformed'],
  });

export const CATALOGUE_ROUTES = {
  fitJob: defineRoute({
    id: 'fitJob',
    method: 'POST',
    path: `/${job.collection}/fit`,
    tag: 'job',
    summary: 'Whether all workers of a job like this would find room now; nothing is made.',
    access: { right: 'use' },
    body: creationBody(job.spec, ...size, 'workers', 'priority'),
    answer: { result: workloadFitView },
    problems: ['no_such_reference'],
  }),
  fitService: defineRoute({
    id: 'fitService',
    method: 'POST',
    path: `/${containerService.collection}/fit`,
    tag: 'service',
    summary: 'Whether the replicas of a service like this would find room now; nothing is made.',
    access: { right: 'use' },
    body: creationBody(containerService.spec, ...size, 'replicas'),
    answer: { result: workloadFitView },
    problems: ['no_such_reference'],
  }),
  previewSchedule: defineRoute({
    id: 'previewSchedule',
    method: 'POST',
    path: `/${job.collection}/schedule-preview`,
    tag: 'job',
    summary: 'The next five times of a schedule; nothing is made.',
    access: { right: 'view' },
    body: z.strictObject({ cron: z.string().max(100), timeZone: z.string().max(64).default('UTC') }),
    answer: { result: z.object({ next: z.array(time) }) },
    attemptsPerMinute: 120,
    problems: ['schedule_unreadable', 'too_many_attempts'],
  }),
  recommendJob: recommend('recommendJob', job.collection, 'job'),
  recommendService: recommend('recommendService', containerService.collection, 'service'),
  fitInstance: defineRoute({
    id: 'fitInstance',
    method: 'POST',
    path: `/${gpuInstance.collection}/fit`,
    tag: 'instance',
    summary: 'Whether an instance like this would find room now; nothing is made.',
    access: { right: 'use' },
    body: creationBody(gpuInstance.spec, 'gpu', 'cores', 'memoryGi', 'host').extend({ region: placement }),
    answer: { result: fitView },
    problems: ['no_such_reference', 'region_closed'],
  }),
  listRegions: defineRoute({
    id: 'listRegions',
    method: 'GET',
    path: '/elnode/v1/cluster/region',
    tag: 'catalogue',
    summary: 'The data centres of this installation; whatever names none is created in the first.',
    access: 'account',
    query: z.strictObject({ org_id }),
    answer: { data: z.array(regionView) },
    problems: [],
  }),
  listGpuSpecs: defineRoute({
    id: 'listGpuSpecs',
    method: 'GET',
    path: '/elnode/v1/spec',
    tag: 'catalogue',
    summary: 'GPU models on offer, with their stock: what is free is what the caller could have now.',
    access: 'public',
    query: z.strictObject({
      gpu_type: z.string().max(63).optional(),
      region: z.string().max(63).optional().meta({ description: 'One of the data centres; the first by default.' }),
    }),
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
