// A service's spec and status, as the CRD has them.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { idlePolicy } from '../fields/idle.ts';
import { imageSource } from '../fields/image-source.ts';
import { credit, intervals } from '../fields/metering.ts';
import { freeName } from '../fields/name.ts';
import { cron, timeZone } from '../fields/schedule.ts';
import { changing, command, env, expandCommand, host, ports, resources, secretEnv } from '../fields/workload.ts';
import { containerServiceWords as words } from './container-service-words.ts';

/** Every start and end of a replica may begin an interval of use, and those have to fit into a status. */
export const MOST_REPLICAS = 64;
/** Former states of the spec that a service can return to. */
export const MOST_REVISIONS = 5;
/** Five of them have to fit into an object. */
export const MOST_TEMPLATE_LETTERS = 131_072;

/** The metrics that scale replicas. */
export const SCALING_METRICS = ['CPU', 'GPU', 'InFlight', 'RequestsPerSecond', 'PromQL'] as const;

const replicas = z.int().min(0).max(MOST_REPLICAS);

/** The fields that a revision remembers. A change of any of these starts new replicas. */
const template = changing('A change starts new replicas.', {
  image: imageSource,
  command: command('Program and arguments. Without it the image’s own program runs.'),
  expandCommand,
  ...resources('replica'),
  host,
  env,
  secretEnv,
  ports: ports('service'),
});
export const TEMPLATE_FIELDS = Object.keys(template) as (keyof typeof template)[];

export const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    startedBy: z.string().max(63).optional().meta({
      description:
        'The account that started the service or had it use more; its spend cap counts what the service uses. Absent: its creator.',
    }),
    power: z
      .enum(['Running', 'Stopped'])
      .default('Running')
      .meta({ description: 'Stopped: it has no replicas, and requests do not wake it.' }),
    restartCount: z
      .int()
      .min(0)
      .default(0)
      .meta({
        description: 'Raise it by one to replace all replicas, one after another.',
        ...cel(['self >= oldSelf', words.rules.restartCountGrows]),
      }),
    ...template,
    publish: z
      .object({
        port: z.int().min(1).max(65535).describe('The port of the service that requests go to; one of spec.ports.'),
        access: z
          .enum(['Public', 'Tokens', 'Members'])
          .default('Members')
          .describe(
            'Public: everybody. Tokens: whoever sends an API token of the organisation. Members: also people who are logged in to it.',
          ),
      })
      .optional()
      .meta({ description: 'Gives it an address on the internet. Absent: only the organisation reaches it.' }),
    replicas: replicas.default(1).meta({ description: 'How many containers serve. With spec.autoscaling: not used.' }),
    autoscaling: z
      .object({
        min: replicas.default(1).describe('At least so many replicas. 0: it sleeps when there is nothing to do.'),
        max: replicas.min(1).default(3).describe('At most so many replicas.'),
        metrics: z
          .array(
            z
              .object({
                type: z
                  .enum(SCALING_METRICS)
                  .describe(
                    'CPU and GPU: percent of what a replica has. InFlight: requests at once. RequestsPerSecond. PromQL: the value of a query.',
                  ),
                target: z.number().min(0.001).max(1_000_000_000).describe('How much of it one replica is to have.'),
                query: z
                  .string()
                  .min(1)
                  .max(1024)
                  .optional()
                  .describe('PromQL: an expression with one value. It sees only series of this organisation.'),
              })
              .meta(cel(["(self.type == 'PromQL') == has(self.query)", words.rules.query])),
          )
          .max(5)
          .optional()
          .meta({ 'x-kubernetes-list-type': 'atomic' })
          .describe('What the number of replicas follows: the largest that one of them asks for.'),
        scaleDownSeconds: z
          .int()
          .min(0)
          .max(3600)
          .default(300)
          .describe('How long fewer replicas must suffice before some end.'),
        idleSeconds: z
          .int()
          .min(30)
          .max(86_400)
          .default(600)
          .describe('With min 0: how long no request may come before it sleeps.'),
        schedules: z
          .array(
            z.object({
              cron: cron.describe('When it begins.'),
              timeZone: timeZone.optional().describe('The time zone that the fields are meant in. Absent: UTC.'),
              minutes: z.int().min(1).max(10_080).describe('How long it lasts.'),
              min: replicas.describe('At least so many replicas meanwhile.'),
            }),
          )
          .max(10)
          .optional()
          .meta({ 'x-kubernetes-list-type': 'atomic' })
          .describe('Times at which there are more replicas, whatever is measured.'),
      })
      .optional()
      .meta({
        description: 'Lets the number of replicas follow what there is to do.',
        ...cel(
          ['self.min <= self.max', words.rules.minMax],
          ['!has(self.schedules) || self.schedules.all(s, s.min <= self.max)', words.rules.scheduleMax],
        ),
      }),
    readiness: z
      .object({
        path: z
          .string()
          .min(1)
          .max(512)
          .optional()
          .describe(
            'A path that answers with a 2xx or 3xx status. Absent: it is enough that the port accepts connections.',
          )
          .meta(cel(["self.matches('^/[!-~]*$')", words.rules.path])),
        port: z.int().min(1).max(65535).optional().describe('Absent: the published port, or the first one.'),
        timeoutSeconds: z.int().min(1).max(60).default(2).describe('An answer that takes longer counts as none.'),
      })
      .optional()
      .meta({ description: 'When a replica is ready for requests. Absent: as soon as its port accepts connections.' }),
    update: z
      .object({
        maxUnavailable: z
          .int()
          .min(0)
          .max(MOST_REPLICAS)
          .default(0)
          .describe('So many replicas may be missing meanwhile.'),
        maxSurge: z
          .int()
          .min(0)
          .max(8)
          .default(1)
          .describe('So many replicas may exist beyond their number meanwhile.'),
        deadlineMinutes: z
          .int()
          .min(1)
          .max(120)
          .default(15)
          .describe('An update without progress for so long has failed; the replicas before it go on.'),
      })
      .default({ maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 })
      .meta({
        description: 'How new replicas take the place of old ones.',
        ...cel(['self.maxUnavailable + self.maxSurge > 0', words.rules.updateMoves]),
      }),
    wake: z
      .object({
        requests: z
          .int()
          .min(1)
          .max(1000)
          .default(100)
          .describe('So many requests wait while it wakes; others get 503.'),
        seconds: z.int().min(1).max(600).default(120).describe('A request waits at most so long.'),
      })
      .default({ requests: 100, seconds: 120 })
      .meta({ description: 'What becomes of requests while it sleeps or starts.' }),
    idle: idlePolicy('it has no replicas after that.'),
  })
  .describe('What is wanted of the service.');

/** A change to one of these starts replicas or raises its usage. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'restartCount',
  'image',
  'gpu',
  'cores',
  'memoryGi',
  'replicas',
  'autoscaling',
] as const satisfies readonly (keyof z.output<typeof spec>)[];

export const status = z
  .object({
    ...commonStatus,
    url: z.string().max(512).optional().describe('Where it is published.'),
    address: z.string().max(253).optional().describe('Its DNS name inside the cluster.'),
    revision: z.int().min(1).optional().describe('The number of the present revision.'),
    revisions: z
      .array(
        z.object({
          revision: z.int().min(1).describe('The number of the revision.'),
          at: dateTime.describe('When it was first wanted.'),
          hash: z.string().max(64).describe('Tells it from others.'),
          outcome: z.enum(['rolling', 'good', 'bad']).describe('Whether all of its replicas became ready.'),
          image: z.string().max(640).describe('Its image, with the digest where that is known.'),
          template: z
            .string()
            .max(MOST_TEMPLATE_LETTERS)
            .optional()
            .describe('What the spec said, as JSON. Absent: it was too long to keep, and nothing returns to it.'),
        }),
      )
      .max(MOST_REVISIONS)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['revision'] })
      .describe('What the service was, newest first. Older ones are dropped.'),
    replicas: z
      .object({
        wanted: replicas.describe('How many there are to be.'),
        ready: z.int().min(0).describe('How many are ready.'),
        updated: z.int().min(0).describe('How many are of the present revision.'),
        // The scale subresource reads it as 32 bits.
        total: z.int32().min(0).describe('How many exist.'),
      })
      .optional()
      .describe('Its replicas.'),
    selector: z
      .string()
      .max(1024)
      .optional()
      .describe('By which labels the replicas are found. Autoscalers of the cluster read it.'),
    pods: z
      .array(
        z.object({
          name: z.string().max(253).describe('The name of the Pod.'),
          uid: z.string().max(64).describe('Its UID.'),
          revision: z.int().min(1).optional().describe('The revision that it is of.'),
          node: z.string().max(253).optional().describe('The node that it runs on.'),
          part: z
            .int()
            .min(1)
            .optional()
            .describe(
              'Of a replica on several nodes: which part of it this is. Absent: the one that answers requests.',
            ),
          podIP: z.string().max(45).optional().describe('Its address.'),
          phase: z.enum(['waiting', 'starting', 'ready', 'failing', 'ending']).describe('How far it is.'),
          readyAt: dateTime.optional().describe('When it was first ready.'),
          billedFrom: dateTime.optional().describe('Since when its use is billed. Absent: it is not, or not any more.'),
          endedAt: dateTime.optional().describe('When it ended. What it used is recorded.'),
          restarts: z.int().min(0).optional().describe('How often its program ended and was started again.'),
        }),
      )
      .max(MOST_REPLICAS + 8)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe('Its replicas, one by one.'),
    readyAt: dateTime.optional().describe('When the present revision was complete.'),
    asleepSince: dateTime.optional().describe('Since when it sleeps.'),
    scaling: z
      .object({
        replicas: replicas.describe('How many replicas there should be.'),
        because: z.string().max(64).describe('What asks for them: a metric, Schedule, Request, Idle, Min or Max.'),
        value: z.number().optional().describe('What was measured of the metric.'),
        at: dateTime.describe('When the number last changed.'),
      })
      .optional()
      .describe('What autoscaling asks for. The gateway writes it.'),
    traffic: z
      .object({
        lastRequestAt: dateTime.optional().describe('When the last request came, health checks and robots apart.'),
      })
      .optional()
      .describe('What is known of its requests, now and then. The gateway writes it.'),
    intervals: intervals.optional(),
    credit: credit
      .extend({
        replicas: z.int().min(0).optional().describe('For how many replicas credit is reserved. Absent: for all.'),
      })
      .describe('What billing answered. Only billing writes it.')
      .optional(),
  })
  .describe('What is known of the service. The platform writes it.');

export type ContainerService = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type ContainerServiceSpec = ContainerService['spec'];
export type ContainerServiceStatus = NonNullable<ContainerService['status']>;
