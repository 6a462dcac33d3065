// Each check against surroundings that are well, and against each way in which they are not: over HTTP, as an API server would answer.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { type CheckId, type DoctorReason, findingOf, worstOf } from '@gantry/contract/doctor.ts';
import { INSTALLED_POLICIES } from '@gantry/contract/installed-policies.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { policyObjects } from '../../../../contract/gen/policies.ts';
import type { Surroundings } from './check.ts';
import { CHECKS } from './checks.ts';
import type { DatabaseFacts } from './database-facts.ts';
import { runChecks } from './run-checks.ts';
import { ended, ImpatientClock, PlayedCluster, running, waiting } from './testing/played-cluster.ts';

let cluster: PlayedCluster;
beforeEach(async () => {
  cluster = await PlayedCluster.start();
});
afterEach(() => cluster.close());

const items = (...list: object[]) => ({ metadata: { resourceVersion: '1' }, items: list });
const names = (...list: string[]) => ({ resources: list.map((name) => ({ name })) });

interface NodeFacts {
  gpus?: number;
  allocatable?: number;
  labels?: Record<string, string>;
  runtime?: string;
  annotations?: Record<string, string>;
}
const GPU_LABELS = { 'nvidia.com/gpu.product': 'H100', 'nvidia.com/gpu.memory': '81559' };
const node = (name: string, { gpus, allocatable = gpus, labels, runtime, annotations }: NodeFacts = {}) => ({
  metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    capacity: gpus === undefined ? {} : { 'nvidia.com/gpu': `${gpus}` },
    allocatable: allocatable === undefined ? {} : { 'nvidia.com/gpu': `${allocatable}` },
    nodeInfo: { containerRuntimeVersion: runtime ?? 'containerd://2.1.4' },
  },
});
const GPU_NODE = node('gpu-1', { gpus: 8, labels: GPU_LABELS });

const lease = (name: string, renewTime: string, stored: string) => ({
  metadata: { name, managedFields: [{ time: stored, fieldsV1: { 'f:spec': { 'f:renewTime': {} } } }] },
  spec: { renewTime },
});
const storageClass = (name: string, { isDefault = true, allowVolumeExpansion = true } = {}) => ({
  metadata: {
    name,
    ...(isDefault && { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }),
  },
  provisioner: 'x',
  allowVolumeExpansion,
});
const exporter = (nodeName: string, isReady = true) => ({
  metadata: { name: `dcgm-${nodeName}`, namespace: 'gpu-operator' },
  spec: { nodeName, containers: [{ name: 'e', image: 'nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3' }] },
  status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});
const facts = (changed: Partial<DatabaseFacts> = {}) => ({
  database: async (): Promise<DatabaseFacts> => ({
    kind: 'postgres',
    version: '17.2',
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    commitMs: [1, 2, 3],
    ...changed,
  }),
});
const mailServer = (answers: () => Promise<void>) => ({ mail: { server: 'mail:25', answers } });

const POLICY_PATH = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDING_PATH = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
type Named = { kind: string; metadata: { name: string }; spec: Record<string, unknown> };
/** Through JSON and with what the API server fills in. */
const installed = (kind: string): Named[] =>
  (JSON.parse(JSON.stringify(policyObjects(Object.values(KINDS)))) as Named[])
    .filter((object) => object.kind === kind)
    .map((object) => ({
      ...object,
      spec: {
        ...object.spec,
        ...(object.spec.matchConstraints !== undefined && {
          matchConstraints: {
            ...(object.spec.matchConstraints as object),
            matchPolicy: 'Equivalent',
            namespaceSelector: {},
            objectSelector: {},
          },
        }),
      },
    }));
const policies = () => installed('ValidatingAdmissionPolicy');
const bindings = () => installed('ValidatingAdmissionPolicyBinding');
const except = (list: Named[], name: string) => list.filter(({ metadata }) => metadata.name !== name);
const changed = (list: Named[], name: string, spec: object) =>
  list.map((object) => (object.metadata.name === name ? { ...object, spec: { ...object.spec, ...spec } } : object));
const FORBIDS = { code: 403, message: "ValidatingAdmissionPolicy 'gantry-kinds-in-organizations' denied request" };

const tenantsPod = (name: string, env: object[]) => ({
  metadata: { name, namespace: 'org-acme', labels: { 'gantry.dev/organization': 'acme' } },
  spec: { nodeName: 'gpu-1', containers: [{ name: 'main', env }] },
  status: { phase: 'Running' },
});

/** Surroundings in which everything is well. */
function wellCluster(): void {
  const answers: Record<string, object> = {
    '/version': { major: '1', minor: '34', gitVersion: 'v1.34.4' },
    [`/apis/${API_VERSION}`]: names(...Object.values(KINDS).map(({ plural }) => plural)),
    '/apis/admissionregistration.k8s.io/v1': names('validatingadmissionpolicies', 'validatingadmissionpolicybindings'),
    [POLICY_PATH]: items(...policies()),
    [BINDING_PATH]: items(...bindings()),
    '/api/v1/nodes': items(GPU_NODE, node('n2')),
    '/api/v1/pods': items(exporter('gpu-1')),
    '/apis/storage.k8s.io/v1/storageclasses': items(storageClass('fast')),
    '/apis/kueue.x-k8s.io/v1beta2': names(
      ...['clusterqueues', 'localqueues', 'workloads', 'resourceflavors', 'cohorts', 'workloadpriorityclasses'],
    ),
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases': items(
      lease('gpu-1', '2026-01-01T00:00:00.400000Z', '2026-01-01T00:00:00Z'),
      lease('n2', '2026-01-01T00:00:01.000000Z', '2026-01-01T00:00:00Z'),
    ),
    '/api/v1/nodes/gpu-1/proxy/configz': { kubeletconfig: { podPidsLimit: 4096 } },
    '/api/v1/nodes/n2/proxy/configz': { kubeletconfig: { podPidsLimit: 1024 } },
  };
  for (const [path, answer] of Object.entries(answers)) cluster.answers.set(path, answer);
  cluster.dryRun = ({ kind }) => (kind === 'DataDisk' ? FORBIDS : undefined);
  cluster.podStatus = ({ metadata: { name } }) => {
    if (name.startsWith('node-'))
      return ended('0 overlay upperdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs');
    if (name.startsWith('disk-')) return ended('999320\n');
    return running('10.0.0.7');
  };
  cluster.podLog = (_, made) => {
    const line = `${made.some((name) => name.startsWith('target-') || name.startsWith('caller-')) ? 'closed' : 'open'} ${
      made.some((name) => name.startsWith('caller-')) ? 'closed' : 'open'
    }`;
    return `${line}\n${line}\n`;
  };
}

const log = (line: (policies: readonly string[]) => string) => {
  cluster.podLog = (_, made) => `${line(made)}\n${line(made)}\n`;
};
const answer = (path: string, body: object) => void cluster.answers.set(path, body);
const refuse = (path: string, code: number, message = 'no') =>
  void cluster.answers.set(path, () => {
    throw { code, message };
  });
const asNodes = (...nodes: object[]) => answer('/api/v1/nodes', items(...nodes));

interface Case {
  check: CheckId;
  given?: () => void;
  surroundings?: Partial<Surroundings>;
  finds: DoctorReason[];
  /** A text of the evidence. */
  says?: string;
}

const CASES: Record<string, Case> = {
  'a new enough API server fits': { check: 'kubernetesVersion', finds: ['versionFits'], says: 'v1.34.4' },
  'Kubernetes 1.32 is too old': {
    check: 'kubernetesVersion',
    given: () => answer('/version', { major: '1', minor: '32+', gitVersion: 'v1.32.9-gke.1' }),
    finds: ['versionOld'],
    says: 'v1.32.9-gke.1',
  },
  'every kind is served': { check: 'kinds', finds: ['kindsServed'] },
  'a kind that is not served is named': {
    check: 'kinds',
    given: () => answer(`/apis/${API_VERSION}`, names('organizations')),
    finds: ['kindsMissing'],
    says: 'GpuInstance',
  },
  'without our group every kind is missing': {
    check: 'kinds',
    given: () => refuse(`/apis/${API_VERSION}`, 404),
    finds: ['kindsMissing'],
  },
  'policies as this version installs them hold': { check: 'admissionPolicies', finds: ['policiesHold'] },
  'a policy that is missing is named': {
    check: 'admissionPolicies',
    given: () => answer(POLICY_PATH, items(...except(policies(), 'gantry-connect'))),
    finds: ['policiesMissing'],
    says: 'gantry-connect',
  },
  'a policy without its binding is named': {
    check: 'admissionPolicies',
    given: () => answer(BINDING_PATH, items(...except(bindings(), 'gantry-creator'))),
    finds: ['bindingsMissing'],
    says: 'gantry-creator',
  },
  'a binding that only warns differs': {
    check: 'admissionPolicies',
    given: () => answer(BINDING_PATH, items(...changed(bindings(), 'gantry-creator', { validationActions: ['Warn'] }))),
    finds: ['policiesDiffer'],
    says: 'gantry-creator',
  },
  'a policy that lets failures pass differs': {
    check: 'admissionPolicies',
    given: () => answer(POLICY_PATH, items(...changed(policies(), 'gantry-connect', { failurePolicy: 'Ignore' }))),
    finds: ['policiesDiffer'],
  },
  'a policy with another rule differs': {
    check: 'admissionPolicies',
    given: () =>
      answer(POLICY_PATH, items(...changed(policies(), 'gantry-connect', { validations: [{ expression: 'true' }] }))),
    finds: ['policiesDiffer'],
  },
  'a binding that leaves namespaces out differs': {
    check: 'admissionPolicies',
    given: () => {
      const matchResources = { namespaceSelector: { matchLabels: { a: 'b' } } };
      answer(BINDING_PATH, items(...changed(bindings(), 'gantry-creator', { matchResources })));
    },
    finds: ['policiesDiffer'],
  },
  'a forbidden object that is accepted is found though every policy is there': {
    check: 'admissionPolicies',
    given: () => {
      cluster.dryRun = () => undefined;
    },
    finds: ['forbiddenAccepted'],
  },
  'a refusal by somebody else is no proof of the policy': {
    check: 'admissionPolicies',
    given: () => {
      cluster.dryRun = () => ({ code: 403, message: 'datadisks is forbidden: no RBAC' });
    },
    finds: ['forbidden'],
  },
  'an API server without policies is found': {
    check: 'admissionPolicies',
    given: () => answer('/apis/admissionregistration.k8s.io/v1', names('validatingwebhookconfigurations')),
    finds: ['policiesUnserved'],
  },
  'before an install policies only have to be served': {
    check: 'admissionPolicies',
    given: () => answer(POLICY_PATH, items()),
    surroundings: { isInstalled: false },
    finds: ['policiesServed'],
  },
  'a network that closes and opens as policies say is enforced': {
    check: 'networkPolicies',
    finds: ['networkEnforced'],
    says: 'n2',
  },
  'a network that ignores every policy': {
    check: 'networkPolicies',
    given: () => log(() => 'open open'),
    finds: ['ingressOpen', 'egressOpen'],
  },
  'a network that ignores policies for outgoing connections': {
    check: 'networkPolicies',
    given: () => log((made) => (made.length > 0 ? 'closed open' : 'open open')),
    finds: ['egressOpen'],
  },
  'a policy that closes more than it says does not count as enforced': {
    check: 'networkPolicies',
    given: () => log((made) => (made.length > 0 ? 'closed closed' : 'open open')),
    finds: ['ingressOpen'],
  },
  'Pods that never reach each other prove nothing about policies': {
    check: 'networkPolicies',
    given: () => log(() => 'closed closed'),
    finds: ['podsApart'],
  },
  'without a node there is nobody to dial': { check: 'networkPolicies', given: () => asNodes(), finds: ['noNodes'] },
  'a volume of about the size that was asked for is sized': {
    check: 'storageSizes',
    finds: ['classSized'],
    says: '976',
  },
  'a volume that holds the whole disk is not': {
    check: 'storageSizes',
    given: () => {
      cluster.podStatus = () => ended('497032912');
    },
    finds: ['classUnsized'],
    says: '485384',
  },
  'a class whose volumes cannot grow': {
    check: 'storageSizes',
    given: () =>
      answer('/apis/storage.k8s.io/v1/storageclasses', items(storageClass('a', { allowVolumeExpansion: false }))),
    finds: ['classSized', 'classFixed'],
  },
  'classes without a default': {
    check: 'storageSizes',
    given: () => answer('/apis/storage.k8s.io/v1/storageclasses', items(storageClass('a', { isDefault: false }))),
    finds: ['classSized', 'noDefaultClass'],
  },
  'a cluster without any class': {
    check: 'storageSizes',
    given: () => answer('/apis/storage.k8s.io/v1/storageclasses', items()),
    finds: ['noClass'],
  },
  'the fifth class is not tried, which is said': {
    check: 'storageSizes',
    given: () =>
      answer(
        '/apis/storage.k8s.io/v1/storageclasses',
        items(...['a', 'b', 'c', 'd', 'e'].map((name) => storageClass(name))),
      ),
    finds: ['classSized', 'classSized', 'classSized', 'classSized', 'classesUntried'],
    says: 'e',
  },
  'a Pod that says nothing of its disk': {
    check: 'storageSizes',
    given: () => {
      cluster.podStatus = () => ended('');
    },
    finds: ['classStuck'],
  },
  'containerd fits': { check: 'containerRuntime', finds: ['runtimeFits'] },
  'containerd 1.5 is too old': {
    check: 'containerRuntime',
    given: () => asNodes(node('a', { runtime: 'containerd://1.5.18' }), node('b')),
    finds: ['runtimeFits', 'runtimeOld'],
    says: 'containerd://1.5.18',
  },
  'CRI-O is not containerd': {
    check: 'containerRuntime',
    given: () => asNodes(node('a', { runtime: 'cri-o://1.33.0' })),
    finds: ['runtimeOther'],
  },
  'simulated nodes run nothing': {
    check: 'containerRuntime',
    given: () => asNodes(node('kwok', { annotations: { 'kwok.x-k8s.io/node': 'fake' } })),
    finds: ['noNodes'],
  },
  'overlayfs fits': { check: 'snapshotter', finds: ['snapshotterFits'], says: 'overlayfs' },
  'ZFS does not': {
    check: 'snapshotter',
    given: () => {
      cluster.podStatus = () => ended('0 zfs ');
    },
    finds: ['snapshotterOther', 'snapshotterOther'],
    says: 'zfs',
  },
  'a Pod that says nothing of its root': {
    check: 'snapshotter',
    given: () => {
      cluster.podStatus = () => ended('');
    },
    finds: ['rootUnread', 'rootUnread'],
  },
  'a node on which no Pod could say how it is mounted': {
    check: 'snapshotter',
    given: () => {
      cluster.podStatus = () => waiting('ErrImagePull', 'no such host');
    },
    finds: ['failed'],
    says: 'no such host',
  },
  'GPUs with their labels': { check: 'gpus', finds: ['gpusFound'], says: 'H100' },
  'no GPU at all': { check: 'gpus', given: () => asNodes(node('a')), finds: ['gpusAbsent'] },
  'GPUs without the label of their memory': {
    check: 'gpus',
    given: () => asNodes(node('a', { gpus: 1, labels: { 'nvidia.com/gpu.product': 'H100' } })),
    finds: ['gpusFound', 'gpuLabelsMissing'],
    says: 'nvidia.com/gpu.memory',
  },
  'a node with the label and without a device plugin': {
    check: 'gpus',
    given: () => asNodes(GPU_NODE, node('bare', { gpus: 0, labels: GPU_LABELS })),
    finds: ['gpusFound', 'gpuPluginMissing'],
    says: 'bare',
  },
  'a GPU that cannot be allocated': {
    check: 'gpus',
    given: () => asNodes(node('sick', { gpus: 8, allocatable: 7, labels: GPU_LABELS })),
    finds: ['gpusFound', 'gpusUnhealthy'],
  },
  'GPUs that nobody gets who only says so': { check: 'gpuAccess', finds: ['cardsShut'] },
  'GPUs that open to whoever says so': {
    check: 'gpuAccess',
    given: () => {
      cluster.podStatus = () => ended('8 overlay ');
      answer('/api/v1/pods', items());
    },
    finds: ['cardsOpen'],
    says: 'gpu-1',
  },
  'a Pod of an older version that may have said so': {
    check: 'gpuAccess',
    given: () => {
      cluster.podStatus = () => ended('8 overlay ');
      answer(
        '/api/v1/pods',
        items(tenantsPod('old', []), tenantsPod('new', [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' }])),
      );
    },
    finds: ['cardsOpen', 'podsUnclosed'],
    says: 'org-acme/old',
  },
  'without GPUs nothing can be opened': { check: 'gpuAccess', given: () => asNodes(node('a')), finds: ['noCards'] },
  'an exporter on every node with GPUs': { check: 'gpuExporter', finds: ['exporterRuns'] },
  'no exporter': { check: 'gpuExporter', given: () => answer('/api/v1/pods', items()), finds: ['exporterMissing'] },
  'an exporter that is not ready': {
    check: 'gpuExporter',
    given: () => answer('/api/v1/pods', items(exporter('gpu-1', false))),
    finds: ['exporterAway'],
    says: 'gpu-1',
  },
  'an exporter that Prometheus does not read': {
    check: 'gpuExporter',
    surroundings: { countSeries: async () => 0 },
    finds: ['exporterRuns', 'exporterUnread'],
  },
  'a Prometheus that does not answer': {
    check: 'gpuExporter',
    surroundings: { countSeries: () => Promise.reject(new Error('connect ECONNREFUSED')) },
    finds: ['exporterRuns', 'exporterUnread'],
    says: 'ECONNREFUSED',
  },
  'without GPUs no exporter is needed': {
    check: 'gpuExporter',
    given: () => asNodes(node('a')),
    finds: ['noGpuNodes'],
  },
  'Kueue that answers': { check: 'jobQueue', finds: ['queueRuns'] },
  'Kueue that refuses the trial answers too': {
    check: 'jobQueue',
    given: () => {
      cluster.dryRun = () => ({ code: 422, message: 'spec.podSets: Invalid value' });
    },
    finds: ['queueRuns'],
  },
  'no Kueue': {
    check: 'jobQueue',
    given: () => refuse('/apis/kueue.x-k8s.io/v1beta2', 404),
    finds: ['queueAbsent'],
  },
  'a Kueue without cohorts': {
    check: 'jobQueue',
    given: () => answer('/apis/kueue.x-k8s.io/v1beta2', names('clusterqueues', 'localqueues')),
    finds: ['queueIncomplete'],
    says: 'cohorts',
  },
  'a webhook of Kueue that is down': {
    check: 'jobQueue',
    given: () => {
      cluster.dryRun = () => ({
        code: 500,
        message: 'Internal error occurred: failed calling webhook "m.kb.io": refused',
      });
    },
    finds: ['queueSilent'],
  },
  'a limit of processes on every node': { check: 'pidsLimit', finds: ['pidsLimited'], says: '4096' },
  'a node without one': {
    check: 'pidsLimit',
    given: () => answer('/api/v1/nodes/n2/proxy/configz', { kubeletconfig: { podPidsLimit: -1 } }),
    finds: ['pidsUnlimited'],
    says: 'n2',
  },
  'a kubelet that does not say counts as without': {
    check: 'pidsLimit',
    given: () => answer('/api/v1/nodes/n2/proxy/configz', { kubeletconfig: {} }),
    finds: ['pidsUnlimited'],
  },
  'a limit that is too high': {
    check: 'pidsLimit',
    given: () => answer('/api/v1/nodes/n2/proxy/configz', { kubeletconfig: { podPidsLimit: 32768 } }),
    finds: ['pidsHigh'],
  },
  'a kubelet that we may not ask': {
    check: 'pidsLimit',
    given: () => refuse('/api/v1/nodes/n2/proxy/configz', 403, 'nodes "n2" is forbidden'),
    finds: ['forbidden'],
    says: 'nodes "n2" is forbidden',
  },
  'clocks that agree': { check: 'clocks', finds: ['clocksAgree'] },
  'a clock that is some seconds behind, and one that is hours ahead': {
    check: 'clocks',
    given: () =>
      answer(
        '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
        items(
          lease('gpu-1', '2025-12-31T23:59:52.000000Z', '2026-01-01T00:00:00Z'),
          lease('n2', '2026-01-01T02:00:00.000000Z', '2026-01-01T00:00:00Z'),
        ),
      ),
    finds: ['clocksOff', 'clocksFarOff'],
    says: '-8',
  },
  'a node without a Lease': {
    check: 'clocks',
    given: () =>
      answer(
        '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
        items(lease('gpu-1', 'never', '2026-01-01T00:00:00Z')),
      ),
    finds: ['clocksSilent'],
    says: 'gpu-1, n2',
  },
  'every node pulls': { check: 'registry', finds: ['registryReached'] },
  'a node that cannot pull is named, with the reason': {
    check: 'registry',
    given: () => {
      cluster.podStatus = ({ metadata: { name } }) =>
        name.endsWith('-1')
          ? waiting('ImagePullBackOff', 'dial tcp: lookup registry: no such host')
          : ended('0 overlay ');
    },
    finds: ['registryReached', 'registryUnreached'],
    says: 'no such host',
  },
  'PostgreSQL with fsync is safe': { check: 'databaseDurable', surroundings: facts(), finds: ['databaseSafe'] },
  'PostgreSQL without fsync is not': {
    check: 'databaseDurable',
    surroundings: facts({ fsync: 'off', fullPageWrites: 'off' }),
    finds: ['databaseUnsynced'],
    says: 'fsync, full_page_writes',
  },
  'commits that nobody waits for': {
    check: 'databaseDurable',
    surroundings: facts({ synchronousCommit: 'off' }),
    finds: ['commitsUnawaited'],
  },
  'the embedded database': {
    check: 'databaseDurable',
    surroundings: facts({ kind: 'pglite', fsync: 'off' }),
    finds: ['databaseEmbedded'],
  },
  'no database to look at': { check: 'databaseDurable', finds: ['notGiven'] },
  'fast commits': { check: 'databaseSpeed', surroundings: facts(), finds: ['commitsFast'] },
  'slow commits': { check: 'databaseSpeed', surroundings: facts({ commitMs: [30, 40, 50] }), finds: ['commitsSlow'] },
  'one slow commit among fast ones': {
    check: 'databaseSpeed',
    surroundings: facts({ commitMs: [1, 1, 500] }),
    finds: ['commitsFast'],
    says: '500.0',
  },
  'commits that take a tenth of a second': {
    check: 'databaseSpeed',
    surroundings: facts({ commitMs: [150, 160, 170] }),
    finds: ['commitsTooSlow'],
  },
  'a database that does not answer': {
    check: 'databaseSpeed',
    surroundings: { database: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.9:5432')) },
    finds: ['failed'],
    says: 'ECONNREFUSED 10.0.0.9:5432',
  },
  'no database to time': { check: 'databaseSpeed', finds: ['notGiven'] },
  'a database of vectors that answers': {
    check: 'vectors',
    surroundings: { vectors: async () => '0.8.5' },
    finds: ['vectorsReached'],
    says: '0.8.5',
  },
  'a database of vectors without pgvector': {
    check: 'vectors',
    surroundings: { vectors: () => Promise.reject(new Error('extension "vector" is not available')) },
    finds: ['vectorsUnreached'],
    says: 'extension "vector" is not available',
  },
  'no database of vectors': { check: 'vectors', finds: ['notGiven'] },
  'a mail server that answers': {
    check: 'mail',
    surroundings: mailServer(async () => undefined),
    finds: ['mailReached'],
  },
  'a mail server that refuses the login': {
    check: 'mail',
    surroundings: mailServer(() => Promise.reject(new Error('Invalid login: 535 5.7.8'))),
    finds: ['mailUnreached'],
    says: '535 5.7.8',
  },
  'no mail server': { check: 'mail', finds: ['mailOff'] },
  'no mail server before an install': { check: 'mail', surroundings: { isInstalled: false }, finds: ['notGiven'] },
};

test.each(Object.entries(CASES))('%s', async (_, { check, given, surroundings, finds, says }) => {
  wellCluster();
  given?.();
  const all = { client: cluster.client, clock: new ImpatientClock(), probeImage: 'busybox', isInstalled: true };
  const results = await runChecks(
    { ...all, ...surroundings },
    {
      checks: CHECKS.filter(({ id }) => id === check),
      run: 'r1',
      signal: new AbortController().signal,
    },
  );
  const [result, tidied] = results;
  expect(result?.found.map(({ reason }) => reason)).toEqual(finds);
  expect(result?.finding).toBe(worstOf(finds.map(findingOf)));
  if (says !== undefined) expect(JSON.stringify(result?.found)).toContain(JSON.stringify(says).slice(1, -1));
  expect([tidied?.finding, cluster.left]).toEqual(['ok', []]);
});

test('every check has a case in which all is well or nothing is to be seen, and one in which it is not', () => {
  const findings = (id: CheckId) =>
    Object.values(CASES).flatMap(({ check, finds }) => (check === id ? [worstOf(finds.map(findingOf))] : []));
  const unproved = CHECKS.filter(({ id }) => {
    const seen = findings(id);
    return !seen.includes('ok') || !seen.some((finding) => finding === 'problem' || finding === 'warning');
  });
  expect(unproved.map(({ id }) => id)).toEqual([]);
});

test('every policy of this version is among those that are compared', () => {
  expect(Object.keys(INSTALLED_POLICIES).sort()).toEqual(
    policies()
      .map(({ metadata }) => metadata.name)
      .sort(),
  );
});
