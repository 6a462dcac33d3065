// Services with an address: the way in for members, and what is known of their requests.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { time } from '../../kind-api.ts';
import { webTicket } from '../instances/terminal.ts';

const params = z.strictObject({ id: z.string().min(1).max(63) });
const percentiles = {
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
};
const SCALING_SUMMARY =
  'How many replicas it was to have, from when on, by the system or by hand; the newest 200, newest first.';
const counts = {
  requests: z.number(),
  ok: z.number().meta({ description: 'Answers with 1xx, 2xx or 3xx.' }),
  client_errors: z.number().meta({ description: 'Answers with 4xx.' }),
  server_errors: z.number().meta({ description: 'Answers with 5xx.' }),
  bytes_in: z.number(),
  bytes_out: z.number(),
};

export const trafficView = z.object({
  step_seconds: z.int(),
  end_time: time.meta({ description: 'The end of the newest step.' }),
  now: z.object({
    in_flight: z.number(),
    waiting: z
      .number()
      .meta({ description: 'Requests that are held until a replica is ready; they are in flight, too.' }),
    requests_per_second: z.number().meta({ description: 'Over the last ten seconds, health checks and robots apart.' }),
    last_request_time: time.nullable().meta({ description: 'Health checks and robots apart.' }),
  }),
  hour: z.object({
    ...counts,
    checks: z.number().meta({ description: 'How many of the requests came from health checks and robots.' }),
    wakes: z.number().meta({ description: 'How often a request woke it.' }),
    ...percentiles,
  }),
  steps: z
    .array(z.object({ ...counts, ...percentiles }))
    .meta({ description: 'One a step, oldest first, over the last hour. Empty: no request came.' }),
});
export type TrafficView = z.input<typeof trafficView>;

export const requestView = z.object({
  time,
  method: z.string(),
  path: z.string().meta({ description: 'Without the query; its beginning if it is long.' }),
  status: z.int().meta({ description: '499: the client left before there was an answer.' }),
  ms: z.number().meta({ description: 'Until the end of the answer.' }),
  bytes: z.number().meta({ description: 'Of the answer’s body.' }),
  replica: z.string().nullable().meta({ description: 'The Pod that answered; null if the gateway did.' }),
  is_check: z.boolean().meta({ description: 'It came from a health check or a robot.' }),
});
export type RequestView = z.input<typeof requestView>;

export const replicasView = z.object({
  step_seconds: z.int(),
  end_time: time.meta({ description: 'Of the newest point.' }),
  ready: z.array(z.int().nullable()).meta({
    description:
      'How many were ready, one a step, oldest first, over the last hour; null where that is not known. Empty: nothing is known.',
  }),
});
export type ReplicasView = z.input<typeof replicasView>;

export const scalingRecordView = z.object({
  time,
  before: z.int().nullable().meta({ description: 'Null: it is the first that is known.' }),
  replicas: z.int().meta({ description: 'How many there were to be from then on.' }),
  by: z.enum(['system', 'manual']).nullable().meta({ description: 'Null: it is the first that is known.' }),
  cause: z.string().nullable().meta({
    description: 'The metric or schedule that caused the change; null if a person made it, or if the cause is unknown.',
  }),
  cause_label: z.string().nullable(),
  value: z.number().nullable().meta({ description: 'What was measured of that, over all replicas.' }),
  account_name: z.string().nullable().meta({ description: 'By hand: who changed it. Null: that is not known.' }),
});
export type ScalingRecordView = z.input<typeof scalingRecordView>;

export const SERVICE_ROUTES = {
  openServiceWeb: defineRoute({
    id: 'openServiceWeb',
    method: 'POST',
    path: '/deploy/v1/service/{id}/web',
    tag: 'service',
    summary: 'A link to a published service, which lets its first user in.',
    access: { right: 'use' },
    params,
    answer: { result: webTicket },
    status: 201,
    secret: true,
    problems: ['not_published', 'tenant_web_off'],
  }),
  getServiceTraffic: defineRoute({
    id: 'getServiceTraffic',
    method: 'GET',
    path: '/deploy/v1/service/{id}/traffic',
    tag: 'service',
    summary: 'Its requests now and over the last hour: how many, how fast, how they ended.',
    access: { right: 'view' },
    params,
    answer: { result: trafficView },
    problems: [],
  }),
  listServiceRequests: defineRoute({
    id: 'listServiceRequests',
    method: 'GET',
    path: '/deploy/v1/service/{id}/requests',
    tag: 'service',
    summary: 'Its last requests, newest first.',
    access: { right: 'view' },
    params,
    answer: { data: z.array(requestView) },
    problems: [],
  }),
  getServiceReplicas: defineRoute({
    id: 'getServiceReplicas',
    method: 'GET',
    path: '/deploy/v1/service/{id}/replicas',
    tag: 'service',
    summary: 'How many of its replicas were ready over the last hour.',
    access: { right: 'view' },
    params,
    answer: { result: replicasView },
    problems: [],
  }),
  listServiceScaling: defineRoute({
    id: 'listServiceScaling',
    method: 'GET',
    path: '/deploy/v1/service/{id}/scaling',
    tag: 'service',
    summary: SCALING_SUMMARY,
    access: { right: 'view' },
    params,
    answer: { data: z.array(scalingRecordView) },
    problems: [],
  }),
  listDeploymentScaling: defineRoute({
    id: 'listDeploymentScaling',
    method: 'GET',
    path: '/model/v1/model/deployment/{id}/scaling',
    tag: 'deployment',
    summary: SCALING_SUMMARY,
    access: { right: 'view' },
    params,
    answer: { data: z.array(scalingRecordView) },
    problems: [],
  }),
};
