import type { ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import { TEMPLATE_FIELDS } from '@gantry/contract/kinds/container-service-schema.ts';
import { rollbackPatch } from '@gantry/contract/kinds/revisions.ts';
import { ANNOTATION, FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { instant } from '../../metering.ts';
import { awayFrom } from '../../serving/away.ts';
import { desiredDeployment, desiredService, urlOf } from '../../serving/desired.ts';
import type { Deployment, ServiceSeen } from '../../serving/reads.ts';
import type { PodTemplate } from '../../serving/served.ts';
import { containerServiceController } from './plan.ts';
import {
  address,
  at,
  context,
  deployment,
  pod,
  quotaOf,
  record,
  reserved,
  revision,
  rolling,
  type ServiceFixture,
  seen,
  service,
  settings,
  silentSince,
} from './testing/fixtures.ts';

const givenBack = {
  conditions: [
    { type: 'Complete', status: 'False' as const, reason: 'GivenBack', message: '', lastTransitionTime: at(0) },
    {
      type: 'CanStart',
      status: 'False' as const,
      reason: 'GivenBack',
      message: '',
      args: { minutes: '15', detail: 'no such image' },
      lastTransitionTime: at(900),
    },
  ],
};

interface Law {
  owner?: ServiceFixture;
  sees?: Partial<ServiceSeen>;
  at?: number;
  gated?: boolean;
  refusals?: Refusal[];
  phase?: string;
  reason?: string;
  says?: string;
  creates?: string[];
  removes?: string[];
  patches?: object[];
  status?: object;
  lacks?: string;
  condition?: object;
  again?: number;
  finalizer?: string;
}

function judge(law: Law) {
  const { gated, refusals = [] } = law;
  const creditGate = gated ? 'required' : 'off';
  const now = context(law.at ?? 60, { refusals, settings: { ...settings, creditGate } });
  const plan = containerServiceController.plan(service(law.owner), seen(law.sees), now);
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.reason) expect(plan.status?.reason).toBe(law.reason);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.creates) expect((plan.create ?? []).map(({ kind }) => kind)).toEqual(law.creates);
  if (law.removes) expect((plan.remove ?? []).map(({ name }) => name)).toEqual(law.removes);
  if (law.patches) expect((plan.patch ?? []).map(({ body }) => body)).toMatchObject(law.patches);
  if (law.patches) expect(plan.patch ?? []).toHaveLength(law.patches.length);
  if (law.status) expect(plan.status).toMatchObject(law.status);
  if (law.lacks) expect(plan.status).not.toHaveProperty(law.lacks);
  if (law.condition) expect(plan.status?.conditions).toContainEqual(expect.objectContaining(law.condition));
  if (law.again !== undefined) expect(plan.againInMs).toBe(law.again);
  if (law.finalizer) expect(plan.finalizer).toBe(law.finalizer);
  return plan;
}

/** A test for each row; its key is the law. */
const laws = (table: Record<string, Law>): void => {
  test.each(Object.entries(table))('%s', (_sentence, law) => {
    judge(law);
  });
};

const nothing: Partial<ServiceSeen> = { deployment: undefined, service: undefined };
const good = revision(1, {}, { outcome: 'good' });
const served: ContainerServiceStatus = {
  ...rolling({ phase: 'active', readyAt: at(20) }, good),
  conditions: [{ type: 'Complete', status: 'True', reason: 'Active', message: '', lastTransitionTime: at(20) }],
};
const two = [pod('ready'), pod('ready', { n: 2 })];
const counted = [
  record(1, { billedFrom: at(20), readyAt: at(20) }),
  record(2, { billedFrom: at(20), readyAt: at(20) }),
];
const autoscaling = { min: 0, max: 3, scaleDownSeconds: 300, idleSeconds: 600 };
const scaling = (replicas: number, because = 'Idle') => ({ replicas, because, at: at(50) });
const waiting = (reason: string, message = '') => pod('placed', { main: { state: { waiting: { reason, message } } } });
const crashed = (exitCode: number, reason = 'Error', message = '') =>
  pod('placed', {
    main: {
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode, reason, message } },
    },
  });

describe('starting', () => {
  laws({
    'a new service records its first revision, and gets a Deployment and a Service': {
      sees: nothing,
      phase: 'preparing',
      creates: ['Deployment', 'Service'],
      status: {
        revision: 1,
        revisions: [{ revision: 1, outcome: 'rolling', image: 'vllm/vllm-openai:v0.9.0', at: at(60) }],
        replicas: { wanted: 2, ready: 0, updated: 0, total: 0 },
        address: 'chat-service.org-acme.svc',
      },
      finalizer: 'keep',
    },
    'nothing is made, and no revision recorded, before credit is reserved': {
      gated: true,
      sees: nothing,
      phase: 'preparing',
      reason: 'WaitingForCredit',
      creates: [],
      lacks: 'revision',
    },
    'with credit reserved for this generation it is made': {
      gated: true,
      owner: { status: { conditions: [reserved()], credit: { until: at(3600) } } },
      sees: nothing,
      creates: ['Deployment', 'Service'],
    },
    'with credit reserved for the generation before it is not': {
      gated: true,
      owner: { generation: 2, status: { conditions: [reserved()], credit: { until: at(3600) } } },
      sees: nothing,
      creates: [],
    },
    'one that was made at rest gets nothing': {
      owner: { spec: { power: 'Stopped' } },
      sees: nothing,
      phase: 'stopped',
      says: 'The service is stopped.',
      creates: [],
    },
    'one that scales to zero starts with one replica': {
      owner: { spec: { autoscaling } },
      sees: nothing,
      creates: ['Deployment', 'Service'],
      status: { replicas: { wanted: 1 } },
    },
    'a private image that is being verified is waited for': {
      sees: { ...nothing, images: { ready: undefined, verifying: {} as never } },
      phase: 'preparing',
      reason: 'ImageBeingVerified',
      creates: [],
    },
    'a host that is not there is a mistake': {
      owner: { spec: { host: 'box' } },
      sees: nothing,
      phase: 'failed',
      says: 'spec.host: there is no host box in this organisation.',
      creates: [],
    },
    'while its image is pulled it is deploying': {
      owner: { status: rolling() },
      sees: { pods: [pod('placed')] },
      phase: 'deploying',
      reason: 'PullingImage',
      creates: [],
      patches: [],
      status: { pods: [{ name: 'chat-service-abc-00001', phase: 'starting', node: 'node-a' }] },
    },
    'with all replicas ready it is active, and its revision good': {
      owner: { status: rolling() },
      sees: { pods: two },
      phase: 'active',
      says: 'All replicas are ready: 2.',
      status: {
        readyAt: at(60),
        revisions: [{ revision: 1, outcome: 'good' }],
        replicas: { wanted: 2, ready: 2, updated: 2, total: 2 },
        selector: 'gantry.dev/kind=ContainerService,gantry.dev/name=chat',
        pods: [
          { phase: 'ready', readyAt: at(20), billedFrom: at(20), podIP: '10.0.0.1', revision: 1 },
          { phase: 'ready', podIP: '10.0.0.2' },
        ],
      },
      condition: { type: 'Complete', status: 'True', lastTransitionTime: at(60) },
    },
    'with one of two ready it is not': {
      owner: { status: rolling() },
      sees: { pods: [pod('ready'), pod('started', { n: 2, startedAt: 50 })] },
      phase: 'deploying',
      says: '1 of 2 replicas are ready.',
      condition: { type: 'Available', status: 'True' },
    },
    'another object with its name is left alone, and named': {
      sees: nothing,
      refusals: [{ kind: 'Deployment', name: 'chat-service', reason: 'AlreadyExists', message: 'exists' }],
      phase: 'failed',
      says: 'Another object already has the name chat-service. Delete it, or give the service another name.',
      creates: ['Deployment', 'Service'],
    },
    'what the cluster refuses is said in its words': {
      sees: nothing,
      refusals: [{ kind: 'Deployment', name: 'chat-service', reason: 'Invalid', message: 'spec.template: no' }],
      phase: 'failed',
      says: 'The cluster refuses the service: spec.template: no',
    },
  });

  test('the digest of a verified image is pinned, and pulled with its secret', () => {
    const verified = { spec: { pullSecret: 'mine' }, status: { phase: 'ready', digest: `sha256:${'a'.repeat(64)}` } };
    const plan = judge({ sees: { ...nothing, images: { ready: verified as never, verifying: undefined } } });
    const image = `vllm/vllm-openai:v0.9.0@sha256:${'a'.repeat(64)}`;
    expect(plan.status?.revisions).toMatchObject([{ image }]);
    expect(plan.create?.[0]).toMatchObject({
      spec: {
        template: {
          spec: { imagePullSecrets: [{ name: 'mine' }], containers: [{ image, imagePullPolicy: 'IfNotPresent' }] },
        },
      },
    });
  });
});

describe('how many replicas', () => {
  const scaled = (replicas: number) => [{ spec: { replicas } }];
  const gated = { conditions: [...(served.conditions ?? []), reserved()], credit: { until: at(3600) } };
  const three = { ...served, ...gated };
  const full = (status: ContainerServiceStatus): Law => ({
    gated: true,
    owner: { spec: { replicas: 3 }, status },
    sees: { pods: two },
  });
  const untrusted = { ...served, conditions: [...(served.conditions ?? []), reserved('False', 'NoPrice')], credit: {} };
  laws({
    'more are added': {
      owner: { spec: { replicas: 3 }, status: served },
      sees: { pods: two },
      patches: scaled(3),
      phase: 'deploying',
    },
    'a number changed by hand is put back': {
      owner: { status: served },
      sees: { pods: two, deployment: deployment(7) },
      patches: scaled(2),
    },
    'as autoscaling says': {
      owner: { spec: { autoscaling }, status: { ...served, scaling: scaling(3, 'InFlight') } },
      patches: scaled(3),
    },
    'credit for all lets all start': { ...full(three), patches: scaled(3) },
    'credit for some lets some start, and says so': {
      ...full({ ...three, credit: { until: at(3600), replicas: 2 } }),
      patches: [],
      phase: 'partialSuccess',
      says: 'Credit covers 2 of 3 replicas: enough for one',
      status: { replicas: { wanted: 3 } },
    },
    'credit for fewer than run ends some': {
      ...full({ ...three, credit: { until: at(3600), replicas: 1 } }),
      patches: scaled(1),
    },
    'without a price no more start, and those that run go on': { ...full(untrusted), patches: [], reason: 'NoPrice' },
    'fewer need no credit': {
      gated: true,
      owner: { spec: { replicas: 1 }, status: untrusted },
      sees: { pods: two },
      patches: scaled(1),
    },
    'with fifty stretches not billed no more start': {
      ...full({
        ...three,
        intervals: Array.from({ length: 50 }, (_, index) => ({
          seq: index + 1,
          subjectUID: 'uid-chat',
          from: at(index),
          to: at(index + 1),
          uses: [],
        })),
      }),
      patches: [],
      reason: 'UsageNotPosted',
    },
    'out of credit all end': {
      gated: true,
      owner: { status: { ...served, pods: counted, conditions: [reserved('False', 'OutOfCredit')], credit: {} } },
      sees: { pods: two },
      patches: scaled(0),
      phase: 'stopping',
      says: 'The organisation is out of credit: enough for one',
    },
    'out of credit it is stopped, and says why': {
      gated: true,
      owner: { status: { ...served, conditions: [reserved('False', 'OutOfCredit')], credit: {} } },
      sees: { deployment: deployment(0) },
      phase: 'stopped',
      reason: 'OutOfCredit',
      patches: [],
    },
    'stopped, all end': {
      owner: { spec: { power: 'Stopped' }, status: served },
      sees: { pods: two },
      patches: scaled(0),
      phase: 'stopping',
      reason: 'Ending',
      removes: [],
    },
    'a replica that hangs on a silent node keeps nobody from being stopped': {
      owner: { spec: { power: 'Stopped' }, status: served },
      sees: { pods: [pod('ready', { deleting: true })], deployment: deployment(0), ...silentSince(70) },
      at: 200,
      phase: 'stopped',
    },
    'asleep it has none, and says since when': {
      owner: { spec: { autoscaling }, status: { ...served, scaling: scaling(0) } },
      sees: { pods: [] },
      patches: scaled(0),
      phase: 'sleeping',
      reason: 'Asleep',
      status: { asleepSince: at(60), replicas: { wanted: 0 } },
    },
    'a request wakes it': {
      owner: {
        spec: { autoscaling },
        status: { ...served, phase: 'sleeping', asleepSince: at(40), scaling: scaling(1, 'Request') },
      },
      sees: { deployment: deployment(0) },
      patches: scaled(1),
      phase: 'waking',
      reason: 'Waking',
      lacks: 'asleepSince',
    },
    'one that wakes before billing has decided about its first replica waits for that': {
      gated: true,
      owner: {
        spec: { autoscaling },
        status: {
          ...three,
          phase: 'sleeping',
          scaling: scaling(1, 'Request'),
          credit: { until: at(3600), replicas: 0 },
        },
      },
      sees: { deployment: deployment(0) },
      phase: 'waking',
      reason: 'WaitingForCredit',
      patches: [],
    },
    'it wakes until a replica is ready': {
      owner: { spec: { autoscaling }, status: { ...served, phase: 'waking', scaling: scaling(1, 'Request') } },
      sees: { deployment: deployment(1), pods: [pod('started', { startedAt: 55 })] },
      patches: [],
      phase: 'waking',
    },
    'one that wakes and cannot start says why': {
      owner: { spec: { autoscaling }, status: { ...served, phase: 'waking', scaling: scaling(1, 'Request') } },
      sees: { deployment: deployment(1), pods: [waiting('ImagePullBackOff', 'not found')] },
      phase: 'waking',
      reason: 'ImageNotFound',
    },
    'with replicas 0 it is no sleep: nothing wakes it': {
      owner: { spec: { replicas: 0 }, status: served },
      sees: { deployment: deployment(0) },
      phase: 'sleeping',
      reason: 'ScaledToZero',
      lacks: 'asleepSince',
    },
    'on a host that is over all end': {
      owner: { spec: { host: 'box' }, status: served },
      sees: { pods: two, host: { metadata: { name: 'box', uid: 'uid-box' }, status: { phase: 'draining' } } as never },
      patches: scaled(0),
      reason: 'HostExpired',
    },
  });
});

describe('updates', () => {
  const env = [{ name: 'MODEL', value: 'large' }];
  const edited = { env };
  const update = { ...served, revisions: [revision(2, edited, { at: at(100) }), good], revision: 2 };
  const renewed = { deployment: deployment(2, { spec: edited, of: revision(2, edited) }) };
  const incomplete = {
    conditions: [
      { type: 'Complete', status: 'False' as const, reason: 'Rolling', message: '', lastTransitionTime: at(100) },
    ],
  };
  const late = 100 + 15 * 60;
  const { template } = deployment().spec ?? {};
  const remembered = JSON.stringify({ revision: 1, spec: { template } });
  const remembering = (one: Deployment): Deployment => ({
    ...one,
    metadata: { ...one.metadata, annotations: { [ANNOTATION.before]: remembered } },
  });
  const rolledOver = remembering(renewed.deployment);
  const goneBack = remembering(deployment());
  const surging = pod('placed', {
    n: 3,
    revision: 2,
    main: { state: { waiting: { reason: 'ImagePullBackOff', message: 'rpc: no such image' } } },
  });
  const wentBack: ContainerServiceStatus = {
    ...update,
    revisions: [revision(2, edited, { outcome: 'bad' }), good],
    conditions: [
      ...incomplete.conditions,
      {
        type: 'Progressing',
        status: 'False',
        reason: 'UpdateGivenBack',
        message: '',
        args: { revision: '2', minutes: '15', detail: 'no such image' },
        lastTransitionTime: at(late),
      },
    ],
  };
  laws({
    'an edit is a new revision, recorded with the Deployment still as it was': {
      owner: { spec: edited, status: served },
      sees: { pods: two },
      at: 100,
      phase: 'deploying',
      says: '0 of 2 replicas are of revision 2.',
      status: {
        revision: 2,
        revisions: [
          { revision: 2, outcome: 'rolling', at: at(100) },
          { revision: 1, outcome: 'good' },
        ],
      },
      lacks: 'readyAt',
      patches: [
        {
          spec: {
            replicas: 2,
            template: {
              metadata: { labels: { [LABEL.run]: '2' } },
              spec: { containers: [{ env: expect.arrayContaining(env) }] },
            },
          },
        },
      ],
      condition: { type: 'Complete', status: 'False', lastTransitionTime: at(100) },
    },
    'restartCount alone is one, too': {
      owner: { spec: { restartCount: 1 }, status: served },
      sees: { pods: two },
      status: { revision: 2 },
    },
    'a revision that the spec moved on from before it was complete is bad': {
      owner: { spec: edited, status: rolling() },
      status: {
        revisions: [
          { revision: 2, outcome: 'rolling' },
          { revision: 1, outcome: 'bad' },
        ],
      },
    },
    'without credit for it, an edit waits, and nothing is recorded': {
      gated: true,
      owner: {
        generation: 2,
        spec: edited,
        status: { ...served, conditions: [reserved()], credit: { until: at(3600) } },
      },
      sees: { pods: two },
      phase: 'deploying',
      reason: 'WaitingForCredit',
      status: { revision: 1 },
      patches: [],
    },
    'while both revisions have replicas it rolls': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: { ...renewed, pods: [...two, pod('started', { n: 3, revision: 2, startedAt: 110 })] },
      at: 120,
      phase: 'deploying',
      says: '0 of 2 replicas are of revision 2.',
      status: { replicas: { wanted: 2, ready: 2, updated: 1, total: 3 } },
      again: (110 + 60 - 120) * 1000,
    },
    'an edit of a good revision remembers the template that its replicas have': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: { pods: two },
      at: 100,
      patches: [{ metadata: { annotations: { [ANNOTATION.before]: remembered } }, spec: { template: {} } }],
    },
    'past the deadline a replica of it that has a node and serves nobody gives its cards back, while the old ones go on':
      {
        owner: { spec: edited, status: { ...update, ...incomplete } },
        sees: { deployment: rolledOver, pods: [...two, surging] },
        at: late,
        phase: 'partialSuccess',
        says: 'Revision 2 is not ready after 15 minutes, so its replicas were stopped and their GPUs are free: The image vllm/vllm-openai:v0.9.0 cannot be pulled: rpc: no such image. The replicas of the previous revision keep running. Change it or restart it to try again.',
        patches: [
          {
            metadata: { labels: { [LABEL.run]: '1' } },
            spec: { replicas: 2, template: { metadata: { labels: { [LABEL.run]: '1' } } } },
          },
        ],
        status: { revisions: [{ revision: 2, outcome: 'bad' }, { outcome: 'good' }] },
        condition: { type: 'Progressing', status: 'False', reason: 'UpdateGivenBack' },
      },
    'what went back stays so, and its reason is told after its Pods': {
      owner: { spec: edited, status: wentBack },
      sees: { deployment: goneBack, pods: [pod('ready'), pod('started', { n: 2, startedAt: late - 5 })] },
      at: late + 10,
      phase: 'partialSuccess',
      reason: 'UpdateGivenBack',
      condition: {
        type: 'Progressing',
        status: 'False',
        args: { revision: '2', minutes: '15', detail: 'no such image' },
      },
      patches: [],
    },
    'a replica that takes the place of an old one does not start what failed again': {
      owner: { spec: edited, status: wentBack },
      sees: { deployment: goneBack, pods: [pod('ready'), pod('ready', { n: 2, readyAt: late + 5 })] },
      at: late + 10,
      phase: 'partialSuccess',
      patches: [],
    },
    'what went back is scaled as it is': {
      owner: { spec: { ...edited, replicas: 3 }, status: wentBack },
      sees: { deployment: goneBack, pods: two },
      at: late + 10,
      patches: [{ spec: { replicas: 3 } }],
    },
    'a restart of what went back is tried': {
      owner: { spec: { ...edited, restartCount: 1 }, status: wentBack },
      sees: { deployment: goneBack, pods: two },
      at: late + 10,
      phase: 'deploying',
      patches: [{ metadata: { labels: { [LABEL.run]: '3' }, annotations: { [ANNOTATION.before]: remembered } } }],
    },
    'a late replica that waits for a node holds nothing, and goes on waiting': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: { deployment: rolledOver, pods: [...two, pod('unplaced', { n: 3, revision: 2 })] },
      at: late,
      reason: 'UpdateFailed',
      patches: [],
    },
    'a late revision of which some replicas are used goes on': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: { deployment: rolledOver, pods: [pod('ready'), pod('ready', { n: 4, revision: 2 }), surging] },
      at: late,
      patches: [],
    },
    'past the deadline it has failed while the old ones go on': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: {
        ...renewed,
        pods: [
          ...two,
          {
            ...crashed(1, 'Error', 'no model'),
            ...pod('placed', {
              n: 3,
              revision: 2,
              main: crashed(1, 'Error', 'no model').status?.containerStatuses?.[0] as object,
            }),
          },
        ],
      },
      at: late,
      phase: 'partialSuccess',
      reason: 'UpdateFailed',
      says: 'Revision 2 is not ready after 15 minutes: the program ended: exit code 1, after it wrote “no model”. The replicas of the previous revision keep running. Correct the service, or roll it back.',
      status: { revisions: [{ outcome: 'bad' }, { outcome: 'good' }] },
      condition: { type: 'Progressing', status: 'False' },
    },
    'one second before the deadline it has not': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: { ...renewed, pods: two },
      at: late - 1,
      phase: 'deploying',
      again: 1000,
    },
    'each replica that gets ready moves the deadline': {
      owner: { spec: edited, status: { ...update, ...incomplete } },
      sees: { ...renewed, pods: [pod('ready'), pod('ready', { n: 3, revision: 2, readyAt: 400 })] },
      at: late,
      phase: 'deploying',
    },
    'a late one can still become complete': {
      owner: {
        spec: edited,
        status: { ...update, ...incomplete, revisions: [revision(2, edited, { outcome: 'bad' }), good] },
      },
      sees: { ...renewed, pods: [pod('ready', { n: 3, revision: 2 }), pod('ready', { n: 4, revision: 2 })] },
      at: 5000,
      phase: 'active',
      status: { revisions: [{ outcome: 'good' }, { outcome: 'good' }] },
    },
    'of a GPU model that no node has it makes nothing, and needs no credit': {
      owner: { status: {} },
      sees: { cards: new Map([['L40S', 8]]), deployment: undefined, pods: [] },
      phase: 'preparing',
      says: 'No node has the GPU model H100. The cluster has: L40S.',
      condition: { type: 'CanStart', status: 'False', reason: 'UnknownGpuModel' },
    },
    'of more cards than any node has it makes nothing, and needs no credit': {
      owner: { spec: { gpu: { model: 'H100', count: 2 } }, status: {} },
      sees: { cards: new Map([['H100', 1]]), deployment: undefined, pods: [] },
      phase: 'preparing',
      says: 'Needs 2 × H100 on one node; the largest node has 1. Choose at most 1.',
      condition: { type: 'CanStart', status: 'False', reason: 'TooManyGpus' },
    },
    'of more than the quota of its organisation allows it makes nothing, and needs no credit': {
      owner: { spec: { gpu: { model: 'H100', count: 2 } }, status: {} },
      sees: { quota: quotaOf(1), deployment: undefined, pods: [] },
      phase: 'preparing',
      condition: { type: 'CanStart', status: 'False', reason: 'QuotaExceeded' },
    },
    'of what the quota allows only to some replicas makes those': {
      owner: { spec: { gpu: { model: 'H100', count: 1 } }, status: {} },
      sees: { quota: quotaOf(1), deployment: undefined, pods: [] },
      creates: ['Deployment'],
    },
    'that runs goes on when its quota is lowered': {
      owner: { status: served },
      sees: { quota: quotaOf(0), pods: two },
      phase: 'active',
    },
    'whose cards no node has any more keeps what has a node': {
      owner: { status: served },
      sees: { cards: new Map([['L40S', 8]]), pods: two },
      phase: 'active',
    },
    'that cannot start has no deadline for it, so its time begins once it can': {
      owner: { status: rolling() },
      sees: { cards: new Map([['L40S', 8]]), deployment: deployment(0), pods: [] },
      at: 60 * 60,
      phase: 'deploying',
      says: 'No node has the GPU model H100. The cluster has: L40S.',
      condition: { type: 'Complete', status: 'True' },
    },
    'with none ready past the deadline it has failed, and what its replicas held is given back': {
      owner: { status: rolling() },
      sees: { pods: [waiting('ImagePullBackOff', 'rpc: not found'), waiting('ImagePullBackOff')] },
      at: 15 * 60,
      phase: 'failed',
      says: 'No replica started within 15 minutes, so all of them were stopped and their GPUs are free. Change it or restart it to try again. The reason was: The image vllm/vllm-openai:v0.9.0 cannot be pulled: rpc: not found',
      status: { revisions: [{ outcome: 'bad' }] },
      patches: [{ spec: { replicas: 0 } }],
      condition: { type: 'CanStart', status: 'False', reason: 'GivenBack' },
    },
    'what was given up stays so, and its reason is told after its Pods': {
      owner: { status: rolling(givenBack) },
      sees: { deployment: deployment(0), pods: [] },
      at: 15 * 60,
      phase: 'failed',
      reason: 'GivenBack',
      patches: [],
      condition: { type: 'CanStart', status: 'False', args: { minutes: '15', detail: 'no such image' } },
    },
    'an edit of what was given up is tried': {
      owner: { spec: edited, status: { ...served, ...givenBack } },
      sees: { deployment: deployment(0), pods: [] },
      at: 15 * 60,
      phase: 'deploying',
      status: { revision: 2 },
    },
    'replicas that wait for room hold nothing, and go on waiting': {
      owner: { status: rolling() },
      sees: { pods: [pod('unplaced'), pod('unplaced', { n: 2 })] },
      at: 15 * 60,
      phase: 'failed',
      reason: 'NotReady',
      patches: [],
    },
    'with some ready past the deadline it runs partly': {
      owner: { status: rolling() },
      sees: { pods: [pod('ready'), crashed(137, 'OOMKilled')] },
      at: 20 * 60,
      phase: 'partialSuccess',
      reason: 'ReplicasFailing',
    },
    'an edit while it sleeps waits until it wakes': {
      owner: { spec: { autoscaling, ...edited }, status: { ...served, phase: 'sleeping', scaling: scaling(0) } },
      sees: { deployment: deployment(0) },
      phase: 'sleeping',
      status: { revision: 1 },
      patches: [],
    },
    'a template made by another version of Gantry starts nothing anew': {
      owner: { status: served },
      sees: { pods: two, deployment: withTemplate({ priorityClassName: 'older', volumes: [] }) },
      patches: [],
    },
    'a program put in by hand is put back': {
      owner: { status: served },
      sees: { pods: two, deployment: withTemplate({ containers: [{ name: 'main', image: 'evil' }] }) },
      patches: [{ spec: { template: { spec: { containers: [{ image: 'vllm/vllm-openai:v0.9.0' }] } } } }],
    },
    'a container put beside it by hand is taken out': {
      owner: { status: served },
      sees: { pods: two, deployment: withTemplate({ initContainers: [{ name: 'x', image: 'evil' }] }) },
      patches: [{ spec: { template: { spec: { initContainers: null } } } }],
    },
    'a Service that selects others is put back': {
      owner: { status: served },
      sees: { pods: two, service: { ...address(), spec: { ...address().spec, selector: { app: 'x' } } } },
      patches: [{ spec: { selector: { app: null, [LABEL.name]: 'chat' } } }],
    },
    'other ports change the Service at once': {
      owner: {
        spec: { ports: [{ port: 9000 }] },
        status: { ...served, revisions: [revision(1, { ports: [{ port: 9000 }] })] },
      },
      sees: { pods: two, deployment: deployment(2, { spec: { ports: [{ port: 9000 }] } }) },
      patches: [{ spec: { ports: [{ name: 'tcp-9000', port: 9000 }] } }],
    },
    'another deadline or surge needs no new replicas': {
      owner: { spec: { update: { maxUnavailable: 1, maxSurge: 2, deadlineMinutes: 30 } }, status: served },
      sees: { pods: two },
      phase: 'active',
      patches: [
        { spec: { progressDeadlineSeconds: 1800, strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } } },
      ],
    },
    'a Deployment that somebody deleted is made again, of the same revision': {
      owner: { status: served },
      sees: { deployment: undefined },
      creates: ['Deployment'],
      status: { revision: 1 },
    },
  });

  test('an edit of what was never complete remembers nothing of it, so that the good one before it stays remembered', () => {
    const plan = judge({
      owner: { spec: { ...edited, restartCount: 1 }, status: { ...update, ...incomplete } },
      sees: { deployment: rolledOver, pods: two },
      at: 120,
    });
    expect(plan.patch?.[0]?.body).toMatchObject({ metadata: { labels: { [LABEL.run]: '3' } } });
    expect(plan.patch?.[0]?.body).not.toHaveProperty('metadata.annotations');
  });

  function withTemplate(more: object) {
    const made = deployment();
    const template = { ...made.spec?.template, spec: { ...made.spec?.template.spec, ...more } };
    return { ...made, spec: { ...made.spec, template } } as typeof made;
  }

  test('a rollback is a new revision that is as the old one was', () => {
    const before = judge({ owner: { spec: edited, status: served }, sees: { pods: two }, at: 100 });
    const present = service({ spec: edited, status: { ...served, ...before.status } as ContainerServiceStatus });
    const first = judge({ sees: nothing }).status?.revisions?.[0]?.template ?? '';
    const [second, former] = present.status?.revisions ?? [];
    const status = { ...present.status, revisions: [second, { ...former, template: first }] } as ContainerServiceStatus;
    // As a merge patch: null takes a field out.
    const patched = Object.entries({ ...present.spec, ...rollbackPatch({ ...present, status }, TEMPLATE_FIELDS) });
    const spec = Object.fromEntries(patched.filter(([, value]) => value !== null));
    const { status: after } = judge({ owner: { spec, status }, sees: { pods: two }, at: 200 });
    expect(after?.revisions?.map((one) => [one.revision, one.outcome])).toEqual([
      [3, 'rolling'],
      [2, 'bad'],
      [1, 'good'],
    ]);
  });

  test('five revisions are kept, and their numbers go on', () => {
    const revisions = [5, 4, 3, 2, 1].map((number) => revision(number, { restartCount: number }));
    const { status } = judge({ owner: { spec: { restartCount: 6 }, status: { ...served, revisions } } });
    expect(status?.revisions?.map(({ revision: number }) => number)).toEqual([6, 5, 4, 3, 2]);
  });

  test('a template that is too long to keep is left out', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `V${index}`, value: 'x'.repeat(2000) }));
    const { status } = judge({ owner: { spec: { env: many }, status: served } });
    expect(status?.revisions?.[0]).not.toHaveProperty('template');
  });
});

describe('what is wrong with its replicas', () => {
  const beside = (one: Pod, more: Partial<ServiceSeen> = {}): Law => ({
    owner: { status: rolling() },
    sees: { pods: [one], ...more },
    phase: 'deploying',
  });
  const none = { free: 0, freeCores: 0, freeMemoryGi: 0, freeRootGi: 0, freePods: 0 };
  const stock = { ...none, models: ['H100', 'L40S'], fits: false };
  const failing = (message: string) => {
    const made = deployment();
    const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message };
    return { deployment: { ...made, status: { conditions: [condition] } } as typeof made, pods: [] };
  };
  const RUNC = 'failed to create containerd task: OCI runtime create failed: ';
  laws({
    'an image that is not there': {
      ...beside(waiting('ErrImagePull', 'rpc error: vllm/vllm-openai:v0.9.0: not found')),
      says: 'The image vllm/vllm-openai:v0.9.0 cannot be pulled: not found',
      status: { pods: [{ phase: 'failing' }] },
    },
    'a Secret that is not there': {
      ...beside(waiting('CreateContainerConfigError', 'secret "mine" not found')),
      owner: {
        spec: { secretEnv: [{ name: 'T', secret: 'mine', key: 'token' }] },
        status: rolling({}, revision(1, { secretEnv: [{ name: 'T', secret: 'mine', key: 'token' }] })),
      },
      says: 'spec.secretEnv: the Secret mine or its key token does not exist.',
    },
    'a key that the Secret lacks': {
      ...beside(waiting('CreateContainerConfigError', "couldn't find key token in Secret org-acme/mine")),
      says: 'spec.secretEnv: the Secret mine or its key token does not exist.',
    },
    'a container that cannot be made': {
      ...beside(waiting('CreateContainerError', 'exec: no such file')),
      says: 'The container cannot be created: exec: no such file',
    },
    'a program that cannot be started': {
      ...beside(waiting('RunContainerError', `${RUNC}exec: "nosuch": executable file not found in $PATH: unknown`)),
      reason: 'ProgramEnds',
      says: 'the program ended: the program could not be started: exec: "nosuch": executable file not found in $PATH',
    },
    'too little memory': { ...beside(crashed(137, 'OOMKilled')), reason: 'OutOfMemory' },
    'a program that ends, with what it wrote': {
      ...beside(crashed(127, 'Error', 'sh: serve: not found')),
      says: 'the program ended: exit code 127: the image has no such command, after it wrote “sh: serve: not found”',
    },
    'a program that does not answer': {
      ...beside(pod('started', { startedAt: 0 })),
      at: 120,
      says: 'The program does not answer at port 8000.',
    },
    'no node with so many free cards': {
      ...beside(pod('unplaced'), { stock }),
      says: 'Needs 1 × H100; 0 are free.',
      status: { pods: [{ phase: 'waiting' }] },
    },
    'a model that the cluster has not': {
      ...beside(pod('unplaced'), { stock: { ...stock, models: ['L40S'] } }),
      says: 'No node has the GPU model H100. The cluster has: L40S.',
    },
    'too little room beside the cards': {
      ...beside(pod('unplaced'), { stock: { ...stock, free: 1, fits: true, freeCores: 1 } }),
      says: 'No node has room for a replica: it needs 2 cores; free: 1',
    },
    'the quota': {
      ...beside(
        pod('placed'),
        failing(
          'pods "x" is forbidden: exceeded quota: gantry, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=8, limited: requests.nvidia.com/gpu=8',
        ),
      ),
      reason: 'QuotaExceeded',
    },
    'the quota of an organisation without credit': {
      ...beside(
        pod('placed'),
        failing('pods "x" is forbidden: exceeded quota: credit, requested: pods=1, used: pods=0, limited: pods=0'),
      ),
      reason: 'OutOfCredit',
    },
    'the rules for Pods': {
      ...beside(pod('placed'), failing('pods "x" is forbidden: violates PodSecurity "baseline:latest": hostPort')),
      reason: 'Refused',
    },
    'a silent node: others take their place': {
      owner: { status: { ...served, pods: counted } },
      sees: { pods: two, ...silentSince(70) },
      at: 130,
      phase: 'deploying',
      says: 'Node node-a does not answer; its replicas are not billed meanwhile, and new ones replace them.',
      status: { replicas: { ready: 0, total: 0 } },
    },
  });
});

describe('Pods that ended', () => {
  const ended = pod('ended', { deleting: true });
  const stamped = { ...served, pods: [record(1, { endedAt: at(90) })] };
  const freed = { metadata: { finalizers: [] } };
  laws({
    'one whose end is not recorded yet is recorded, and let go with that': {
      owner: { status: { ...served, pods: counted } },
      sees: { pods: [ended] },
      at: 95,
      status: { pods: [{ endedAt: at(90), phase: 'ending' }] },
      patches: [freed],
    },
    'one whose end is recorded is let go': {
      owner: { status: stamped },
      sees: { pods: [ended] },
      at: 100,
      patches: [freed],
      removes: [],
    },
    'one that ended in place is removed: its ReplicaSet would leave it there': {
      owner: { status: stamped },
      sees: { pods: [pod('ended', { phase: 'Failed' })] },
      at: 100,
      patches: [freed],
      removes: ['chat-service-abc-00001'],
    },
    'one that is told to end and still runs is held': {
      owner: { status: { ...served, pods: counted } },
      sees: { pods: [pod('ready', { deleting: true })] },
      at: 85,
      patches: [],
      status: { pods: [{ phase: 'ending', billedFrom: at(20) }] },
    },
    'a program that ends between two tries is no end': {
      owner: { status: { ...served, pods: counted } },
      sees: { pods: [pod('ended', { phase: 'Running' }), two[1] as Pod] },
      at: 95,
      patches: [],
      status: { pods: [{ billedFrom: at(20) }, { billedFrom: at(20) }] },
    },
    'one that hangs on a silent node is stamped and let go': {
      owner: { status: { ...served, pods: counted } },
      sees: { pods: [pod('ready', { deleting: true })], ...silentSince(70) },
      at: 200,
      status: { pods: [{ endedAt: at(70) }] },
      patches: [freed],
    },
    'the labels that a hand took off are put back': {
      owner: { status: served },
      sees: { pods: [{ ...two[0], metadata: { ...two[0]?.metadata, labels: {} } } as Pod, two[1] as Pod] },
      patches: [{ metadata: { labels: { [LABEL.kind]: 'ContainerService', [LABEL.name]: 'chat' } } }],
    },
    'the finalizer that a hand took off is put back': {
      owner: { status: served },
      sees: { pods: [pod('ready', { metered: false }), two[1] as Pod] },
      patches: [{ metadata: { finalizers: [FINALIZER.metered] } }],
    },
  });
});

describe('a GPU that fails under a replica', () => {
  /** A fault of a GPU on `node-a`, at a second; without holders, the faulty card is unknown. */
  const failed = (second: number, holders?: readonly string[]): Pick<ServiceSeen, 'nodes'> => {
    const fault = { since: instant(at(second)) ?? 0, detail: 'XID 79', ...(holders && { holders }) };
    return { nodes: { 'node-a': { ready: 'True', since: 0, faults: [fault] } } };
  };
  const first = 'org-acme/chat-service-abc-00001';
  const owner = { status: { ...served, pods: counted } };
  const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
  const matchFields = [{ key: 'metadata.name', operator: 'NotIn', values: ['node-a'] }];
  const term = { weight: 100, preference: { matchFields } };
  const elsewhere = { spec: { affinity: { nodeAffinity: { [PREFERRED]: [term, term] } } } };
  /** Its replicas prefer other nodes than `node-a`. */
  const left = (replicas: number): Deployment => {
    const made = deployment(replicas);
    const template = awayFrom(made.spec?.template as PodTemplate, ['node-a']);
    return { ...made, spec: { ...made.spec, template } } as Deployment;
  };
  const ending = (one: Pod): Pod => ({ ...one, metadata: { ...one.metadata, deletionTimestamp: at(80) } });
  laws({
    'takes it away, and no other: the next one starts on a sound card': {
      owner,
      sees: { pods: two, ...failed(50, [first]) },
      at: 60,
      removes: ['chat-service-abc-00001'],
    },
    'under all of them, where nobody says of which card: they go with their template, and the next ones prefer other nodes':
      {
        owner,
        sees: { pods: two, ...failed(50) },
        at: 60,
        patches: [{ spec: { replicas: 0, template: elsewhere } }],
        removes: [],
      },
    'beside one that waits for room, which is not sound before it has a node: else it would take the failed place': {
      owner,
      sees: { pods: [pod('ready'), pod('unplaced', { n: 2 })], ...failed(50, [first]) },
      at: 60,
      patches: [{ spec: { replicas: 0, template: elsewhere } }],
      removes: [],
    },
    'beside one that starts on a node, it alone goes': {
      owner,
      sees: { pods: [pod('ready'), pod('placed', { n: 2 })], ...failed(50, [first]) },
      at: 60,
      patches: [],
      removes: ['chat-service-abc-00001'],
    },
    'a Deployment that has gone to none waits until they end': {
      owner,
      sees: { pods: two, ...failed(50), deployment: left(0) },
      at: 60,
      patches: [],
      removes: [],
    },
    'once they end it comes back, elsewhere': {
      owner,
      sees: { pods: two.map(ending), ...failed(50), deployment: left(0) },
      at: 85,
      patches: [{ spec: { replicas: 2 } }],
      removes: [],
    },
    'the next ones that run, on that node too where nothing else has room, keep their template': {
      owner,
      sees: { pods: two, ...failed(0), deployment: left(2) },
      at: 60,
      patches: [],
      removes: [],
    },
    'a later revision has no more to do with a node whose GPU was replaced': {
      owner: { spec: { cores: 3 }, status: { ...served, pods: counted } },
      sees: { pods: two, deployment: left(2) },
      at: 60,
      patches: [{ spec: { template: { spec: { affinity: { nodeAffinity: { [PREFERRED]: null } } } } } }],
    },
    'without a Deployment that a hand deleted, they are removed': {
      owner,
      sees: { pods: two, ...failed(50), deployment: undefined },
      at: 60,
      removes: ['chat-service-abc-00001', 'chat-service-abc-00002'],
    },
    'keeps one that was made after it: it would be deleted for ever': {
      owner,
      sees: { pods: two, ...failed(0) },
      at: 60,
      removes: [],
    },
    'keeps one that still waited for a card when it failed': {
      owner,
      sees: { pods: [pod('ready', { admittedAt: 15 }), two[1] as Pod], ...failed(14) },
      at: 60,
      removes: ['chat-service-abc-00002'],
    },
    'takes one away whose container the error has ended, and which has started again on the same card': {
      owner,
      sees: { pods: [pod('ready', { startedAt: 52 }), two[1] as Pod], ...failed(50, [first]) },
      at: 60,
      removes: ['chat-service-abc-00001'],
    },
    'is nothing to one without a GPU': {
      owner,
      sees: { pods: [pod('ready', { gpus: 0 }), pod('ready', { n: 2, gpus: 0 })], ...failed(50) },
      at: 60,
      removes: [],
    },
    'is nothing to one that is going already': {
      owner,
      sees: { pods: [pod('ready', { deleting: true }), two[1] as Pod], ...failed(50, [first]) },
      at: 85,
      removes: [],
    },
  });
});

/** Made without replicas for what another left. */
const adopter = ({ generation, observed = 0 }: { generation: number; observed?: number }) => {
  const made = deployment(0);
  return {
    ...made,
    metadata: { ...made.metadata, generation },
    status: { observedGeneration: observed },
  } as typeof made;
};

describe('deleted', () => {
  const children = ['chat-service', 'chat-service'];
  laws({
    'its replicas are ended by its Deployment, and its Service goes': {
      owner: { deleting: true, status: { ...served, pods: counted } },
      sees: { pods: two },
      at: 110,
      phase: 'releasing',
      removes: ['chat-service'],
      patches: [{ spec: { replicas: 0 } }],
      creates: [],
      finalizer: 'keep',
    },
    'without a Deployment its Pods are ended all the same': {
      owner: { deleting: true, status: served },
      sees: { ...nothing, pods: two },
      // Also by a Deployment that takes over the ReplicaSets that were left: they would make others.
      creates: ['Deployment'],
      removes: two.map(({ metadata }) => metadata.name),
      finalizer: 'keep',
    },
    'a Deployment that has yet to take them over stays': {
      owner: { deleting: true, status: served },
      sees: { ...nothing, deployment: adopter({ generation: 1 }), pods: two },
      creates: [],
      removes: [],
      finalizer: 'keep',
    },
    'a Deployment that has taken them over goes': {
      owner: { deleting: true, status: served },
      sees: { ...nothing, deployment: adopter({ generation: 1, observed: 1 }) },
      creates: [],
      removes: ['chat-service'],
      finalizer: 'keep',
    },
    'with nothing left it goes': { owner: { deleting: true, status: served }, sees: nothing, finalizer: 'drop' },
    'a stamped Pod that hangs on a silent node does not hold it': {
      owner: { deleting: true, status: { ...served, pods: [record(1, { endedAt: at(70) })] } },
      sees: { ...nothing, pods: [pod('ready', { deleting: true, metered: false })], ...silentSince(70) },
      at: 300,
      finalizer: 'drop',
    },
    'one that is not stamped does': {
      owner: { deleting: true, status: { ...served, pods: counted } },
      sees: { ...nothing, pods: [pod('ready', { deleting: true })] },
      at: 85,
      finalizer: 'keep',
    },
    'with its namespace it goes, too': {
      owner: { status: served },
      sees: { isNamespaceGoing: true, pods: two },
      phase: 'releasing',
      removes: children,
    },
  });
});

describe('the last resort', () => {
  const { overdue, stale } = containerServiceController;
  const billed: ContainerServiceStatus = {
    pods: [record(1, { billedFrom: at(20) })],
    intervals: [{ seq: 1, subjectUID: 'uid-chat', from: at(20), uses: [] }],
  };
  const of = (owner: ServiceFixture, failingMs = 0, creditGate: 'required' | 'off' = 'required') =>
    overdue?.(service(owner), { podUID: 'uid-pod-1', failingMs }, { ...settings, creditGate });
  test.each<[string, ServiceFixture, number, string | undefined]>([
    ['a deleted service ends', { deleting: true }, 0, 'ended'],
    ['a stopped one ends', { spec: { power: 'Stopped' } }, 0, 'ended'],
    ['one out of credit ends', { status: { ...billed, conditions: [reserved('False', 'OutOfCredit')] } }, 0, 'ended'],
    ['a billed replica goes on while the plan fails', { status: billed }, 3_600_000, undefined],
    ['one that nobody bills goes on for a while', {}, 60_000, undefined],
    ['one that nobody bills ends after that', {}, 900_000, 'unbilled'],
    [
      'one that is counted, with no interval open, ends after that',
      { status: { pods: billed.pods ?? [] } },
      900_000,
      'unbilled',
    ],
  ])('%s', (_, owner, failingMs, why) => expect(of(owner, failingMs)).toBe(why));
  test('without billing nobody is unbilled', () => expect(of({}, 3_600_000, 'off')).toBeUndefined());

  test.each<[string, Pod[], readonly string[]]>([
    ['addresses of replicas that run stay', [pod('ready')], []],
    ['an address that no replica has any more goes, for it may be another tenant’s', [], ['pods']],
    ['one of a replica that ended goes', [pod('ended')], ['pods']],
  ])('%s', (_, pods, fields) => {
    const status = { pods: [record(1, { podIP: '10.0.0.1' })] };
    expect(stale?.(service({ status }), pods)).toEqual(fields);
  });
});

test('a Deployment is told to make no others, once', () => {
  const { halts } = containerServiceController;
  const get = (kind: string, replicas: number) => (kind === 'Deployment' ? deployment(replicas) : undefined);
  const caches = (replicas: number) =>
    ({ get: (of: { kind: string }) => get(of.kind, replicas) }) as unknown as CacheReader;
  expect(halts?.(service(), caches(2))).toMatchObject([
    { of: { kind: 'Deployment' }, patch: { uid: 'uid-deployment', body: { spec: { replicas: 0 } } } },
  ]);
  expect(halts?.(service(), caches(0))).toEqual([]);
});

describe('where it answers', () => {
  const publish = { port: 8000, access: 'Members' as const };
  test.each([
    ['https://tenants.example', 'https://chat.acme.tenants.example'],
    ['http://tenants.localhost:8443/', 'http://chat.acme.tenants.localhost:8443'],
    ['', undefined],
  ])('published below %j it is at %j', (serviceUrl, url) =>
    expect(urlOf(service({ spec: { publish } }), { serviceUrl })).toBe(url),
  );
  test('one that is not published has no address on the internet', () =>
    expect(urlOf(service(), { serviceUrl: 'https://tenants.example' })).toBeUndefined());
});

const full: ServiceFixture['spec'] = {
  command: ['serve', '--port', '8000'],
  env: [{ name: 'MODEL', value: 'small' }],
  secretEnv: [{ name: 'TOKEN', secret: 'svc-1-env', key: 'token' }],
  ports: [{ name: 'http', port: 8000 }, { port: 9000 }],
  readiness: { path: '/healthz', timeoutSeconds: 3 },
};

test('the Deployment and the Service of a service', () => {
  const owner = service({ spec: full });
  const beside = { verified: undefined, host: undefined };
  const pool = { ...settings, sharedPool: 'exclusive' as const };
  expectGolden(new URL('golden/container-service.yaml', import.meta.url), [
    desiredDeployment(owner, { ...revision(3, full), hash: 'HASH' }, 2, beside, pool),
    desiredService(owner),
  ]);
});

test('on a host its Pods go to the nodes of that host, and say so', () => {
  const host = {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuHost',
    metadata: { name: 'box', namespace: 'org-acme', uid: 'uid-box' },
    spec: {},
  };
  const made = desiredDeployment(service(), revision(), 1, { verified: undefined, host: host as never }, settings);
  expect(made.spec?.template.metadata?.annotations).toMatchObject({ [ANNOTATION.host]: 'org-acme/box' });
  expect(made.spec?.template.spec?.tolerations).toContainEqual({
    key: 'gantry.dev/host',
    operator: 'Equal',
    value: 'uid-box',
    effect: 'NoSchedule',
  });
});

test('a port that a tenant names as ours are named gives way', () => {
  const { spec } = desiredService(service({ spec: { ports: [{ name: 'tcp-80', port: 81 }, { port: 80 }] } }));
  expect(spec?.ports?.map(({ name }) => name)).toEqual(['tcp-81', 'tcp-80']);
});
