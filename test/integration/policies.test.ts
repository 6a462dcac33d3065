// Policies for rules that RBAC cannot express: each rule refuses once, with its sentence, and accepts the lawful neighbour.
import { readFile } from 'node:fs/promises';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import {
  GROUPS_GROUP,
  GROUPS_VERSION,
  KUBECONFIG_PREFIX,
  KUBECONFIG_SECRET,
  QUEUE_GROUP,
  tenantRole,
  weightsLabel,
} from '@gantry/contract/names.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { gpuInstance } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';

const NAMESPACE = 'org-acme';
const CLOSING = 'org-closing';
const BROKE = 'org-broke';
const SYSTEM = 'gantry-system';
const REGISTRY = 'registry.gantry.internal';
const ANN = `system:serviceaccount:${NAMESPACE}:ann`;
const EVE = `system:serviceaccount:${NAMESPACE}:eve`;
const OPERATOR = `system:serviceaccount:${SYSTEM}:gantry-operator`;
const AGENT = `system:serviceaccount:${SYSTEM}:gantry-agent`;
const GATEWAY = `system:serviceaccount:${SYSTEM}:gantry-gateway`;
const HPA = 'system:serviceaccount:kube-system:horizontal-pod-autoscaler';
const USAGE = `system:serviceaccount:${SYSTEM}:gantry-figures`;
const DOCTOR = `system:serviceaccount:${SYSTEM}:gantry-doctor`;
const STAFF = `system:serviceaccount:${SYSTEM}:gantry-staff`;
const ADMIN = 'admin';
/** Users whose tokens are bound to a Pod: user → token. */
const tokens = new Map<string, string>();
const AGENT_A = 'the agent of node-a';
const COPIER = `system:serviceaccount:${SYSTEM}:gantry-registry`;

/** Pods of jobs and services, and file servers of disks that are called like them. */
const REPLICA = 'web-service-6d4cf56db6-x2x4z';
const FILL = 'chat.fill-49157f617dd846f1';
const WORKLOAD_PODS = ['train-1-0-bcdfg', REPLICA];
/** The second could be an instance's. */
const DATA_WORKERS = ['pairs-1-data-0-bcdfg', 'pairs-1-data-0-24567'] as const;
const LOOKALIKES = ['a-service-b-files', 'a-1-2-files'];

let server: ApiServer;

const object = (kind: string, apiVersion: string, name: string, more: object = {}, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  ...more,
});
const namespace = (name: string, labels = {}, annotations = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels, annotations },
});
const binding = (role: string, account: string): KubeObject =>
  object(
    'RoleBinding',
    'rbac.authorization.k8s.io/v1',
    account,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: tenantRole(role) },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: NAMESPACE }],
    },
    NAMESPACE,
  );

const instance = (name: string, spec: object = {}, metadata: object = {}, where = NAMESPACE): KubeObject => {
  const made = gpuInstance({ name, namespace: where, spec: { creator: 'ann', ...spec } });
  return { ...made, metadata: { ...made.metadata, ...metadata } };
};
const image = (name: string, spec: object, where = NAMESPACE): KubeObject =>
  object('Image', API_VERSION, name, { spec }, where);
/** A save of a container's root: asked for by the operator alone. */
const snapshot = (target: string, from?: string): KubeObject => {
  const spec = from
    ? { instance: 'dev', of: 'Copy', from, target }
    : { instance: 'dev', of: 'Root', node: 'node-a', podName: 'dev-1', podUID: 'uid', target };
  return object('Snapshot', API_VERSION, 'new', { spec }, NAMESPACE);
};
const host = (name: string, spec: object = {}, metadata: object = {}): KubeObject => {
  const made = object('GpuHost', API_VERSION, name, { spec: { gpu: { model: 'H100', count: 8 }, ...spec } }, NAMESPACE);
  return { ...made, metadata: { ...made.metadata, ...metadata } };
};
const onHost = (count: number, model = 'H100', on = 'big') => ({ host: on, gpu: { model, count } });
const HOST_UID = '11111111-1111-4111-8111-111111111111';
const OTHER_UID = '22222222-2222-4222-8222-222222222222';
const HOST_LABEL = 'node-restriction.kubernetes.io/gantry-host';
const STRANGERS = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
/** Kubernetes gives it to every new node. */
const NEW = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const aside = (uid: string) => ({ key: 'gantry.dev/host', value: uid, effect: 'NoSchedule' });
const disk = (name: string, annotations = {}): KubeObject => {
  const made = object('DataDisk', API_VERSION, name, { spec: { sizeGi: 1, creator: 'ann' } }, NAMESPACE);
  return { ...made, metadata: { ...made.metadata, annotations } };
};
/** `job` is Kubernetes' own, below. */
const gpuJob = (name: string, spec: object = {}, metadata: object = {}): KubeObject => {
  const made = object('Job', API_VERSION, name, { spec: { image: 'a/b:1', creator: 'ann', ...spec } }, NAMESPACE);
  return { ...made, metadata: { ...made.metadata, ...metadata } };
};
const dataProcess = (name: string, spec: object = {}): KubeObject => {
  const cleans = { type: 'Clean', clean: {}, input: { dataset: 'dst-in' }, output: { name: 'out' } };
  return object('DataProcess', API_VERSION, name, { spec: { ...cleans, creator: 'ann', ...spec } }, NAMESPACE);
};
const fineTune = (name: string, spec: object = {}): KubeObject => {
  const wanted = {
    ...{ base: { model: 'mdl-a', version: 'v1' }, datasets: [{ dataset: 'dst-in' }] },
    ...{ output: { name: 'out' }, creator: 'ann' },
  };
  return object('FineTune', API_VERSION, name, { spec: { ...wanted, ...spec } }, NAMESPACE);
};
const evaluation = (name: string, spec: object = {}): KubeObject => {
  const wanted = { subjects: [{ deployment: 'chat' }], tasks: [{ dataset: 'dst-in', metric: 'ExactMatch' }] };
  return object('Evaluation', API_VERSION, name, { spec: { ...wanted, creator: 'ann', ...spec } }, NAMESPACE);
};
const service = (name: string, spec: object = {}): KubeObject =>
  object(
    'ContainerService',
    API_VERSION,
    name,
    { spec: { image: 'a/b:1', creator: 'ann', ports: [{ port: 80 }], ...spec } },
    NAMESPACE,
  );
const model = (name: string, spec: object = {}): KubeObject =>
  object(
    'ModelDeployment',
    API_VERSION,
    name,
    { spec: { creator: 'ann', model: 'mdl-example', version: '1.0', cores: 1, memoryGi: 1, ...spec } },
    NAMESPACE,
  );
const pod = (name: string, annotations: object): KubeObject => {
  const made = object('Pod', 'v1', name, { spec: { containers: [{ name: 'main', image: 'a/b:1' }] } }, NAMESPACE);
  return { ...made, metadata: { ...made.metadata, annotations: annotations as Record<string, string> } };
};
const SCHEDULE = { cron: '0 2 * * *', timeZone: 'UTC' };
const ofSchedule = (name: string) => ({
  labels: { 'gantry.dev/schedule': name },
  ownerReferences: [{ apiVersion: API_VERSION, kind: 'Job', name, uid: HOST_UID, controller: true }],
});
const variables = (secret: string, key = 'A') => ({ secretEnv: [{ name: 'A', secret, key }] });
const ownedByJob = (name: string) => ({
  ...managed,
  ownerReferences: [{ apiVersion: API_VERSION, kind: 'Job', name, uid: HOST_UID }],
});
/** As Kueue names it; its own schema is no part of the policy. */
const queueKind = (kind: string, scope: 'Cluster' | 'Namespaced'): KubeObject =>
  doubleOf(QUEUE_GROUP, 'v1beta2', kind, scope);
function doubleOf(group: string, version: string, kind: string, scope: 'Cluster' | 'Namespaced'): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const made = object('CustomResourceDefinition', 'apiextensions.k8s.io/v1', `${plural}.${group}`, {
    spec: {
      ...{ group, scope, names: { kind, plural } },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  });
  return {
    ...made,
    metadata: { ...made.metadata, annotations: { 'api-approved.kubernetes.io': 'unapproved, a double for tests' } },
  };
}
const groupSet = (name: string, where: string, labels: object = {}): KubeObject => {
  const made = object('LeaderWorkerSet', `${GROUPS_GROUP}/${GROUPS_VERSION}`, name, { spec: { replicas: 1 } }, where);
  return { ...made, metadata: { ...made.metadata, labels: labels as Record<string, string> } };
};
const queueObject = (kind: string, name: string, spec: object, where?: string) =>
  object(kind, `${QUEUE_GROUP}/v1beta2`, name, { spec }, where);
const serving = (served: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': served } },
});
const hotGpu = (name: string): KubeObject =>
  object(
    'AlertPolicy',
    API_VERSION,
    name,
    {
      spec: {
        creator: 'ann',
        objects: { kind: 'GpuInstance' },
        metric: 'GpuTemperature',
        rules: [{ type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' }],
        channels: [{ type: 'Bell' }],
        mutedUntil: '2031-01-01T00:00:00Z',
      },
    },
    NAMESPACE,
  );
const OPAQUE = { type: 'Opaque', stringData: { A: 'b' } };
const deployment = (where: string): KubeObject =>
  object(
    'Deployment',
    'apps/v1',
    'web',
    {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [CONTAINER] } },
      },
    },
    where,
  );
const CONFIRM = 'gantry.dev/confirm-delete';
const secret = (name: string, metadata: object = {}, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: NAMESPACE, ...metadata },
  ...more,
});
const CONTAINER = {
  name: 'main',
  image: 'a/b:1',
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};
const RESTRICTED = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
};
const probePod = (where: string): KubeObject =>
  object('Pod', 'v1', 'pod', { spec: { ...RESTRICTED, containers: [CONTAINER] } }, where);
const job = (where: string, spec: object = {}): KubeObject =>
  object(
    'Job',
    'batch/v1',
    'job',
    {
      spec: {
        template: { spec: { ...spec, restartPolicy: 'Never', containers: [CONTAINER] } },
      },
    },
    where,
  );
const role = (rules: object[], name = 'gantry-gateway'): KubeObject =>
  object('Role', 'rbac.authorization.k8s.io/v1', name, { rules }, NAMESPACE);
const bound = (to: string, name: string, kind = 'Role'): KubeObject =>
  object(
    'RoleBinding',
    'rbac.authorization.k8s.io/v1',
    to,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: to },
      subjects: [{ kind: 'ServiceAccount', name, namespace: SYSTEM }],
    },
    NAMESPACE,
  );
const listedSecrets = { apiGroups: [''], resources: ['secrets'], verbs: ['list'] };
const pullSecret = { apiGroups: [''], resources: ['secrets'], resourceNames: ['gantry-pull'], verbs: ['get'] };
const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`mine-${i}`, '']));
const managed = { labels: { 'gantry.dev/managed': 'true' } };
const DOCKER = { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } };
const tokensOf = { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] };
const keptSecrets = { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'delete'] };
const impersonate = { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] };

const lease = (name: string, metadata: object = {}): KubeObject => {
  const made = object('Lease', 'coordination.k8s.io/v1', name, { spec: { holderIdentity: 'somebody' } }, SYSTEM);
  return { ...made, metadata: { ...made.metadata, ...metadata } };
};
const SIGN = { labels: { 'gantry.dev/kind': 'Agent' } };
const leaseOf = (name: string) => `lease ${name} -n ${SYSTEM}`;
const measured = (node: string) => ({
  totalBytes: 2,
  usedBytes: 1,
  availableBytes: 1,
  at: '2026-11-21T10:00:00Z',
  node,
});
const save = (name: string, spec: object): KubeObject =>
  object(
    'Snapshot',
    API_VERSION,
    name,
    {
      spec: {
        instance: 'dev',
        target: `${REGISTRY}/org-acme/${name}:1`,
        ...('of' in spec ? spec : { of: 'Root', podName: 'dev-1', podUID: 'uid', ...spec }),
      },
    },
    NAMESPACE,
  );
const podOf = (name: string): KubeObject => object('Pod', 'v1', name, { spec: { containers: [CONTAINER] } }, NAMESPACE);
const agentPod: KubeObject = object(
  'Pod',
  'v1',
  'agent-a',
  { spec: { nodeName: 'node-a', serviceAccountName: 'gantry-agent', containers: [CONTAINER] } },
  SYSTEM,
);

const as = (user: string) => {
  const token = tokens.get(user);
  return token ? [`--token=${token}`] : user === ADMIN ? [] : [`--as=${user}`];
};
/** Evaluates policies without storing anything. */
const create = (user: string, wanted: KubeObject) => () =>
  server.kubectl.run(['create', ...as(user), '--dry-run=server', '-f', '-'], wanted);
/** One PATCH without a read before it: for users who may not read. */
const apply = (user: string, wanted: KubeObject) => () =>
  server.kubectl.run(['apply', '--server-side', ...as(user), '--dry-run=server', '-f', '-'], wanted);
const patch = (user: string, what: string, body: object) => () =>
  server.kubectl.run([
    'patch',
    ...as(user),
    ...what.split(' '),
    '--type=merge',
    '--dry-run=server',
    '-p',
    JSON.stringify(body),
  ]);
/** Like the agent that carries out saves. */
const usedOn = (node: string) => ({ rootBytes: 1, podUID: 'uid', at: '2026-11-21T10:00:00Z', node });
const say = (user: string, kind: string, name: string, status: object) => () =>
  server.kubectl.run(
    'apply --server-side --force-conflicts --subresource=status --dry-run=server -f -'.split(' ').concat(as(user)),
    object(kind, API_VERSION, name, { status }, kind === 'Organization' ? undefined : NAMESPACE),
  );
const scale = (user: string, what: string, replicas: number) => () =>
  server.kubectl.run(['scale', ...as(user), ...what.split(' '), `--replicas=${replicas}`, '--dry-run=server']);
/** As an autoscaler, which reads nothing but the scale. */
const scaleAlone =
  (user: string, name: string, replicas: number, where = NAMESPACE) =>
  () =>
    server.kubectl.run(
      [
        'replace',
        ...as(user),
        '--raw',
        `/apis/${API_VERSION}/namespaces/${where}/containerservices/${name}/scale?dryRun=All`,
        '-f',
        '-',
      ],
      object('Scale', 'autoscaling/v1', name, { spec: { replicas } }, where),
    );
const remove = (user: string, what: string) => () =>
  server.kubectl.run(['delete', ...as(user), ...what.split(' '), '--dry-run=server', '--wait=false']);
const replace = (user: string, wanted: KubeObject) => () =>
  server.kubectl.run(['replace', ...as(user), '--dry-run=server', '-f', '-'], wanted);
/** The answer to such a deletion is the object itself. */
const removeWaiting = (user: string, name: string) => () => {
  const path = `/api/v1/namespaces/${NAMESPACE}/secrets/${name}?propagationPolicy=Foreground&dryRun=All`;
  return server.kubectl.run(['delete', ...as(user), '--raw', path]);
};
/** `kubectl delete --all` does not do this: one request for them all. */
const removeAll = (path: string) => () => server.kubectl.run(['delete', '--raw', `${path}?dryRun=All`]);

beforeAll(async () => {
  server = await startApiServer({ controllers: ['namespace'] });
  const { kubectl } = server;
  const asIs = [
    queueKind('ClusterQueue', 'Cluster'),
    queueKind('LocalQueue', 'Namespaced'),
    queueKind('ResourceFlavor', 'Cluster'),
    doubleOf(GROUPS_GROUP, GROUPS_VERSION, 'LeaderWorkerSet', 'Namespaced'),
    namespace(NAMESPACE, { 'gantry.dev/organization': 'acme' }),
    namespace(CLOSING, { 'gantry.dev/organization': 'closing' }, { 'gantry.dev/confirm-delete': CLOSING }),
    namespace(BROKE, { 'gantry.dev/organization': 'broke' }),
    image('common', { source: 'a/b:1', official: true }, SYSTEM),
    binding('member', 'ann'),
    binding('viewer', 'eve'),
    // More rights than the operator ever has: the policy has to refuse the rest.
    object('ClusterRoleBinding', 'rbac.authorization.k8s.io/v1', 'gateway-everywhere', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:aggregate-to-edit' },
      subjects: [{ kind: 'ServiceAccount', name: 'gantry-gateway', namespace: SYSTEM }],
    }),
    object('Organization', API_VERSION, 'acme', { spec: {} }),
    instance('running', {}, { finalizers: ['gantry.dev/operator'], labels: { mine: 'a' } }),
    instance('rested'),
    instance('of-bob', { creator: 'bob', power: 'Stopped' }),
    instance('run-by-bob', { creator: 'bob', gpu: { model: 'H100' } }),
    instance('saving'),
    instance('stuck'),
    instance('billed', {}, { finalizers: ['gantry.dev/operator', 'gantry.dev/billing'] }),
    gpuJob('nightly', { schedule: SCHEDULE }),
    gpuJob('done-by-bob', { creator: 'bob' }),
    dataProcess('pairs'),
    dataProcess('pairs-of-bob', { creator: 'bob', startedBy: 'bob' }),
    fineTune('tuned'),
    fineTune('tuned-of-bob', { creator: 'bob', startedBy: 'bob' }),
    evaluation('asked'),
    evaluation('asked-of-bob', { creator: 'bob', startedBy: 'bob' }),
    model('of-bob', { creator: 'bob' }),
    gpuJob('with-values', variables('with-values-env')),
    service('web'),
    service('by-bob', { creator: 'bob', startedBy: 'bob' }),
    service('taken-over', { creator: 'bob', startedBy: 'ann' }),
    service('by-nobody', { creator: undefined }),
    service('off-by-bob', { creator: 'bob', power: 'Stopped' }),
    service('follows-load', { autoscaling: { min: 1, max: 4 } }),
    model('big-model', { nodesPerReplica: 8 }),
    hotGpu('hot'),
    host('big'),
    ...[
      instance('idle', { power: 'Stopped' }),
      instance('busy'),
      host('rented'),
      instance('stopped', { power: 'Stopped' }),
      disk('data'),
      gpuJob('idle', { power: 'Suspended' }),
      gpuJob('busy'),
      service('idle', { power: 'Stopped' }),
      service('busy', { autoscaling: { min: 1, max: 4 } }),
      service('three', { replicas: 3 }),
      model('three', { replicas: 3 }),
    ].map(inBroke),
    host('small', { gpu: { model: 'H100', count: 2 } }),
    host('used'),
    host('forced', {}, { annotations: { 'gantry.dev/force': 'forced' } }),
    host('returned'),
    instance('tenant', onHost(1, 'H100', 'used')),
    instance('sleeper', { ...onHost(1), power: 'ShutDown' }),
    instance('bound', onHost(1, 'H100', 'forced')),
    object('Node', 'v1', 'node-a', { spec: { taints: [STRANGERS] } }),
    { ...object('Node', 'v1', 'of-a-host'), metadata: { name: 'of-a-host', labels: { [HOST_LABEL]: HOST_UID } } },
    instance('forced', {}, { annotations: { 'gantry.dev/force': 'forced' } }),
    disk('unconfirmed'),
    disk('misspelt', { [CONFIRM]: 'mispelt' }),
    disk('confirmed', { [CONFIRM]: 'confirmed' }),
    disk('mounted', { [CONFIRM]: 'mounted' }),
    disk('forced', { 'gantry.dev/force': 'forced' }),
    secret('ours', { labels: { 'gantry.dev/managed': 'true' } }),
    secret('theirs'),
    secret('their-files'),
    secret('our-files', managed),
    secret('gantry-pull', managed, DOCKER),
    secret('data-server', managed),
    secret('ghcr', managed, DOCKER),
    ...['node-a', 'node-b'].map((name) => lease(name, { annotations: { 'gantry.dev/wipe': NAMESPACE } })),
    ...['node-a.agent', 'node-b.agent'].map((name) => lease(name, SIGN)),
    lease('gantry-operator'),
    save('here', { node: 'node-a' }),
    save('there', { node: 'node-b' }),
    save('copy', { of: 'Copy', from: `${REGISTRY}/org-acme/dev.root@sha256:${'a'.repeat(64)}` }),
    agentPod,
    ...[
      'data-files',
      'data-server',
      'dev-keep',
      'gantry-probe',
      'dev.verify-24567',
      'dev-1',
      'dev-24567',
      FILL,
      ...WORKLOAD_PODS,
      ...DATA_WORKERS,
      ...LOOKALIKES,
    ].map(podOf),
  ];
  // Policies take a moment to be in force after they were made.
  // One command for them all: each costs half a second, and a whole one on a busy machine.
  await kubectl.must(['create', '-f', '-'], { apiVersion: 'v1', kind: 'List', items: asIs });
  const bind = 'create token gantry-agent --bound-object-kind=Pod --bound-object-name=agent-a'.split(' ');
  tokens.set(AGENT_A, (await kubectl.must([...bind, '-n', SYSTEM])).trim());
  const statuses = {
    rested: { phase: 'shutDown', node: 'node-a' },
    saving: { phase: 'shuttingDown', reason: 'SavingRoot' },
    stuck: { phase: 'shuttingDown', reason: 'SaveRetrying', node: 'node-b' },
  };
  for (const [name, status] of Object.entries(statuses)) {
    const what = `patch gpuinstance ${name} --subresource=status --type=merge -n ${NAMESPACE} -p`.split(' ');
    await kubectl.must([...what, JSON.stringify({ status })]);
  }
  for (const [name, phase] of Object.entries({ busy: 'running', stopped: 'stopped' })) {
    const what = `patch gpuinstance ${name} --subresource=status --type=merge -n ${BROKE} -p`.split(' ');
    await kubectl.must([...what, JSON.stringify({ status: { phase, everReady: true } })]);
  }
  const returned = JSON.stringify({ status: { returnedAt: '2026-11-21T10:00:00Z' } });
  await kubectl.must([
    'patch',
    ...inNamespace('gpuhost returned').split(' '),
    '--subresource=status',
    '--type=merge',
    '-p',
    returned,
  ]);
  const holders = ['dev', 'lab'].map((name) => ({ kind: 'GpuInstance', name }));
  for (const name of ['mounted', 'forced']) {
    const what = `patch datadisk ${name} --subresource=status --type=merge -n ${NAMESPACE} -p`.split(' ');
    await kubectl.must([...what, JSON.stringify({ status: { mountedBy: holders } })]);
  }
  const why = 'The organisation is out of credit: needs 1.20 USD, 0.34 USD available';
  await kubectl.must(['annotate', 'namespace', BROKE, `gantry.dev/out-of-credit=${why}`]);
  await kubectl.must([
    'annotate',
    'namespace',
    BROKE,
    'gantry.dev/inner-registries=10.9.9.9,registry.corp.internal:5000',
  ]);
  await eventually('the namespace closes', async () => (await create(ADMIN, inBroke(instance('new')))()).code !== 0);
  await eventually(
    'policies are in force',
    async () => (await remove(ANN, `gpuinstance running -n ${NAMESPACE}`)()).code !== 0,
  );
});
afterAll(() => server?.stop());

/** The organisation was in credit when it was made. */
const inBroke = (made: KubeObject): KubeObject => ({ ...made, metadata: { ...made.metadata, namespace: BROKE } });

interface Rule {
  refused: () => Promise<{ code: number; stdout: string; stderr: string }>;
  says: string;
  /** The sentence of another policy, if two refuse it: the API server has no order. */
  or?: string;
  allowed?: () => Promise<{ code: number; stdout: string; stderr: string }>;
}

const inNamespace = (name: string) => `${name} -n ${NAMESPACE}`;
const RUNNING = inNamespace('gpuinstance running');
const TENANTS: Record<string, Rule> = {
  'calls no instance as a part of a replica on several nodes is called': {
    refused: create(ANN, instance('chat-group')),
    says: 'metadata.name may not end in -group, or in -group- and a number',
    allowed: create(ANN, instance('chat-groups')),
  },
  'calls none as such a part of a replica beyond the first': {
    refused: create(ANN, instance('chat-group-0')),
    says: 'metadata.name may not end in -group, or in -group- and a number',
    allowed: create(ANN, instance('group-0')),
  },
  'makes no LeaderWorkerSet, whatever labels it gives it': {
    refused: create(
      ANN,
      groupSet('mine', NAMESPACE, { 'gantry.dev/kind': 'ModelDeployment', 'gantry.dev/name': 'chat' }),
    ),
    says: 'cannot create resource "leaderworkersets"',
  },
  'strips no finalizer': {
    refused: patch(ANN, RUNNING, { metadata: { finalizers: [] } }),
    says: 'metadata.finalizers: only the platform changes finalizers',
    allowed: patch(ANN, RUNNING, { metadata: { labels: { mine: 'b' } } }),
  },
  'brings no finalizer': {
    refused: create(ANN, instance('new', {}, { finalizers: ['gantry.dev/billing', 'gantry.dev/operator'] })),
    says: 'metadata.finalizers: only the platform changes finalizers',
    allowed: create(ANN, instance('new', {}, { finalizers: ['gantry.dev/billing'] })),
  },
  'brings billing no Secret to let go': {
    refused: create(ANN, secret('held', { finalizers: ['gantry.dev/billing'] })),
    says: 'metadata.finalizers: only the platform changes finalizers',
    allowed: create(ANN, secret('free')),
  },
  'keeps who owns what in a status': {
    refused: patch(ANN, inNamespace('gpuinstance rested'), { metadata: { managedFields: [{}] } }),
    says: 'metadata.managedFields: only the platform changes who owns what in a status',
    allowed: patch(ANN, RUNNING, { metadata: { labels: { mine: 'c' } } }),
  },
  'changes no owner': {
    refused: patch(ANN, RUNNING, {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'theirs', uid: 'x' }] },
    }),
    says: 'metadata.ownerReferences: only the platform changes owners',
  },
  'sets no label of the platform': {
    refused: create(ANN, instance('new', {}, { labels: { 'gantry.dev/kind': 'x' } })),
    says: 'metadata.labels: gantry.dev/kind is set by the platform alone',
    allowed: create(ANN, instance('new', {}, { labels: { 'example.com/kind': 'x' } })),
  },
  'pauses nothing': {
    refused: patch(ANN, RUNNING, { metadata: { annotations: { 'gantry.dev/paused': 'true' } } }),
    says: 'metadata.annotations: gantry.dev/paused is set by platform staff alone',
    allowed: patch(ADMIN, RUNNING, { metadata: { annotations: { 'gantry.dev/paused': 'true' } } }),
  },
  'may confirm a deletion, and force none': {
    refused: patch(ANN, RUNNING, { metadata: { annotations: { 'gantry.dev/force': 'running' } } }),
    says: 'metadata.annotations: gantry.dev/force is set by platform staff alone',
    allowed: patch(ANN, RUNNING, { metadata: { annotations: { 'gantry.dev/confirm-delete': 'running' } } }),
  },
  "starts a colleague's instance in their own name": {
    refused: patch(ANN, inNamespace('gpuinstance of-bob'), { spec: { power: 'Running' } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('gpuinstance of-bob'), { spec: { power: 'Running', startedBy: 'ann' } }),
  },
  ...Object.fromEntries(
    Object.entries({
      'is rebooted': { rebootCount: 1 },
      'has more cores': { cores: 3 },
      'has more memory': { memoryGi: 8 },
      'has another card': { gpu: { count: 2 } },
      'has a card of another model': { gpu: { model: 'H200' } },
      'has a larger home': { homeDisk: { sizeGi: 30 } },
      'runs anew with other variables': { env: [{ name: 'A', value: 'b' }] },
    }).map(([title, spec]): [string, Rule] => [
      `spends in their own name where a colleague's run ${title}`,
      {
        refused: patch(ANN, inNamespace('gpuinstance run-by-bob'), { spec }),
        says: 'spec.startedBy: must be the account that starts it, ann',
        allowed: patch(ANN, inNamespace('gpuinstance run-by-bob'), { spec: { ...spec, startedBy: 'ann' } }),
      },
    ]),
  ),
  "renames a colleague's run, and does not take it over for them": {
    refused: patch(ANN, inNamespace('gpuinstance run-by-bob'), { spec: { displayName: 'x', startedBy: 'eve' } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('gpuinstance run-by-bob'), { spec: { displayName: 'x' } }),
  },
  'lets nobody else spend': {
    refused: patch(ANN, RUNNING, { spec: { startedBy: 'bob' } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, RUNNING, { spec: { displayName: 'mine' } }),
  },
  'creates in their own name': {
    refused: create(ANN, instance('new', { creator: 'bob' })),
    says: 'spec.creator: must be your own account, ann',
  },
  'creates in nobody’s name, and gives that later to no colleague': {
    refused: patch(ANN, inNamespace('gpuhost big'), { spec: { creator: 'bob' } }),
    says: 'spec.creator: must be your own account, ann',
    allowed: create(ANN, object('GpuInstance', API_VERSION, 'new', { spec: { image: 'a/b:1' } }, NAMESPACE)),
  },
  'spends in their own name where a colleague’s deployment has more replicas': {
    refused: patch(ANN, inNamespace('modeldeployment of-bob'), { spec: { replicas: 2 } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('modeldeployment of-bob'), { spec: { replicas: 2, startedBy: 'ann' } }),
  },
  "changes no Secret of the platform's": {
    refused: () =>
      server.kubectl.run(
        ['apply', '--server-side', '--force-conflicts', `--as=${ANN}`, '-f', '-'],
        secret('ours', {}, { stringData: { a: 'b' } }),
      ),
    says: 'This Secret belongs to the platform',
    allowed: remove(ANN, inNamespace('secret theirs')),
  },
  'reads no Secret in the answer to a patch that changes nothing': {
    refused: apply(ANN, secret('gantry-pull')),
    says: 'This Secret belongs to the platform',
    allowed: apply(ANN, secret('theirs')),
  },
  'reads no login to a registry in the answer to a patch': {
    refused: apply(ANN, secret('ghcr')),
    says: 'This Secret belongs to the platform',
    allowed: apply(ANN, secret('theirs')),
  },
  'reads no login to a registry in the answer to a replacement': {
    refused: replace(ANN, secret('ghcr', managed, DOCKER)),
    says: 'This Secret belongs to the platform',
    allowed: replace(ANN, secret('theirs')),
  },
  'takes no login to a registry over by its label': {
    refused: replace(ANN, secret('ghcr', {}, DOCKER)),
    says: 'gantry.dev/managed is set by the platform alone',
    or: 'This Secret belongs to the platform',
  },
  'reads no login to a registry in the answer to a deletion that waits': {
    refused: removeWaiting(ANN, 'ghcr'),
    says: 'This Secret belongs to the platform',
    allowed: removeWaiting(ANN, 'theirs'),
  },
  "makes no Secret in the platform's place": {
    refused: create(ANN, secret('gantry-pull', {}, DOCKER)),
    says: 'metadata.name: gantry-pull is made by the platform alone',
  },
  'makes no Secret in the place of the data server’s': {
    refused: create(ANN, secret('data-server')),
    says: 'metadata.name: data-server is made by the platform alone',
    allowed: create(ANN, secret('data-server-2')),
  },
  'reads no token of the data server in the answer to a patch': {
    refused: apply(ANN, secret('data-server')),
    says: 'This Secret belongs to the platform',
  },
  'makes no Secret in the place of a file server’s': {
    refused: create(ANN, secret('data-files')),
    says: 'metadata.name: Secrets whose names end in -files are made by the platform alone',
    allowed: create(ANN, secret('data-files-2')),
  },
  'makes no Secret in the place of a notebook token’s': {
    refused: create(ANN, secret('dev-notebook')),
    says: 'metadata.name: Secrets whose names end in -notebook are made by the platform alone',
    allowed: create(ANN, secret('dev-notebook-2')),
  },
  "deletes no Secret of the platform's": {
    refused: remove(ANN, inNamespace('secret ours')),
    says: 'This Secret belongs to the platform',
  },
  "makes no Secret the platform's": {
    refused: create(ANN, secret('new', { labels: { 'gantry.dev/managed': 'true' } })),
    says: 'metadata.labels: gantry.dev/managed is set by the platform alone',
    allowed: create(ANN, secret('new')),
  },
  "asks for no other member's token": {
    refused: create(
      ANN,
      secret(
        'new',
        { annotations: { 'kubernetes.io/service-account.name': 'eve' } },
        { type: 'kubernetes.io/service-account-token' },
      ),
    ),
    says: 'type: members make Secrets of the types kubernetes.io/dockerconfigjson and Opaque alone',
    allowed: create(ANN, secret('new', {}, DOCKER)),
  },
  'fills no database with Secrets': {
    refused: create(ANN, secret('new', {}, { stringData: { a: 'x'.repeat(20_000), b: 'x'.repeat(20_000) } })),
    says: 'data: a Secret may hold at most 32 KiB in all',
    allowed: create(ANN, secret('new', {}, { stringData: { a: 'x'.repeat(32_000) } })),
  },
  'fills no database by letting a Secret grow': {
    refused: () =>
      server.kubectl.run(
        ['apply', '--server-side', `--as=${ANN}`, '--dry-run=server', '-f', '-'],
        secret('theirs', {}, { stringData: { a: 'x'.repeat(40_000) } }),
      ),
    says: 'data: a Secret may hold at most 32 KiB in all',
  },
  'fills no database with names of members': {
    refused: create(
      ANN,
      secret(
        'new',
        {},
        { data: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${i}`.padStart(60, 'k'), ''])) },
      ),
    ),
    says: 'data: a Secret may hold at most 32 KiB in all',
  },
  'fills no database with annotations': {
    refused: create(ANN, instance('new', {}, { annotations: { note: 'x'.repeat(100_000) } })),
    says: "metadata.annotations: an object's annotations may have at most 96 KiB in all",
    allowed: create(ANN, instance('new', {}, { annotations: { note: 'x'.repeat(90_000) } })),
  },
  'fills no database with labels': {
    refused: create(ANN, instance('new', {}, { labels: labels(65) })),
    says: 'metadata.labels: an object may have at most 64 labels',
    allowed: create(ANN, instance('new', {}, { labels: labels(64) })),
  },
};
const EVERYBODY: Record<string, Rule> = {
  "an image of another's is not booted": {
    refused: create(ADMIN, instance('new', { image: `${REGISTRY}/org-other/work:1` })),
    says: `spec.image: from ${REGISTRY} you can use only org-acme/… and official/…`,
    allowed: create(ADMIN, instance('new', { image: `${REGISTRY}/org-acme/work:1` })),
  },
  "an image of another's is not booted under another spelling of the registry's name": {
    refused: create(ADMIN, instance('new', { image: 'Registry.Gantry.Internal:5000/org-other/work:1' })),
    says: `spec.image: write the registry as ${REGISTRY}`,
    allowed: create(ADMIN, instance('new', { image: `${REGISTRY}/official/work:1` })),
  },
  "an Image does not name another's": {
    refused: create(ADMIN, image('new', { source: `${REGISTRY}/org-other/work:1` })),
    says: `spec.source: from ${REGISTRY} you can use only org-acme/… and official/…`,
    allowed: create(ADMIN, image('new', { source: 'docker.io/org-other/work:1' })),
  },
  "an Image does not name another's in another spelling": {
    refused: create(ADMIN, image('new', { source: 'registry.gantry.internal./org-other/work:1' })),
    says: `spec.source: write the registry as ${REGISTRY}`,
  },
  'an image of a registry inside is not fetched by a node for a tenant': {
    refused: create(ADMIN, image('new', { source: '10.64.0.1:5000/org-b/work:1' })),
    says: 'spec.source: 10.64.0.1:5000 is not on the public internet. Use a public registry, or one that the platform allows',
    allowed: create(ADMIN, image('new', { source: '10.64.0.1:5000/org-b/work:1' }, SYSTEM)),
  },
  'an image of a registry inside is not booted': {
    refused: create(ADMIN, instance('new', { image: 'registry.corp.internal:5000/a/work:1' })),
    says: 'spec.image: registry.corp.internal:5000 is not on the public internet. Use a public registry, or one that the platform allows',
    allowed: create(ADMIN, inBroke(image('new', { source: 'Registry.corp.internal:5000/a/work:1' }))),
  },
  "official images are the platform's": {
    refused: create(ADMIN, image('new', { source: 'a/b:1', official: true })),
    says: 'spec.official: only platform staff offer official images',
    allowed: create(ADMIN, image('new', { source: 'a/b:1', official: true }, SYSTEM)),
  },
  'an instance lives in an organisation': {
    refused: create(ADMIN, instance('new', {}, {}, SYSTEM)),
    says: `metadata.namespace: ${SYSTEM} does not belong to an Organization; objects live in org-<id>`,
  },
  'nothing is made any more in a namespace that is to be deleted': {
    refused: create(ADMIN, instance('new', {}, {}, CLOSING)),
    says: `metadata.namespace: ${CLOSING} is being deleted with its Organization`,
    allowed: create(ADMIN, instance('new')),
  },
  'an instance that runs is not released': {
    refused: remove(ADMIN, RUNNING),
    says: 'Instance is not shut down, cannot release. Please shut down and then release.',
    allowed: remove(ANN, inNamespace('gpuinstance rested')),
  },
  'what is shut down but for a save that does not get through may be given up': {
    refused: remove(ANN, inNamespace('gpuinstance saving')),
    says: 'Instance is not shut down, cannot release. Please shut down and then release.',
    allowed: remove(ANN, inNamespace('gpuinstance stuck')),
  },
  'an instance is exported to its own organisation': {
    refused: create(ADMIN, image('new', { source: `${REGISTRY}/official/work:1`, fromInstance: 'dev' })),
    says: `spec.source: an instance is exported to ${REGISTRY}/org-acme/<name>:<tag>, and .root, .home and .log are reserved for saves`,
    allowed: create(ADMIN, image('new', { source: `${REGISTRY}/org-acme/work:1`, fromInstance: 'dev' })),
  },
  'an instance is not exported over a save': {
    refused: create(ADMIN, image('new', { source: `${REGISTRY}/org-acme/dev.root:1`, fromInstance: 'dev' })),
    says: `spec.source: an instance is exported to ${REGISTRY}/org-acme/<name>:<tag>, and .root, .home and .log are reserved for saves`,
  },
  'an instance is not exported over a log': {
    refused: create(ADMIN, image('new', { source: `${REGISTRY}/org-acme/dev.log:1`, fromInstance: 'dev' })),
    says: `spec.source: an instance is exported to ${REGISTRY}/org-acme/<name>:<tag>, and .root, .home and .log are reserved for saves`,
  },
  "nothing is saved over another's": {
    refused: create(OPERATOR, snapshot(`${REGISTRY}/org-other/dev.root:1`)),
    says: 'spec.target and spec.from: only images of org-acme/… may be saved here',
    allowed: create(OPERATOR, snapshot(`${REGISTRY}/org-acme/dev.root:1`)),
  },
  "nothing is copied from another's save": {
    refused: create(
      OPERATOR,
      snapshot(`${REGISTRY}/org-acme/work:1`, `${REGISTRY}/org-other/dev.root@sha256:${'a'.repeat(64)}`),
    ),
    says: 'spec.target and spec.from: only images of org-acme/… may be saved here',
    allowed: create(
      OPERATOR,
      snapshot(`${REGISTRY}/org-acme/work:1`, `${REGISTRY}/org-acme/dev.root@sha256:${'a'.repeat(64)}`),
    ),
  },
  'staff release by force what they named': {
    refused: remove(ADMIN, RUNNING),
    says: 'Instance is not shut down',
    allowed: remove(ADMIN, inNamespace('gpuinstance forced')),
  },
  'an instance asks for no more cards than a node of its host has': {
    refused: create(ADMIN, instance('new', onHost(9))),
    says: 'spec.gpu.count: 9 GPUs do not fit on one node of host big, which has 8',
    allowed: create(ADMIN, instance('new', onHost(8))),
  },
  'an instance is measured against its own host': {
    refused: create(ADMIN, instance('new', onHost(3, 'H100', 'small'))),
    says: 'spec.gpu.count: 3 GPUs do not fit on one node of host small, which has 2',
    allowed: create(ADMIN, instance('new', { gpu: { model: 'H100', count: 9 } })),
  },
  'an instance asks for no other model than its host has': {
    refused: create(ADMIN, instance('new', onHost(1, 'A100'))),
    says: 'spec.gpu.model: host big has H100, not A100',
    allowed: create(ADMIN, instance('new', onHost(1, 'A100', 'not-there'))),
  },
  'an instance is not moved to a host that is too small': {
    refused: patch(ADMIN, RUNNING, { spec: onHost(3, 'H100', 'small') }),
    says: 'spec.gpu.count: 3 GPUs do not fit on one node of host small, which has 2',
    allowed: patch(ADMIN, RUNNING, { spec: onHost(2, 'H100', 'small') }),
  },
  'a host that an instance is on is not released': {
    refused: remove(ANN, inNamespace('gpuhost used')),
    says: 'Instance tenant is on this host: shut it down, or change its spec.host, before you release the host',
    allowed: remove(ANN, inNamespace('gpuhost big')),
  },
  'a host that an instance is on is released by force': {
    refused: remove(ADMIN, inNamespace('gpuhost used')),
    says: 'Instance tenant is on this host',
    allowed: remove(ADMIN, inNamespace('gpuhost forced')),
  },
  'a host that was given back is not renewed': {
    refused: patch(ANN, inNamespace('gpuhost returned'), { spec: { months: 2 } }),
    says: 'spec.months: the host expired and its nodes were returned; rent another',
    allowed: patch(ANN, inNamespace('gpuhost big'), { spec: { months: 2 } }),
  },
  'a disk is not deleted by accident': {
    refused: remove(ANN, inNamespace('datadisk unconfirmed')),
    says: `All data on the disk is lost. To delete it anyway, first add the annotation ${CONFIRM}=unconfirmed`,
    allowed: remove(ANN, inNamespace('datadisk confirmed')),
  },
  'a disk is not deleted under the name of another': {
    refused: remove(ANN, inNamespace('datadisk misspelt')),
    says: 'All data on the disk is lost',
    allowed: patch(ANN, inNamespace('datadisk misspelt'), { metadata: { annotations: { [CONFIRM]: 'misspelt' } } }),
  },
  'a disk is not deleted while somebody has it, who is named': {
    refused: remove(ANN, inNamespace('datadisk mounted')),
    says: 'The disk is mounted by or reserved for dev, lab. Unmount it first, or shut down the instance that uses it.',
    allowed: remove(ADMIN, inNamespace('datadisk forced')),
  },
  'an Organization is not deleted by accident': {
    refused: remove(ADMIN, 'organization acme'),
    says: 'This deletes what tenants keep. To delete it anyway, first add the annotation gantry.dev/confirm-delete=acme',
  },
  'all Organizations at once are not deleted': {
    refused: removeAll(`/apis/${API_VERSION}/organizations`),
    says: 'This deletes what tenants keep. To delete it anyway, first add the annotation gantry.dev/confirm-delete=acme',
  },
  'the namespace of an Organization is not deleted by accident': {
    refused: remove(ADMIN, `namespace ${NAMESPACE}`),
    says: `This deletes what tenants keep. To delete it anyway, first add the annotation gantry.dev/confirm-delete=${NAMESPACE}`,
    allowed: remove(ADMIN, 'namespace gantry-probe'),
  },
  'a kind is not deleted by accident': {
    refused: remove(ADMIN, 'crd images.gantry.dev'),
    says: 'This deletes what tenants keep. To delete it anyway, first add the annotation gantry.dev/confirm-delete=images.gantry.dev',
  },
  'all kinds at once are not deleted': {
    refused: removeAll('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'),
    says: 'This deletes what tenants keep. To delete it anyway, first add the annotation gantry.dev/confirm-delete=',
  },
};
/** Calls that are forbidden while nobody pays, and calls that are always allowed. */
const NO_CREDIT = 'You cannot start anything that costs money, but you can still stop and delete. ';
const ofBroke = (what: string) => `${what} -n ${BROKE}`;
const SPENDERS: Record<string, Rule> = {
  'makes no instance, and hears the numbers': {
    refused: apply(ADMIN, inBroke(instance('new'))),
    says: `${NO_CREDIT}The organisation is out of credit: needs 1.20 USD, 0.34 USD available`,
    allowed: apply(ADMIN, instance('new')),
  },
  'starts none': {
    refused: patch(ADMIN, ofBroke('gpuinstance idle'), { spec: { power: 'Running' } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('gpuinstance busy'), { spec: { power: 'Stopped' } }),
  },
  'reboots none': {
    refused: patch(ADMIN, ofBroke('gpuinstance busy'), { spec: { rebootCount: 1 } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('gpuinstance busy'), { spec: { displayName: 'x' } }),
  },
  'makes no home larger': {
    refused: patch(ADMIN, ofBroke('gpuinstance idle'), { spec: { homeDisk: { sizeGi: 100 } } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('gpuinstance idle'), { spec: { power: 'ShutDown' } }),
  },
  'makes no disk': {
    refused: apply(ADMIN, inBroke(disk('new'))),
    says: NO_CREDIT,
    allowed: remove(ADMIN, inNamespace('datadisk confirmed')),
  },
  'makes no disk larger': {
    refused: patch(ADMIN, ofBroke('datadisk data'), { spec: { sizeGi: 2 } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('datadisk data'), { metadata: { annotations: { [CONFIRM]: 'data' } } }),
  },
  'rents no host': {
    refused: apply(ADMIN, inBroke(host('new'))),
    says: NO_CREDIT,
    allowed: apply(ADMIN, inBroke(host('new', { source: 'owned' }))),
  },
  'renews no host': {
    refused: patch(ADMIN, ofBroke('gpuhost rented'), { spec: { months: 2 } }),
    says: NO_CREDIT,
    allowed: remove(ADMIN, ofBroke('gpuhost rented')),
  },
  'exports nothing': {
    refused: apply(ADMIN, inBroke(image('new', { source: `${REGISTRY}/${BROKE}/new:1`, fromInstance: 'idle' }))),
    says: NO_CREDIT,
    allowed: apply(ADMIN, inBroke(image('new', { source: 'a/b:1' }))),
  },
  'makes no job': {
    refused: apply(ADMIN, inBroke(gpuJob('new'))),
    says: NO_CREDIT,
    allowed: remove(ADMIN, ofBroke('job.gantry.dev busy')),
  },
  'resumes no job': {
    refused: patch(ADMIN, ofBroke('job.gantry.dev idle'), { spec: { power: 'Running' } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('job.gantry.dev busy'), { spec: { power: 'Stopped' } }),
  },
  'runs no job once more': {
    refused: patch(ADMIN, ofBroke('job.gantry.dev busy'), { spec: { runCount: 1 } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('job.gantry.dev busy'), { spec: { displayName: 'x' } }),
  },
  'gives no job more workers': {
    refused: patch(ADMIN, ofBroke('job.gantry.dev busy'), { spec: { workers: 2 } }),
    says: NO_CREDIT,
  },
  'has no schedule make a job': {
    refused: create(OPERATOR, inBroke(gpuJob('nightly-1', { startedBy: 'ann' }, ofSchedule('nightly')))),
    says: NO_CREDIT,
  },
  'makes no service': {
    refused: apply(ADMIN, inBroke(service('new'))),
    says: NO_CREDIT,
    allowed: apply(ADMIN, inBroke(service('new', { power: 'Stopped' }))),
  },
  'starts no service': {
    refused: patch(ADMIN, ofBroke('containerservice idle'), { spec: { power: 'Running' } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('containerservice busy'), { spec: { power: 'Stopped' } }),
  },
  'gives no service more replicas': {
    refused: patch(ADMIN, ofBroke('containerservice busy'), { spec: { replicas: 2 } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('containerservice busy'), { spec: { replicas: 0 } }),
  },
  'has no service scale to more at least': {
    refused: patch(ADMIN, ofBroke('containerservice busy'), { spec: { autoscaling: { min: 2 } } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('containerservice busy'), { spec: { autoscaling: { min: 0 } } }),
  },
  'gives the replicas of a service no GPUs': {
    refused: patch(ADMIN, ofBroke('containerservice busy'), { spec: { gpu: { model: 'H100', count: 1 } } }),
    says: NO_CREDIT,
    allowed: patch(ADMIN, ofBroke('containerservice idle'), { spec: { gpu: { model: 'H100', count: 1 } } }),
  },
};

const OPERATORS: Record<string, Rule> = {
  'sets nodes aside for hosts': {
    refused: patch(OPERATOR, 'node node-a', { metadata: { labels: { [HOST_LABEL]: 'mine' } } }),
    says: `metadata.labels: ${HOST_LABEL} is the uid of a GpuHost`,
    allowed: patch(OPERATOR, 'node node-a', {
      metadata: { labels: { [HOST_LABEL]: HOST_UID } },
      spec: { taints: [STRANGERS, NEW, aside(HOST_UID)] },
    }),
  },
  'labels nodes with nothing else': {
    refused: patch(OPERATOR, 'node node-a', { metadata: { labels: { 'nvidia.com/gpu.product': 'H100' } } }),
    says: `metadata.labels: of a node the operator changes ${HOST_LABEL} alone`,
  },
  "takes nobody's taint off": {
    refused: patch(OPERATOR, 'node node-a', { spec: { taints: [NEW, aside(HOST_UID)] } }),
    says: 'spec.taints: of a node the operator changes only taints of GpuHosts: NoSchedule, with the uid of one as their value',
    allowed: patch(OPERATOR, 'node node-a', { spec: { taints: [aside(OTHER_UID), STRANGERS, NEW] } }),
  },
  'throws nobody off a node': {
    refused: patch(OPERATOR, 'node node-a', {
      spec: { taints: [STRANGERS, NEW, { ...aside(HOST_UID), effect: 'NoExecute' }] },
    }),
    says: 'spec.taints: of a node the operator changes only taints of GpuHosts',
  },
  'closes no node': {
    refused: patch(OPERATOR, 'node node-a', { spec: { unschedulable: true } }),
    says: 'Of a node the operator changes a label and a taint, and nothing else',
  },
  'makes namespaces of organisations only': {
    refused: create(OPERATOR, namespace('kube-other')),
    says: 'The operator writes only namespaces of organisations',
    allowed: create(OPERATOR, namespace('org-other')),
  },
  'relabels no other namespace': {
    refused: patch(OPERATOR, 'namespace kube-system', { metadata: { labels: { 'gantry.dev/organization': 'x' } } }),
    says: 'The operator writes only namespaces of organisations',
  },
  'makes Pods for organisations only': {
    refused: create(OPERATOR, probePod('kube-system')),
    says: 'The operator writes this only in namespaces of organisations',
    allowed: create(OPERATOR, probePod(NAMESPACE)),
  },
  'makes LeaderWorkerSets for organisations only': {
    refused: create(OPERATOR, groupSet('chat-group', 'kube-system')),
    says: 'The operator writes this only in namespaces of organisations',
    allowed: create(OPERATOR, groupSet('chat-group', NAMESPACE)),
  },
  "makes no LeaderWorkerSet beside the platform's accounts": {
    refused: create(OPERATOR, groupSet('chat-group', SYSTEM)),
    says: 'The operator writes this only in namespaces of organisations',
  },
  "makes none beside the platform's accounts, but where isolation is tried out": {
    refused: create(OPERATOR, probePod(SYSTEM)),
    says: 'The operator writes this only in namespaces of organisations',
    allowed: create(OPERATOR, probePod('gantry-probe')),
  },
  'lets no Job act for the platform': {
    refused: create(OPERATOR, job(SYSTEM, { serviceAccountName: 'gantry-gateway' })),
    says: "spec.template.spec.serviceAccountName: the operator's Jobs run as no account of the platform",
    allowed: create(OPERATOR, job(SYSTEM)),
  },
  'gives the gateway names, never everybody': {
    refused: create(OPERATOR, role([impersonate])),
    says: "rules: the operator's Roles only name whom the gateway may act as",
    allowed: create(OPERATOR, role([{ ...impersonate, resourceNames: ['ann'] }])),
  },
  "lets the gateway ask for tokens by name, never for everybody's": {
    refused: create(OPERATOR, role([tokensOf])),
    says: "rules: the operator's Roles only name whom the gateway may act as",
    allowed: create(OPERATOR, role([{ ...tokensOf, resourceNames: ['ann'] }])),
  },
  'lets nobody else ask for tokens by name': {
    refused: create(OPERATOR, role([{ ...tokensOf, resourceNames: ['ann'] }], 'gantry-registry')),
    says: "rules: the operator's Roles only name whom the gateway may act as",
  },
  'lets the gateway make and delete Secrets, and not read them': {
    refused: create(OPERATOR, role([{ ...keptSecrets, verbs: ['create', 'delete', 'get'] }])),
    says: "rules: the operator's Roles only name whom the gateway may act as",
    allowed: create(OPERATOR, role([keptSecrets])),
  },
  'gives nobody anything else': {
    refused: create(OPERATOR, role([{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }])),
    says: "rules: the operator's Roles only name whom the gateway may act as",
  },
  'lets the registry read one Secret, by name': {
    refused: create(OPERATOR, role([{ ...pullSecret, resourceNames: ['gantry-pull', 'theirs'] }], 'gantry-registry')),
    says: "rules: the operator's Roles only name whom the gateway may act as, let it keep kubeconfigs",
    allowed: create(OPERATOR, role([pullSecret], 'gantry-registry')),
  },
  'lets nobody else read that Secret': {
    refused: create(OPERATOR, role([pullSecret])),
    says: "rules: the operator's Roles only name whom the gateway may act as, let it keep kubeconfigs",
  },
  'binds the registry to its own Role': {
    refused: create(OPERATOR, bound('gantry-gateway', 'gantry-registry')),
    says: 'subjects: the operator binds members to roles, and the gateway, the registry and the account of backups each to its own Role',
    allowed: create(OPERATOR, bound('gantry-registry', 'gantry-registry')),
  },
  'lets the account of backups list Secrets, and no other account': {
    refused: create(OPERATOR, role([listedSecrets], 'gantry-registry')),
    says: "rules: the operator's Roles only name whom the gateway may act as",
    allowed: create(OPERATOR, role([listedSecrets], 'gantry-backup')),
  },
  'lets the account of backups change none': {
    refused: create(OPERATOR, role([{ ...listedSecrets, verbs: ['list', 'create'] }], 'gantry-backup')),
    says: "rules: the operator's Roles only name whom the gateway may act as",
  },
  "binds no member to the registry's Role": {
    refused: create(OPERATOR, {
      ...bound('gantry-registry', 'x'),
      subjects: [{ kind: 'ServiceAccount', name: 'ann', namespace: NAMESPACE }],
    } as KubeObject),
    says: 'subjects: the operator binds members to roles, and the gateway, the registry and the account of backups each to its own Role',
  },
  'writes Secrets for organisations only': {
    refused: create(OPERATOR, { ...secret('gantry-pull', { ...managed, namespace: SYSTEM }, DOCKER) }),
    says: 'The operator writes Secrets only in namespaces of organisations',
    allowed: apply(OPERATOR, secret('gantry-pull', managed, DOCKER)),
  },
  "sees no tenant's Secret in the answer to a patch": {
    refused: apply(OPERATOR, secret('their-files', managed)),
    says: 'metadata.labels: the operator writes only Secrets that carry gantry.dev/managed',
    allowed: apply(OPERATOR, secret('our-files', managed, { stringData: { token: 'b' } })),
  },
  'writes no Secret of another name or type': {
    refused: create(OPERATOR, secret('gantry-pull', managed, { type: 'Opaque' })),
    says: 'metadata.name and type: the operator writes only gantry-pull, data-server, <disk>-files for file servers and <instance>-notebook',
    allowed: create(OPERATOR, secret('disk-files', managed)),
  },
  'writes the Secret of the data server’s token, and nothing else under its name': {
    refused: create(OPERATOR, secret('data-server', managed, DOCKER)),
    says: 'metadata.name and type: the operator writes only gantry-pull',
    allowed: apply(OPERATOR, secret('data-server', managed, { stringData: { token: 'b' } })),
  },
  'writes the Secret of a notebook token, and nothing else under its name': {
    refused: create(OPERATOR, secret('big-notebook', managed, DOCKER)),
    says: 'metadata.name and type: the operator writes only gantry-pull',
    allowed: create(OPERATOR, secret('big-notebook', managed)),
  },
  'binds members only': {
    refused: create(OPERATOR, {
      ...binding('owner', 'x'),
      subjects: [{ kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' }],
    } as KubeObject),
    says: 'subjects: the operator binds members to roles, and the gateway, the registry and the account of backups each to its own Role',
    allowed: create(OPERATOR, binding('owner', 'bob')),
  },
  'gives no rights outside organisations': {
    refused: create(OPERATOR, object('ServiceAccount', 'v1', 'x', {}, 'kube-system')),
    says: 'The operator writes this only in namespaces of organisations',
    allowed: create(OPERATOR, object('ServiceAccount', 'v1', 'x', {}, NAMESPACE)),
  },
};

const WIPED = { metadata: { annotations: { 'gantry.dev/wiped': '2026-11-21T10:00:00Z' } } };
const RENEWED = { spec: { renewTime: '2026-11-21T10:00:00.000000Z' } };
const SAVED = { phase: 'ready', digest: 'sha256:a' };
const HAS_MODEL = { metadata: { labels: { [weightsLabel('acme', 'd'.repeat(64))]: '' } } };
const SERVICES: Record<string, Rule> = {
  'an agent acts on the node of its Pod': {
    refused: patch(AGENT, leaseOf('node-a.agent'), RENEWED),
    says: 'The agent acts with a token that is bound to its Pod: this one does not say on which node it is',
    allowed: patch(AGENT_A, leaseOf('node-a.agent'), RENEWED),
  },
  'gives the sign of life of its own node': {
    refused: patch(AGENT_A, leaseOf('node-b.agent'), RENEWED),
    says: 'metadata.name: of Leases the agent of node node-a writes its own sign of life, and the answer on the claim of its node',
  },
  'claims no node by the sign of life': {
    refused: patch(AGENT_A, leaseOf('node-a.agent'), { metadata: { labels: { 'gantry.dev/kind': 'GpuHost' } } }),
    says: 'metadata.labels: the Lease of an agent says gantry.dev/kind: Agent, and nothing else',
  },
  'makes no other Lease': {
    refused: create(AGENT_A, lease('node-c.agent', SIGN)),
    says: 'metadata.name: of Leases the agent of node node-a writes',
  },
  'leads no operator': {
    refused: patch(AGENT_A, leaseOf('gantry-operator'), RENEWED),
    says: 'metadata.name: of Leases the agent of node node-a writes',
  },
  'says that its node is wiped': {
    refused: patch(AGENT_A, leaseOf('node-b'), WIPED),
    says: 'metadata.name: of Leases the agent of node node-a writes',
    allowed: patch(AGENT_A, leaseOf('node-a'), WIPED),
  },
  'claims no wiped node for anybody': {
    refused: patch(AGENT_A, leaseOf('node-a'), { spec: { holderIdentity: 'another' } }),
    says: 'Of the claim of its node the agent changes the annotation gantry.dev/wiped alone',
  },
  'takes no order to wipe its node away': {
    refused: patch(AGENT_A, leaseOf('node-a'), { metadata: { annotations: { 'gantry.dev/wipe': null } } }),
    says: 'Of the claim of its node the agent changes the annotation gantry.dev/wiped alone',
  },
  'says what was saved on its node': {
    refused: say(AGENT_A, 'Snapshot', 'there', SAVED),
    says: 'spec.node: the agent of node node-a carries out only Snapshots of its own node',
    allowed: say(AGENT_A, 'Snapshot', 'here', SAVED),
  },
  'answers no copy': {
    refused: say(AGENT_A, 'Snapshot', 'copy', SAVED),
    says: 'spec.node: the agent of node node-a carries out only Snapshots of its own node',
  },
  'of a disk says what is used': {
    refused: say(AGENT_A, 'DataDisk', 'mounted', { usage: measured('node-a'), volumeName: 'pv-1' }),
    says: 'status: of a disk or an instance the agent writes the usage alone',
    allowed: say(AGENT_A, 'DataDisk', 'mounted', { usage: measured('node-a') }),
  },
  'of a disk says only what it measured itself': {
    refused: say(AGENT_A, 'DataDisk', 'mounted', { usage: measured('node-b') }),
    says: 'status.usage.node: the agent of node node-a says only what it measured there',
  },
  'of an instance says what is used': {
    refused: say(AGENT_A, 'GpuInstance', 'rested', { usage: usedOn('node-a'), podIP: '10.0.0.1' }),
    says: 'status: of a disk or an instance the agent writes the usage alone',
    allowed: say(AGENT_A, 'GpuInstance', 'rested', { usage: usedOn('node-a') }),
  },
  'of an instance on another node says nothing': {
    refused: say(AGENT_A, 'GpuInstance', 'stuck', { usage: usedOn('node-a') }),
    says: 'status.node: the agent of node node-a measures only instances that are there',
  },
  'labels its own node with the models that are there': {
    refused: patch(AGENT_A, 'node of-a-host', HAS_MODEL),
    says: 'metadata.name: the agent of node node-a labels no other node',
    allowed: patch(AGENT_A, 'node node-a', HAS_MODEL),
  },
  'gives its node to no host': {
    refused: patch(AGENT_A, 'node node-a', { metadata: { labels: { [HOST_LABEL]: HOST_UID } } }),
    says: 'Of its node the agent changes labels with .models.gantry.dev/ alone',
  },
  'takes no taint off its node': {
    refused: patch(AGENT_A, 'node node-a', { spec: { taints: [] } }),
    says: 'Of its node the agent changes labels with .models.gantry.dev/ alone',
  },
  'the registry answers copies': {
    refused: say(COPIER, 'Snapshot', 'here', SAVED),
    says: 'spec.of: of Snapshots the registry carries out copies alone',
    allowed: say(COPIER, 'Snapshot', 'copy', SAVED),
  },
};

const kubeconfig = (where = NAMESPACE, data: object = {}): KubeObject =>
  object(
    'Secret',
    'v1',
    `${KUBECONFIG_PREFIX}a`,
    { metadata: { name: `${KUBECONFIG_PREFIX}a`, namespace: where, ...managed }, type: KUBECONFIG_SECRET, data },
    where,
  );
const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Reserved',
  message: '',
  lastTransitionTime: '2026-11-21T10:00:00Z',
});
const WRITES_ONLY =
  'The gateway writes only Secrets that carry gantry.dev/managed: empty ones of the type gantry.dev/kubeconfig that are named kubeconfig-';
const GATEWAYS: Record<string, Rule> = {
  'writes Secrets of organisations alone': {
    refused: create(GATEWAY, kubeconfig('kube-system')),
    says: 'The gateway writes Secrets only in namespaces of organisations',
    allowed: create(GATEWAY, kubeconfig()),
  },
  'writes empty Secrets': {
    refused: create(GATEWAY, kubeconfig(NAMESPACE, { a: 'YQ==' })),
    says: WRITES_ONLY,
  },
  'of what costs it writes no spec': {
    refused: patch(GATEWAY, RUNNING, { spec: { power: 'Stopped' } }),
    says: 'spec: nobody but members of the organisation writes what they wish',
  },
  'holds it back until all is billed': {
    refused: patch(GATEWAY, RUNNING, { metadata: { finalizers: ['gantry.dev/billing'] } }),
    says: 'metadata.finalizers: billing adds and takes away gantry.dev/billing alone',
    allowed: patch(GATEWAY, RUNNING, { metadata: { finalizers: ['gantry.dev/operator', 'gantry.dev/billing'] } }),
  },
  'lets go what costs once all is billed': {
    refused: patch(GATEWAY, inNamespace('gpuinstance billed'), { metadata: { finalizers: [] } }),
    says: 'metadata.finalizers: billing adds and takes away gantry.dev/billing alone',
    allowed: patch(GATEWAY, inNamespace('gpuinstance billed'), { metadata: { finalizers: ['gantry.dev/operator'] } }),
  },
  'writes nothing else on what costs': {
    refused: patch(GATEWAY, inNamespace('datadisk unconfirmed'), {
      metadata: { annotations: { [CONFIRM]: 'unconfirmed' } },
    }),
    says: 'metadata: billing changes its finalizer alone',
  },
  'deletes data that nobody pays for, which others have to confirm': {
    refused: remove(ADMIN, ofBroke('datadisk data')),
    says: 'All data on the disk is lost. To delete it anyway, first add the annotation',
    allowed: remove(GATEWAY, ofBroke('datadisk data')),
  },
  'gives up what was stopped, which others shut down first': {
    refused: remove(ADMIN, ofBroke('gpuinstance stopped')),
    says: 'Instance is not shut down, cannot release.',
    allowed: remove(GATEWAY, ofBroke('gpuinstance stopped')),
  },
  'gives up what never ran': {
    refused: remove(GATEWAY, ofBroke('gpuinstance busy')),
    says: 'Instance is not shut down, cannot release.',
    allowed: remove(GATEWAY, ofBroke('gpuinstance idle')),
  },
  'of nobody who pays': {
    refused: remove(GATEWAY, inNamespace('datadisk confirmed')),
    says: 'Billing deletes what an organisation without credit has, and nothing else',
  },
  'says what credit there is': {
    refused: say(GATEWAY, 'GpuInstance', 'rested', { settledPower: 'Hibernated' }),
    says: 'status: the gateway writes billing’s condition, what is posted, a service’s scaling and traffic, how a model is served, what a data task reads, makes and has done, and whom a job’s agent lets in; the operator all else',
    allowed: say(GATEWAY, 'GpuInstance', 'rested', {
      credit: { until: '2026-11-21T10:00:00Z', postedSeq: 3 },
      conditions: [condition('CreditReserved')],
    }),
  },
  'says of an instance only whether it has credit': {
    refused: say(GATEWAY, 'GpuInstance', 'rested', { conditions: [condition('RootSaved')] }),
    says: 'status.conditions: billing writes the condition CreditReserved alone',
  },
  'says of an organisation only whether it is in credit': {
    refused: say(GATEWAY, 'Organization', 'acme', { conditions: [condition('NetworkIsolated')] }),
    says: 'status.conditions: billing writes the condition InCredit alone',
    allowed: say(GATEWAY, 'Organization', 'acme', { conditions: [condition('InCredit')] }),
  },
  "deletes no tenant's Secret": {
    refused: remove(GATEWAY, inNamespace('secret theirs')),
    says: WRITES_ONLY,
    allowed: remove(GATEWAY, inNamespace('secret ghcr')),
  },
  'makes logins to registries that members cannot read': {
    refused: create(GATEWAY, secret('new', {}, DOCKER)),
    says: WRITES_ONLY,
    allowed: create(GATEWAY, secret('new', managed, DOCKER)),
  },
  'makes no login to a registry in the place of a file server’s Secret': {
    refused: create(GATEWAY, secret('data-files', managed, DOCKER)),
    says: 'metadata.name: Secrets whose names end in -files are made by the platform alone',
  },
  'makes no login to a registry in the place of the data server’s Secret': {
    refused: create(GATEWAY, secret('data-server', managed, DOCKER)),
    says: 'metadata.name: data-server is made by the platform alone',
  },
  "makes no login to a registry in the place of the organisation's": {
    refused: create(GATEWAY, secret('gantry-pull', managed, DOCKER)),
    says: 'metadata.name: gantry-pull is made by the platform alone',
  },
  "deletes no password of the organisation's": {
    refused: remove(GATEWAY, inNamespace('secret gantry-pull')),
    says: WRITES_ONLY,
  },
};

const ONLY_QUEUES =
  'Of the job queue the operator writes LocalQueues in namespaces of organisations, ClusterQueues named org-…, and the rest named gantry or gantry-…';
const WORKLOADS: Record<string, Rule> = {
  'a program sees no credentials of the platform’s': {
    refused: create(ANN, gpuJob('new', variables('gantry-pull', '.dockerconfigjson'))),
    says: 'spec.secretEnv: the values of gantry-pull are not for variables',
    allowed: create(ANN, gpuJob('new', variables('theirs'))),
  },
  'a program sees no login to a registry, whatever its Secret is called': {
    refused: create(ANN, service('new', variables('ghcr', '.dockerconfigjson'))),
    says: 'spec.secretEnv: the values of ghcr are not for variables',
    allowed: create(ANN, service('new', variables('theirs'))),
  },
  'a program sees no token of a disk’s file server': {
    refused: create(ANN, gpuJob('new', variables('our-files'))),
    says: 'spec.secretEnv: the values of our-files are not for variables',
  },
  'a program sees no token of the data server': {
    refused: create(ANN, service('new', variables('data-server'))),
    says: 'spec.secretEnv: the values of data-server are not for variables',
  },
  'a job is not given what another one was': {
    refused: create(ANN, gpuJob('new', variables('with-values-env'))),
    says: 'spec.secretEnv: the values of with-values-env are not for variables',
    allowed: patch(ANN, inNamespace('job.gantry.dev with-values'), { spec: { cores: 3 } }),
  },
  'a job is not given what one with a longer name was': {
    refused: create(ANN, gpuJob('with', variables('with-values-j0000000-env'))),
    says: 'spec.secretEnv: the values of with-values-j0000000-env are not for variables',
    allowed: create(ANN, gpuJob('with-values-2', variables('with-values-2-j0123abc-env'))),
  },
  'a job is not given what a service of its name was': {
    refused: create(ANN, gpuJob('web-2', variables('web-2-s0000000-env'))),
    says: 'spec.secretEnv: the values of web-2-s0000000-env are not for variables',
    allowed: create(ANN, service('web-2', variables('web-2-s0000000-env'))),
  },
  ...Object.fromEntries(
    ['NVIDIA_VISIBLE_DEVICES', 'NVIDIA_MIG_CONFIG_DEVICES', 'NVIDIA_MOFED', 'DOCKER_RESOURCE_GPU'].map((name) => [
      `${name} opens no GPUs of a node`,
      {
        refused: create(ANN, gpuJob('new', { env: [{ name, value: 'all' }] })),
        says: `spec.env: ${name} chooses devices of the node, which only the platform does`,
        allowed: create(ANN, gpuJob('new', { env: [{ name: 'CUDA_VISIBLE_DEVICES', value: '0' }] })),
      },
    ]),
  ),
  'a Secret opens no GPUs of a node': {
    refused: create(
      ANN,
      service('new', { secretEnv: [{ name: 'NVIDIA_VISIBLE_DEVICES', secret: 'theirs', key: 'A' }] }),
    ),
    says: 'spec.env: NVIDIA_VISIBLE_DEVICES chooses devices of the node, which only the platform does',
  },
  'an instance opens no GPUs of its node': {
    refused: create(ANN, instance('new', { env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }] })),
    says: 'spec.env: NVIDIA_VISIBLE_DEVICES chooses devices of the node, which only the platform does',
    allowed: create(ANN, instance('new', { env: [{ name: 'NVIDIA_DRIVER_CAPABILITIES', value: 'all' }] })),
  },
  'a deployment opens no GPUs of its node': {
    refused: create(
      ANN,
      object(
        'ModelDeployment',
        API_VERSION,
        'new',
        {
          spec: {
            creator: 'ann',
            model: 'mdl-1',
            version: '1.0',
            env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }],
          },
        },
        NAMESPACE,
      ),
    ),
    says: 'spec.env: NVIDIA_VISIBLE_DEVICES chooses devices of the node, which only the platform does',
  },
  'no disk is mounted where the node names GPUs': {
    refused: create(
      ANN,
      instance('new', { disks: [{ name: 'data', mountPath: '/var/run/nvidia-container-devices/all' }] }),
    ),
    says: 'mountPath: /var/run/nvidia-container-devices/all is where the node names GPUs',
    allowed: create(ANN, instance('new', { disks: [{ name: 'data', mountPath: '/var/run/data' }] })),
  },
  'no Pod of an organisation names devices in its annotations': {
    refused: create(OPERATOR, pod('new', { 'cdi.k8s.io/gpu': 'nvidia.com/gpu=all' })),
    says: 'metadata.annotations: cdi.k8s.io/gpu names devices of the node, which Kubernetes alone hands out',
    allowed: create(OPERATOR, pod('new', { 'example.org/cdi': 'a' })),
  },
  'members make no Secret that the gateway would take for its own': {
    refused: create(ANN, secret('new-env', {}, OPAQUE)),
    says: 'metadata.name: Secrets whose names end in -env are made by the platform alone',
    allowed: create(GATEWAY, secret('new-j0000000-env', ownedByJob('new'), OPAQUE)),
  },
  'the gateway keeps variables only for what owns them': {
    refused: create(GATEWAY, secret('new-j0000000-env', managed, OPAQUE)),
    says: 'The gateway writes only Secrets that carry gantry.dev/managed',
    allowed: create(GATEWAY, secret('new-j0a1b2c3-env', ownedByJob('new'), OPAQUE)),
  },
  'the gateway keeps no variables under the name of another': {
    refused: create(GATEWAY, secret('new-other-j0000000-env', ownedByJob('new'), OPAQUE)),
    says: 'The gateway writes only Secrets that carry gantry.dev/managed',
  },
  'who runs a colleague’s job once more pays': {
    refused: patch(ANN, inNamespace('job.gantry.dev done-by-bob'), { spec: { runCount: 1 } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('job.gantry.dev done-by-bob'), { spec: { runCount: 1, startedBy: 'ann' } }),
  },
  'who has a service do more pays': {
    refused: patch(ANN, inNamespace('containerservice web'), { spec: { replicas: 2, startedBy: 'bob' } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('containerservice web'), { spec: { replicas: 2, startedBy: 'ann' } }),
  },
  'who scales a colleague’s service up has them pay': {
    refused: scale(ANN, inNamespace('containerservice by-bob'), 2),
    says: 'spec.replicas: bob pays for these replicas. Set spec.replicas and spec.startedBy, ann, in one change of the object',
    allowed: scale(ANN, inNamespace('containerservice taken-over'), 2),
  },
  'who scales a colleague’s deployment down has them pay for the rest': {
    refused: scale(ANN, inNamespace('modeldeployment of-bob'), 0),
    says: 'spec.replicas: bob pays for these replicas. Set spec.replicas and spec.startedBy, ann, in one change of the object',
    allowed: scale(ANN, inNamespace('modeldeployment big-model'), 2),
  },
  'what nobody answers for is scaled by anybody': {
    refused: scale(ANN, inNamespace('containerservice by-nobody'), 65),
    says: 'spec.replicas: Invalid value: 65: spec.replicas in body should be less than or equal to 64',
    allowed: scale(ANN, inNamespace('containerservice by-nobody'), 64),
  },
  'a stopped service of a colleague’s is scaled, which nobody pays for': {
    refused: scale(ANN, inNamespace('modeldeployment big-model'), 9),
    says: 'spec.nodesPerReplica:',
    allowed: scale(ANN, inNamespace('containerservice off-by-bob'), 9),
  },
  'what scales itself is scaled by nobody else, an autoscaler of the cluster’s neither': {
    refused: scaleAlone(HPA, 'follows-load', 2),
    says: 'spec.replicas: follows-load scales itself. Change its spec.autoscaling, or remove that first',
    allowed: scaleAlone(HPA, 'by-bob', 2),
  },
  'a viewer sees a scale, and changes none': {
    refused: scale(EVE, inNamespace('containerservice web'), 2),
    says: 'cannot patch resource "containerservices/scale"',
    allowed: () =>
      server.kubectl.run(['get', ...as(EVE), ...inNamespace('containerservice web').split(' '), '--subresource=scale']),
  },
  'a member of another organisation finds no scale': {
    refused: scaleAlone('system:serviceaccount:org-broke:eve', 'web', 2),
    says: 'cannot update resource "containerservices/scale"',
  },
  'staff scale nothing': {
    refused: scale(STAFF, inNamespace('containerservice web'), 2),
    says: 'cannot patch resource "containerservices/scale"',
  },
  'without credit a service grows by no autoscaler of the cluster’s': {
    refused: scaleAlone(HPA, 'three', 4, BROKE),
    says: 'You cannot start anything that costs money, but you can still stop and delete.',
    allowed: scaleAlone(HPA, 'three', 2, BROKE),
  },
  'without credit a deployment is not scaled up': {
    refused: scale(ADMIN, `modeldeployment three -n ${BROKE}`, 4),
    says: 'You cannot start anything that costs money, but you can still stop and delete.',
    allowed: scale(ADMIN, `modeldeployment three -n ${BROKE}`, 0),
  },
  'a job runs no image of another organisation': {
    refused: create(ANN, gpuJob('new', { image: `${REGISTRY}/org-other/work:1` })),
    says: `spec.image: from ${REGISTRY} you can use only org-acme/… and official/…`,
    allowed: create(ANN, gpuJob('new', { image: `${REGISTRY}/org-acme/work:1` })),
  },
  'a service runs no image from an address inside': {
    refused: create(ANN, service('new', { image: '10.0.0.1:5000/a/work:1' })),
    says: 'spec.image: 10.0.0.1:5000 is not on the public internet.',
    allowed: create(ANN, service('new', { image: 'ghcr.io/a/work:1' })),
  },
  'members forge no run of a schedule': {
    refused: create(ANN, gpuJob('new', {}, { labels: { 'gantry.dev/schedule': 'nightly' } })),
    says: 'metadata.labels: gantry.dev/schedule is set by the platform alone',
  },
  'the operator makes only runs of schedules': {
    refused: create(OPERATOR, gpuJob('new', { startedBy: 'ann' })),
    says: 'metadata: the operator makes only Jobs that a schedule owns and gantry.dev/schedule names',
    allowed: create(OPERATOR, gpuJob('nightly-1', { startedBy: 'ann' }, ofSchedule('nightly'))),
  },
  'a schedule makes no schedules': {
    refused: create(OPERATOR, gpuJob('nightly-1', { schedule: SCHEDULE }, ofSchedule('nightly'))),
    says: 'spec.schedule: the run of a schedule has no schedule of its own',
  },
  'the operator queues only what is an organisation’s': {
    refused: create(OPERATOR, queueObject('LocalQueue', 'gantry', { clusterQueue: 'org-acme' }, SYSTEM)),
    says: ONLY_QUEUES,
    allowed: create(OPERATOR, queueObject('LocalQueue', 'gantry', { clusterQueue: 'org-acme' }, NAMESPACE)),
  },
  'the operator leaves the ClusterQueues of others alone': {
    refused: create(OPERATOR, queueObject('ClusterQueue', 'team-a', serving('team-a'))),
    says: ONLY_QUEUES,
    allowed: create(OPERATOR, queueObject('ClusterQueue', 'org-acme', serving('org-acme'))),
  },
  'no organisation’s queue serves another one': {
    refused: create(OPERATOR, queueObject('ClusterQueue', 'org-acme', serving('org-other'))),
    says: 'spec.namespaceSelector: the ClusterQueue of an organisation serves its namespace alone',
  },
  'an organisation’s queue does not serve everybody': {
    refused: create(OPERATOR, queueObject('ClusterQueue', 'org-acme', { namespaceSelector: {} })),
    says: 'spec.namespaceSelector: the ClusterQueue of an organisation serves its namespace alone',
  },
  'the operator leaves the flavors of others alone': {
    refused: create(OPERATOR, queueObject('ResourceFlavor', 'default-flavor', {})),
    says: ONLY_QUEUES,
    allowed: create(OPERATOR, queueObject('ResourceFlavor', 'gantry-h100', {})),
  },
  'the operator deploys in organisations alone': {
    refused: create(OPERATOR, deployment(SYSTEM)),
    says: 'The operator writes this only in namespaces of organisations',
    allowed: create(OPERATOR, deployment(NAMESPACE)),
  },
  'the gateway scales a service and writes nothing of the operator’s': {
    refused: say(GATEWAY, 'ContainerService', 'web', { revision: 2 }),
    says: 'status: the gateway writes billing’s condition',
    allowed: say(GATEWAY, 'ContainerService', 'web', {
      scaling: { replicas: 2, because: 'CPU', at: '2026-11-21T10:00:00Z' },
      traffic: { lastRequestAt: '2026-11-21T10:00:00Z' },
      credit: { postedSeq: 1, cost: '1.00 USD', replicas: 1 },
      conditions: [condition('CreditReserved')],
    }),
  },
  'the gateway says of a job what it cost, and not how far it is': {
    refused: say(GATEWAY, 'Job', 'nightly', { excludedNodes: ['node-a'] }),
    says: 'status: the gateway writes billing’s condition',
    allowed: say(GATEWAY, 'Job', 'nightly', { credit: { cost: '1.00 USD' } }),
  },
  'the gateway says of a data task what it reads, makes and has done, and not how far its run is': {
    refused: say(GATEWAY, 'DataProcess', 'pairs', { run: { seq: 1, cause: 'first' } }),
    says: 'status: the gateway writes billing’s condition',
    allowed: say(GATEWAY, 'DataProcess', 'pairs', {
      inputs: { run: 1, dataset: 'dst-in', version: 1, digest: 'd', bytes: 1 },
      output: { run: 1, dataset: 'dst-out', version: 1 },
      progress: { run: 1, done: 1, of: 2, failed: 0, rejected: 0, at: '2026-11-21T10:00:00Z' },
      outcome: { run: 1, problem: { code: 'TableBroken', sentence: 'It is cut.' } },
      conditions: [condition('CreditReserved'), condition('InputsListed'), condition('OutputMade')],
    }),
  },
  'the gateway says of a fine-tuning task how its training goes, and not how far its run is': {
    refused: say(GATEWAY, 'FineTune', 'tuned', { workers: [{ index: 0, phase: 'running' }] }),
    says: 'status: the gateway writes billing’s condition',
    allowed: say(GATEWAY, 'FineTune', 'tuned', {
      training: { run: 1, step: 1, of: 2, loss: 1.5, at: '2026-11-21T10:00:00Z' },
      checkpoint: { run: 1, step: 1, bytes: 1, at: '2026-11-21T10:00:00Z' },
      rehearsal: { run: 1, peakMemoryMi: 1, secondsPerStep: 0.5 },
      saved: { count: 1, step: 1, model: 'mdl-out', version: 'v1', at: '2026-11-21T10:00:00Z' },
      outcome: { run: 1, rows: 3 },
      conditions: [condition('InputsListed'), condition('CheckpointKept')],
    }),
  },
  'who has a colleague’s model trained longer pays, and so does who saves it': {
    refused: patch(ANN, inNamespace('finetune tuned-of-bob'), { spec: { saveCount: 1 } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('finetune tuned-of-bob'), {
      spec: { saveCount: 1, parameters: { maxSteps: 9 }, startedBy: 'ann' },
    }),
  },
  'staff stop a fine-tuning task, and save none': {
    refused: patch(STAFF, inNamespace('finetune tuned'), { spec: { saveCount: 1 } }),
    says: 'spec: staff write what a command writes, and nothing else: power',
    allowed: patch(STAFF, inNamespace('finetune tuned'), { spec: { power: 'Stopped' } }),
  },
  'the gateway says of an evaluation what its subjects score, and not how far its run is': {
    refused: say(GATEWAY, 'Evaluation', 'asked', { workers: [{ index: 0, phase: 'running' }] }),
    says: 'status: the gateway writes billing’s condition',
    allowed: say(GATEWAY, 'Evaluation', 'asked', {
      scores: [{ subject: 0, task: 0, metric: 'ExactMatch', value: 0.5, low: 0.4, high: 0.6, n: 10 }],
      output: { run: 1, examples: 10 },
      conditions: [condition('InputsListed')],
    }),
  },
  'who has a colleague’s evaluation ask more pays': {
    refused: patch(ANN, inNamespace('evaluation asked-of-bob'), { spec: { limit: 100 } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('evaluation asked-of-bob'), { spec: { limit: 100, startedBy: 'ann' } }),
  },
  'staff stop an evaluation, and ask nothing more': {
    refused: patch(STAFF, inNamespace('evaluation asked'), { spec: { maxTokens: 10 } }),
    says: 'spec: staff write what a command writes, and nothing else: power',
    allowed: patch(STAFF, inNamespace('evaluation asked'), { spec: { power: 'Stopped' } }),
  },
  'the gateway lists inputs of data tasks alone': {
    refused: say(GATEWAY, 'DataProcess', 'pairs', { conditions: [condition('Complete')] }),
    says: 'status.conditions: billing writes the condition CreditReserved alone',
  },
  'who has a data task of a colleague’s read more pays': {
    refused: patch(ANN, inNamespace('dataprocess pairs-of-bob'), { spec: { input: { dataset: 'dst-large' } } }),
    says: 'spec.startedBy: must be the account that starts it, ann',
    allowed: patch(ANN, inNamespace('dataprocess pairs-of-bob'), {
      spec: { input: { dataset: 'dst-large' }, startedBy: 'ann' },
    }),
  },
  'staff stop a job, and run none': {
    refused: patch(STAFF, inNamespace('job.gantry.dev nightly'), { spec: { runCount: 1 } }),
    says: 'spec: staff write what a command writes, and nothing else: power',
    allowed: patch(STAFF, inNamespace('job.gantry.dev nightly'), { spec: { power: 'Stopped' } }),
  },
  'staff stop a service, and scale none': {
    refused: patch(STAFF, inNamespace('containerservice web'), { spec: { replicas: 9 } }),
    says: 'spec: staff write what a command writes, and nothing else: power, restartCount',
    allowed: patch(STAFF, inNamespace('containerservice web'), { spec: { power: 'Stopped' } }),
  },
  'staff restart a service once at a time': {
    refused: patch(STAFF, inNamespace('containerservice web'), { spec: { restartCount: 7 } }),
    says: 'spec.restartCount: no command of staff writes this',
    allowed: patch(STAFF, inNamespace('containerservice web'), { spec: { restartCount: 1 } }),
  },
  'staff end the mute of a policy, and begin none': {
    refused: patch(STAFF, inNamespace('alertpolicy hot'), { spec: { mutedUntil: '2030-01-01T00:00:00Z' } }),
    says: 'spec.mutedUntil: no command of staff writes this',
    allowed: patch(STAFF, inNamespace('alertpolicy hot'), { spec: { mutedUntil: '2000-01-01T00:00:00Z' } }),
  },
  'staff evict workers, and no file server that is called like one': {
    refused: () => evict(NAMESPACE, 'a-1-2-files')(),
    says: 'Staff evict Pods of instances, jobs and services alone: a-1-2-files is none of them',
    allowed: () => evict(NAMESPACE, 'train-1-0-bcdfg')(),
  },
  'staff evict workers of data tasks': {
    refused: () => evict(SYSTEM, DATA_WORKERS[0])(),
    says: 'Staff evict Pods of instances, jobs and services alone',
    allowed: () => evict(NAMESPACE, DATA_WORKERS[0])(),
  },
};

const evict = (namespace: string, pod: string) => () =>
  server.kubectl.run(
    ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}/eviction?dryRun=All`, `--as=${STAFF}`, '-f', '-'],
    { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } },
  );
const NODE_A = 'node node-a';
const OWNER_LABEL = 'node-restriction.kubernetes.io/gantry-owner';
const STAFFS: Record<string, Rule> = {
  'stops an instance, and starts none': {
    refused: patch(STAFF, inNamespace('gpuinstance of-bob'), { spec: { power: 'Running' } }),
    says: 'spec.power: no command of staff writes this',
    allowed: patch(STAFF, RUNNING, { spec: { power: 'Hibernated' } }),
  },
  'reboots once at a time': {
    refused: patch(STAFF, RUNNING, { spec: { rebootCount: 7 } }),
    says: 'spec.rebootCount: no command of staff writes this',
    allowed: patch(STAFF, RUNNING, { spec: { rebootCount: 1 } }),
  },
  'renews the token of a notebook once at a time': {
    refused: patch(STAFF, RUNNING, { spec: { notebookTokenCount: 2 } }),
    says: 'spec.notebookTokenCount: no command of staff writes this',
    allowed: patch(STAFF, RUNNING, { spec: { notebookTokenCount: 1 } }),
  },
  'writes nothing else that a tenant wishes': {
    refused: patch(STAFF, RUNNING, { spec: { power: 'Stopped', env: [{ name: 'A', value: 'b' }] } }),
    says: 'spec: staff write what a command writes, and nothing else: power, rebootCount, notebookTokenCount',
    allowed: patch(STAFF, RUNNING, { spec: { power: 'Stopped' } }),
  },
  'gives nobody else the bill': {
    refused: patch(STAFF, RUNNING, { spec: { startedBy: 'bob' } }),
    says: 'spec: staff write what a command writes',
  },
  'renews no host at its tenant’s expense': {
    refused: patch(STAFF, inNamespace('gpuhost big'), { spec: { months: 2 } }),
    says: 'spec: staff write what a command writes, and nothing else: nothing',
  },
  'pauses, and forces nothing': {
    refused: patch(STAFF, RUNNING, { metadata: { annotations: { 'gantry.dev/force': 'running' } } }),
    says: 'metadata.annotations: staff change gantry.dev/paused',
    allowed: patch(STAFF, RUNNING, { metadata: { annotations: { 'gantry.dev/paused': 'true' } } }),
  },
  'strips no finalizer': {
    refused: patch(STAFF, inNamespace('gpuinstance billed'), { metadata: { finalizers: [] } }),
    says: 'metadata: staff change annotations alone',
  },
  'labels nothing': {
    refused: patch(STAFF, RUNNING, { metadata: { labels: { mine: 'b' } } }),
    says: 'metadata: staff change annotations alone',
  },
  'releases what is shut down, as its tenant may': {
    refused: remove(STAFF, RUNNING),
    says: 'Instance is not shut down, cannot release. Please shut down and then release.',
    allowed: remove(STAFF, inNamespace('gpuinstance rested')),
  },
  'deletes a disk that was confirmed': {
    refused: remove(STAFF, inNamespace('datadisk unconfirmed')),
    says: 'All data on the disk is lost.',
    allowed: remove(STAFF, inNamespace('datadisk confirmed')),
  },
  'deletes no official image': {
    refused: remove(STAFF, `image common -n ${SYSTEM}`),
    says: 'Staff command what organisations have, and nothing else',
  },
  'takes a node out of service, and taints it not': {
    refused: patch(STAFF, NODE_A, { spec: { taints: [] } }),
    says: 'spec.taints: staff do not write taints',
    allowed: patch(STAFF, NODE_A, {
      spec: { unschedulable: true },
      metadata: { annotations: { 'gantry.dev/cordoned': 'a fan', 'gantry.dev/gpu-faults': '[]' } },
    }),
  },
  'says whose own a node is, and labels it with nothing else': {
    refused: patch(STAFF, NODE_A, { metadata: { labels: { [HOST_LABEL]: HOST_UID } } }),
    says: `metadata.labels: of a node staff change ${OWNER_LABEL} alone`,
    allowed: patch(STAFF, NODE_A, { metadata: { labels: { [OWNER_LABEL]: 'acme' } } }),
  },
  'takes no node from the host that has it': {
    refused: patch(STAFF, 'node of-a-host', { metadata: { labels: { [OWNER_LABEL]: 'acme' } } }),
    says: `metadata.labels: ${OWNER_LABEL} stays while a host has the node`,
  },
  'holds no node': {
    refused: patch(STAFF, NODE_A, { metadata: { finalizers: ['example.com/mine'] } }),
    says: 'Of a node staff change whether it takes new Pods, and nothing else',
  },
  'annotates a node with nothing else': {
    refused: patch(STAFF, NODE_A, { metadata: { annotations: { mine: 'b' } } }),
    says: 'metadata.annotations: of a node staff change gantry.dev/cordoned, gantry.dev/gpu-faults alone',
  },
  'evicts instances alone': {
    refused: evict(NAMESPACE, 'dev-keep'),
    says: 'Staff evict Pods of instances, jobs and services alone: dev-keep is none of them',
    allowed: evict(NAMESPACE, 'dev-1'),
  },
  'evicts nothing of the platform': {
    refused: evict(SYSTEM, 'agent-a'),
    says: 'Staff evict Pods of instances, jobs and services alone: agent-a is none of them',
  },
};

async function judge({ refused, says, or = says, allowed }: Rule): Promise<void> {
  const no = await refused();
  const said = no.stderr + no.stdout;
  expect(said).toContain(said.includes(or) ? or : says);
  expect(no.code).not.toBe(0);
  if (allowed) expect(await allowed()).toMatchObject({ code: 0 });
}
describe('a tenant', () => {
  test.each(Object.entries(TENANTS))('%s', (_, rule) => judge(rule));
});
describe('whoever asks', () => {
  test.each(Object.entries(EVERYBODY))('%s', (_, rule) => judge(rule));
});
describe('whoever has no credit', () => {
  test.each(Object.entries(SPENDERS))('%s', (_, rule) => judge(rule));
});
describe('the operator', () => {
  test.each(Object.entries(OPERATORS))('%s', (_, rule) => judge(rule));
});
describe('whoever carries saves out', () => {
  test.each(Object.entries(SERVICES))('%s', (_, rule) => judge(rule));
});
describe('the gateway', () => {
  test.each(Object.entries(GATEWAYS))('%s', (_, rule) => judge(rule));
});
describe('with jobs and services', () => {
  test.each(Object.entries(WORKLOADS))('%s', (_, rule) => judge(rule));
});
describe('staff', () => {
  test.each(Object.entries(STAFFS))('%s', (_, rule) => judge(rule));
});

test.each([
  ['read Secrets', 'get secrets'],
  ['create instances', 'create gpuinstances'],
  ['write statuses', 'patch gpuinstances --subresource=status'],
  ['exec', 'create pods --subresource=exec'],
  ['act as members', 'impersonate serviceaccounts'],
  ['change organisations', 'patch organizations'],
])('staff may not %s', async (_, what) => {
  const { stdout } = await server.kubectl.run(['auth', 'can-i', ...what.split(' '), `--as=${STAFF}`, '-n', NAMESPACE]);
  expect(stdout.trim()).toBe('no');
});

/** One POST: kubectl itself would look at the Pod's phase before it forwards a port. */
const connect = (user: string, pod: string, how: string, namespace = NAMESPACE) =>
  server.kubectl.run(
    ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}/${how}`, ...as(user), '-f', '-'],
    '{}',
  );
const EXEC = 'exec?command=id&stdout=true';

test.each([
  ['exec into the file server of a disk', 'data-files', EXEC],
  ['exec into the data server', 'data-server', EXEC],
  ['forward the port of the data server', 'data-server', 'portforward'],
  ...LOOKALIKES.map((pod): [string, string, string] => [
    'exec into a file server that is called like a Pod of theirs',
    pod,
    EXEC,
  ]),
  ['exec into the keeper of a home', 'dev-keep', EXEC],
  ['exec into the probe of the network', 'gantry-probe', EXEC],
  ['exec into the check of an image, whatever its random end', 'dev.verify-24567', EXEC],
  ['exec into what fills a node with a model', FILL, EXEC],
  ['forward a port of the keeper', 'dev-keep', 'portforward'],
])('a member may not %s', async (_, pod, how) => {
  const ended = await connect(ANN, pod, how);
  expect(ended.stderr).toContain(
    `Members connect to Pods of instances, jobs and services alone: ${pod} is a Pod of the platform`,
  );
});

test.each([EXEC, 'portforward'])('a member may not reach the worker of a data task by %s', async (how) => {
  const [worker, likeAnInstance] = DATA_WORKERS;
  expect((await connect(ANN, worker, how)).stderr).toContain('Members connect to Pods of instances, jobs and services');
  expect((await connect(ANN, likeAnInstance, how)).stderr).toContain(
    `Members do not enter the worker of a data task: ${likeAnInstance}`,
  );
});

test.each(['weights', 'agent'])(
  'a member may not exec into the container of a replica that is called %s',
  async (container) => {
    const ended = await connect(ANN, REPLICA, `${EXEC}&container=${container}`);
    expect(ended.stderr).toContain(`Members do not enter the containers that prepare a replica: ${REPLICA}`);
  },
);

test.each([
  ['a member execs into the engine of a replica', ANN, REPLICA, `${EXEC}&container=main`],
  ['a member execs into an instance', ANN, 'dev-24567', EXEC],
  ...WORKLOAD_PODS.map((pod): [string, string, string, string] => [`a member execs into ${pod}`, ANN, pod, EXEC]),
  ['a member forwards a port of a replica', ANN, REPLICA, 'portforward'],
  ['the gateway forwards the port of a replica as itself', GATEWAY, REPLICA, 'portforward'],
  ['the gateway forwards the port of what fills a node as itself', GATEWAY, FILL, 'portforward'],
  ['the gateway forwards the port of the data server as itself', GATEWAY, 'data-server', 'portforward'],
  ['the gateway forwards the port of a data task as itself', GATEWAY, DATA_WORKERS[0], 'portforward'],
  ['the gateway forwards the port of the agent beside a program as itself', GATEWAY, 'train-1-0-bcdfg', 'portforward'],
  ['a member forwards a port of an instance', ANN, 'dev-1', 'portforward'],
  ['the gateway forwards the port of a file server as a member', ANN, 'data-files', 'portforward'],
  ['staff exec into the file server of a disk', ADMIN, 'data-files', EXEC],
])('%s', async (_, user, pod, how) => {
  // No node here has it: the API server got as far as looking for one.
  expect((await connect(user, pod, how)).stderr).toContain('does not have a host assigned');
});

const ONLY_TENANTS = 'The gateway connects to Pods only in namespaces of organisations';
const ONLY_REPLICAS =
  'The gateway connects to ports of replicas, of workers of jobs, of what fills nodes with models and of what reads or makes datasets, and to nothing else';
test.each([
  ['a Pod of the platform that is called like a replica', SYSTEM, REPLICA, ONLY_TENANTS],
  ['a Pod outside that is called like the data server', SYSTEM, 'data-server', ONLY_TENANTS],
  ['an instance', NAMESPACE, 'dev-1', ONLY_REPLICAS],
  ['a file server that is called like a replica', NAMESPACE, 'a-service-b-files', ONLY_REPLICAS],
])('the gateway forwards as itself no port of %s', async (_, namespace, pod, sentence) => {
  expect((await connect(GATEWAY, pod, 'portforward', namespace)).stderr).toContain(sentence);
});

const ofNode = (path: string, account = USAGE) =>
  server.kubectl.run(['get', ...as(account), '--raw', `/api/v1/nodes/node-a/proxy${path}`]);
const ONLY_CONFIGURATION = 'Checks of the cluster read /configz of a node, and nothing else';
const ONLY_SUMMARY = 'The gateway reads /stats/summary of a node, and nothing else';

test.each([
  '/exec/org-acme/dev-1/main?command=id&output=1',
  '/run/org-acme/dev-1/main?cmd=id',
  '/containerLogs/gantry-system/agent-a/main',
  '/pods',
  '/stats/summary/',
  '/stats/summary/../../exec/org-acme/dev-1/main',
  '/',
  '',
])('the gateway does not read %j of a node', async (path) => {
  expect((await ofNode(path)).stderr).toContain(ONLY_SUMMARY);
});

test.each(['/stats/summary', '/exec/org-acme/dev-1/main?command=id&output=1'])(
  'the gateway as itself, whose token a thief could send to a kubelet, has no right to %j of a node',
  async (path) => {
    expect((await ofNode(path, GATEWAY)).stderr).toContain('cannot get resource "nodes/proxy"');
  },
);

test.each(['/exec/org-acme/dev-1/main?command=id&output=1', '/pods', '/stats/summary', '/configz/../pods', '/'])(
  'checks of the cluster do not read %j of a node',
  async (path) => {
    expect((await ofNode(path, DOCTOR)).stderr).toContain(ONLY_CONFIGURATION);
  },
);

test('checks of the cluster read how a kubelet is configured', async () => {
  const { code, stderr } = await ofNode('/configz', DOCTOR);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringMatching(/forbidden|denied/i) });
});

test('the gateway reads what a node uses', async () => {
  const { code, stderr } = await ofNode('/stats/summary');
  // No kubelet is there: the API server got as far as looking for it.
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringMatching(/forbidden|denied/i) });
});

test('no spelling of an address inside, and no name that only an inner resolver knows, is taken for the internet', async () => {
  const inner = [
    ...[
      '127.0.0.1',
      '127.1',
      '0.0.0.0',
      '0:80',
      '2130706433:80',
      '0x7f000001:80',
      '0x7f.1',
      '0177.0.0.1',
      '10.1',
      '010.0.0.1',
    ],
    ...[
      '10.0.0.1.',
      '169.254.169.254',
      '100.64.0.1',
      '192.168.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '224.0.0.1',
      '8.8.8',
    ],
    ...[
      'localhost',
      'LocalHost',
      'localhost.',
      'a.localhost',
      'registry:5000',
      'Registry',
      'kubernetes.default.svc',
      'a.svc.',
    ],
    ...['a.svc.cluster.local', 'A.B.LOCAL:5000', 'metadata.google.internal', 'nas.lan', 'box.home.arpa', 'a.0x0'],
  ];
  const outer = [
    ...[
      '8.8.8.8',
      '172.15.0.1:5000',
      '172.32.0.1',
      '100.128.0.1',
      '11.0.0.1',
      'docker.io',
      'quay.io:443',
      'a.internal.example.org',
    ],
    ...['local.example.org', 'library', 'localhosts.org', '10.example.org', 'xn--e1afmkfd.xn--p1ai'],
  ];
  const all = [...inner, ...outer].map((host, at) => image(`at-${at}`, { source: `${host}/a/work:1` }));
  const { stdout } = await create(ADMIN, { apiVersion: 'v1', kind: 'List', metadata: {}, items: all } as never)();
  const taken = new Set([...stdout.matchAll(/image.gantry.dev\/at-(\d+) created/g)].map(([, at]) => Number(at)));
  expect([...inner, ...outer].filter((_, at) => taken.has(at))).toEqual(outer);
});

test.each([
  ['write a status', ANN, 'patch gpuinstances --subresource=status'],
  ['make a Pod', ANN, 'create pods'],
  ['read a Secret', ANN, 'get secrets'],
  ['list Secrets', ANN, 'list secrets'],
  ['delete Secrets by the dozen, which would answer with them', ANN, 'deletecollection secrets'],
  ['make a Role', ANN, 'create roles'],
  ['make a Snapshot, which would read a container', ANN, 'create snapshots'],
  ['change one', ANN, 'patch snapshots'],
  ['delete one', ANN, 'delete snapshots'],
  ['make a token', ANN, 'create serviceaccounts --subresource=token'],
  ["read the organisation's password for the registry", ANN, 'get secrets/gantry-pull'],
  ['change, being a viewer', EVE, 'create gpuinstances'],
  ['make an event', ANN, 'create events'],
  ['make a ConfigMap', ANN, 'create configmaps'],
  ['attach to what runs', ANN, 'create pods --subresource=attach'],
  ['add a container to a Pod', ANN, 'patch pods --subresource=ephemeralcontainers'],
  ['reach a Pod by the API server as a proxy', ANN, 'get pods --subresource=proxy'],
  ['reach a Service so', ANN, 'get services --subresource=proxy'],
  ['reach a node so', ANN, 'get nodes --subresource=proxy'],
  ['exec, being a viewer', EVE, 'create pods --subresource=exec'],
])('a tenant may not %s', async (_, user, what) => {
  const { stdout } = await server.kubectl.run(['auth', 'can-i', ...what.split(' '), `--as=${user}`, '-n', NAMESPACE]);
  expect(stdout.trim()).toBe('no');
});

test.each([
  ['an official image is for everybody to see', 'get image common', 0],
  ['and for staff to change', 'annotate image common a=b', 1],
])('%s', async (_, what, code) => {
  const ended = await server.kubectl.run([...what.split(' '), `--as=${EVE}`, '-n', SYSTEM]);
  expect(ended).toMatchObject({ code });
});

test('every policy of the generated file refuses something here', async () => {
  const text = await readFile('crds/platform/3-policies.yaml', 'utf8');
  const policies = parseAllDocuments(text).map((document) => document.toJS());
  const sentences = [TENANTS, EVERYBODY, SPENDERS, OPERATORS, SERVICES, GATEWAYS, STAFFS, WORKLOADS]
    .flatMap((rules) => Object.values(rules).map(({ says }) => says))
    .concat('Members connect to Pods of instances, jobs and services alone: ', ONLY_SUMMARY)
    .concat(
      'Members do not enter the containers that prepare a replica: ',
      'Members do not enter the worker of a data task: ',
    )
    .concat(ONLY_TENANTS, ONLY_REPLICAS, ONLY_CONFIGURATION)
    // Commands write every state that the schema knows.
    .concat('spec.state: no command of staff writes this')
    // Played in status-writes.test.ts.
    .concat('metadata.managedFields: only the platform changes who owns what in a status')
    // Played in stories/queue.test.ts: this API server has no queue.
    .concat('Of the job queue the operator writes LocalQueues', 'spec.namespaceSelector: the ClusterQueue of an org');
  for (const { message, messageExpression } of policies.flatMap(({ spec }) => spec.validations ?? [])) {
    // The first words of a computed sentence.
    const words: string = message ?? messageExpression.split("'")[1];
    expect({ words, isSaid: sentences.some((says) => says.startsWith(words.slice(0, 40))) }).toEqual({
      words,
      isSaid: true,
    });
  }
});

test('in a namespace that is going, a running instance goes too', async () => {
  const { kubectl } = server;
  await kubectl.must(['annotate', 'namespace', NAMESPACE, `gantry.dev/confirm-delete=${NAMESPACE}`]);
  await kubectl.must(['delete', 'namespace', NAMESPACE, '--wait=false']);
  await eventually('the namespace controller deletes the instance', async () => {
    const found = await kubectl.get<KubeObject>('gpuinstance', 'running', '-n', NAMESPACE);
    return found?.metadata.deletionTimestamp !== undefined;
  });
});
