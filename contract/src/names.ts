// Names that more than one room writes or reads on the cluster. Another spelling of one of these is a bug.
import { GROUP, type KubeObject } from './define-kind.ts';

export const PLATFORM_NAMESPACE = 'gantry-system';
export const REGISTRY = 'registry.gantry.internal';

/** An Organization `<id>` owns the namespace `org-<id>`. */
export const organizationNamespace = (id: string): string => `org-${id}`;
export const organizationOf = (namespace: string): string | undefined =>
  namespace.startsWith('org-') ? namespace.slice('org-'.length) : undefined;

export const FINALIZER = {
  /** Ours on our own kinds: nothing is left behind. */
  operator: `${GROUP}/operator`,
  /** Billing's on whatever costs: the last interval is posted. */
  billing: `${GROUP}/billing`,
  /** On Pods: the end of the run is stamped before the Pod may go. */
  metered: `${GROUP}/metered`,
} as const;

export const LABEL = {
  organization: `${GROUP}/organization`,
  kind: `${GROUP}/kind`,
  name: `${GROUP}/name`,
  run: `${GROUP}/run`,
  /** The program's number in a run of several, from 0 on. */
  part: `${GROUP}/part`,
  /** On a Job that a schedule made: the schedule's name. */
  schedule: `${GROUP}/schedule`,
  /** On the workers of a job that has several: they find each other by name. */
  peers: `${GROUP}/peers`,
  /** On the Lease that claims a node for a GpuHost: the host's uid. */
  hostUid: `${GROUP}/host-uid`,
  /** The data centre: on everything that the platform makes, and on every object of its kinds. */
  region: `${GROUP}/region`,
  /** Marks Secrets and namespaces that tenants may not touch. */
  managed: `${GROUP}/managed`,
  /** On the Pods that serve a model: the name of their ModelDeployment. Requests find them by it. */
  modelDeployment: `${GROUP}/model-deployment`,
  /** On a Pod that takes in a model's files for replicas to come, and serves nothing: the name of their ModelDeployment. */
  fills: `${GROUP}/fills`,
  /** On the Pod that reads an organisation's datasets: its network is its own. */
  dataServer: `${GROUP}/data-server`,
  gpuModel: 'nvidia.com/gpu.product',
  /** In MiB. */
  gpuMemory: 'nvidia.com/gpu.memory',
  /** On a node: the uid of the GpuHost that has it. A kubelet cannot set labels with this prefix. */
  nodeHost: 'node-restriction.kubernetes.io/gantry-host',
  /** On a node that an organisation brought along: the organisation's id, set by platform staff. */
  nodeOwner: 'node-restriction.kubernetes.io/gantry-owner',
} as const;

/**
 * On a node that has the files of a list (ModelDeployment, `status.weights.digest`) in its cache: replicas of that organisation prefer
 * it. Of each organisation apart: no organisation's replicas follow another's.
 */
export const weightsLabel = (organization: string, digest: string): string =>
  `${organization}${WEIGHTS_SUFFIX}${digest.slice(0, 32)}`;
export const WEIGHTS_SUFFIX = `.models.${GROUP}/`;
/** On a node, in whole GiB: how much more its cache may take without anything going. No list's label is called like it. */
export const WEIGHTS_ROOM = `node${WEIGHTS_SUFFIX}room-gib`;

export const ANNOTATION = {
  /** Stops reconciling one object. Platform staff only: it would dodge the credit gate. */
  paused: `${GROUP}/paused`,
  confirmDelete: `${GROUP}/confirm-delete`,
  force: `${GROUP}/force`,
  /** On a Pod that a controller of Kubernetes' own made for an object of ours: that object's uid. */
  owner: `${GROUP}/owner`,
  /** The hash of the input that a Pod was built from; differs from the desired hash if the instance was edited. */
  hash: `${GROUP}/hash`,
  /** On an instance's Pod and on its Snapshot: the source from which its image grew. */
  source: `${GROUP}/source`,
  /** On a home claim: the digest of the saved home to restore onto it before anything else. */
  restores: `${GROUP}/restores`,
  /** On an instance's Pod: the keys that may log in, in the form of authorized_keys. A volume shows them in the container. */
  sshKeys: `${GROUP}/ssh-keys`,
  /** On an instance's Pod: the disks it carries, as `<disk>=<path>,…`. */
  mounts: `${GROUP}/mounts`,
  /** On what keeps a service's replicas: the template before this one, where that was good, so that a failed update can go back. */
  before: `${GROUP}/before`,
  /** On the Lease that claims a node, and on an instance's Pod that is on a host: `<namespace>/<name>` of the GpuHost. */
  host: `${GROUP}/host`,
  /** On the same Lease: the organisation's namespace of which nothing may be left on the node, and when nothing was. */
  wipe: `${GROUP}/wipe`,
  wiped: `${GROUP}/wiped`,
  /** On the namespace of an organisation that may spend nothing: why, in billing's words. */
  outOfCredit: `${GROUP}/out-of-credit`,
  /** On the namespace of an organisation: registries that are not on the internet and that images may come from all the same. */
  innerRegistries: `${GROUP}/inner-registries`,
  /** On an Organization whose name a deleted one had, with that name: staff let it have the other's money, debt and bills. */
  inherits: `${GROUP}/inherits`,
  /** On an Organization that a gateway made in another cluster than its own: the region of that gateway. */
  home: `${GROUP}/home`,
  /** Beside it: the identity that the Organization has at home. A later one of the same name has another. */
  homeIdentity: `${GROUP}/home-identity`,
  /** On a node that staff have taken out of service: why, in their words. */
  cordoned: `${GROUP}/cordoned`,
  /** On a node with cards whose last XID is fatal: which, since when, and who had them (`gpu-conditions.ts`). */
  gpuFaults: `${GROUP}/gpu-faults`,
  /** On an object that was restored from a backup: the uid that it had first (`identity.ts`). */
  identity: `${GROUP}/identity`,
  /** On our CRDs: the version of Gantry that wrote them. An operator leaves newer ones as they are. */
  version: `${GROUP}/version`,
} as const;

/** The last command that was carried out for an Idempotency-Key: a repeated one finds itself. Not under gantry.dev/, which is the platform's. */
export const REQUEST_ANNOTATION = `request.${GROUP}/action`;

/** The Lease that a node's agent renews: "this node has an agent". It carries `LABEL.kind: AGENT_KIND`. */
export const agentLease = (node: string): string => `${node}.agent`;
export const AGENT_KIND = 'Agent';
/** An agent whose Lease is older than this is away. */
export const AGENT_AWAY_MS = 90_000;

export const TENANT_PRIORITY_CLASS = 'gantry-tenant';
/** For the platform's Pods in an organisation's namespace: checks of images, keepers of homes, the network probe. */
export const PLATFORM_PRIORITY_CLASS = 'gantry-platform';
/** For the file servers of disks, which members request: however many they request, keepers and checks have room. */
export const FILES_PRIORITY_CLASS = 'gantry-files';
/** Checks of images that an organisation has under way at once; the others wait their turn. */
export const MOST_CHECKS = 2;
/** Nodes that are filled with models of an organisation at once. */
export const MOST_FILLS = 1;
/** The ResourceQuota by which an organisation without credit gets no new Pod. */
export const CREDIT_QUOTA = 'credit';
export const GPU_RESOURCE = 'nvidia.com/gpu';

/** Kueue's, which queues jobs where it is installed. */
export const QUEUE_GROUP = 'kueue.x-k8s.io';
/** LeaderWorkerSet's: it keeps replicas that are spread over nodes. */
export const GROUPS_GROUP = 'leaderworkerset.x-k8s.io';
export const GROUPS_VERSION = 'v1';
/** On each Pod of such a replica: which it is, from 0 on. The first answers requests. */
export const GROUP_PART = 'leaderworkerset.sigs.k8s.io/worker-index';
/** The LocalQueue in the namespace of each organisation. Its ClusterQueue is called as the namespace is. */
export const LOCAL_QUEUE = 'jobs';
/** The Cohort that holds the capacity of the pool, and what the names of its flavours and priority classes begin with. */
export const QUEUE_COHORT = 'gantry';
/** The WorkloadPriorityClass of a job's priority. */
export const priorityClassOf = (priority: string): string => `${QUEUE_COHORT}-${priority.toLowerCase()}`;

/** ServiceAccounts of the platform, in its namespace; their ClusterRoles have the same names. */
export const OPERATOR_ACCOUNT = 'gantry-operator';
export const GATEWAY_ACCOUNT = 'gantry-gateway';
/** On nodes; in front of the registry; at the SSH door. */
export const AGENT_ACCOUNT = 'gantry-agent';
export const REGISTRY_ACCOUNT = 'gantry-registry';
export const DOOR_ACCOUNT = 'gantry-door';
/** Nobody runs as it: the gateway and `gantry doctor` act as it when they check the cluster. */
export const DOCTOR_ACCOUNT = 'gantry-doctor';
/** Nobody runs as it: the gateway acts as it when it asks kubelets, through the API server, what their nodes use. */
export const USAGE_ACCOUNT = 'gantry-figures';
/** Nobody runs as it: the gateway acts as it when the platform's staff command what tenants have, and nodes. */
export const STAFF_ACCOUNT = 'gantry-staff';
/** Nobody runs as it: the gateway acts as it while it makes a backup, and it alone may read what tenants keep secret. */
export const BACKUP_ACCOUNT = 'gantry-backup';
/** The SSH door's host keys: the platform creates the Secret empty, and the door fills it once. */
export const DOOR_HOST_KEYS = 'gantry-door-host-keys';

/**
 * The Pod of one run of an instance. Members may enter Pods of such names alone (a policy, which sees no labels), so that no Pod
 * of the platform's may have one: theirs end in a word, and those of Jobs, whose end is random, have a dot.
 */
export const instancePodName = (instance: string, seq: number): string => `${instance}-${seq}`;
export const INSTANCE_POD = '^[a-z]([-a-z0-9]*[a-z0-9])?-[0-9]+$';
/**
 * The random ending of names that Kubernetes generates: no vowels, so that no word is such an ending. A disk `a-service-b` has the file
 * server `a-service-b-files`, and that is no replica.
 */
const RANDOM_END = '[bcdfghjklmnpqrstvwxz2456789]{5}';
/** The endings of batch/v1 Jobs of kinds whose Pods no member enters: they ask models as whoever began the run. */
const RUN_ENDS: Readonly<Record<string, string>> = { DataProcess: '-data', FineTune: '-tune', Evaluation: '-eval' };
/** The batch/v1 Job of one run of a task. Its Pods are called `<this>-<rank>-` and five random characters. */
export const taskRunName = ({ kind, metadata }: KubeObject, seq: number): string =>
  `${metadata.name}-${seq}${RUN_ENDS[kind] ?? ''}`;
/** A worker of a data task. A random end may be all digits, as an instance's Pod ends: this form goes before that one. */
export const DATA_TASK_POD = `^[a-z]([-a-z0-9]*[a-z0-9])?-[0-9]+-(data|tune|eval)-[0-9]+-${RANDOM_END}$`;
export const WORKER_POD = `^[a-z]([-a-z0-9]*[a-z0-9])?-[0-9]+-[0-9]+-${RANDOM_END}$`;
/** The headless Service of an organisation under which the workers of jobs find each other: `<job>-<run>-<rank>.workers`. */
export const WORKERS_SERVICE = 'workers';

/** The endings of the Deployment and the Service of a served object. */
const SERVED_ENDS: Readonly<Record<string, string>> = { ContainerService: 'service', ModelDeployment: 'model' };
/** Their name; the Deployment's Pods are called `<this>-<hash>-` and five characters. */
export const servedChildName = (name: string, kind: string): string => `${name}-${SERVED_ENDS[kind] ?? 'service'}`;
/**
 * The LeaderWorkerSet of an object whose replicas are spread over nodes, and the headless Service that it makes. Its Pods are called
 * `<this>-<replica>`, and from the second node on `<this>-<replica>-<part>`.
 */
export const groupSetName = (name: string): string => `${name}-group`;
/** Names that an instance may not have: its Pods would be called like those. */
export const LIKE_GROUP = '-group(-[0-9]+)?$';
export const REPLICA_POD = `^[a-z]([-a-z0-9]*[a-z0-9])?-((service|model)-[bcdfghjklmnpqrstvwxz2456789]+-${RANDOM_END}|group-[0-9]+(-[0-9]+)?)$`;
/** A Pod that takes in the files of a deployment for replicas to come. With a dot: a member enters no Pod of such a name. */
export const fillPodName = (deployment: string, digest: string): string => `${deployment}.fill-${digest}`;
export const FILL_POD = '^[a-z]([-a-z0-9]*[a-z0-9])?[.]fill-[0-9a-f]{16}$';
/** Pods of tenants' own: members may enter these, and staff may evict them. */
export const TENANTS_PODS: readonly string[] = [INSTANCE_POD, WORKER_POD, REPLICA_POD];

/**
 * The end of Secrets with the values of an object's `secrets`. Each write of values makes one, `<object>-<letter of its kind><7 hex
 * digits>-env`, which never changes: a new value is a new name in the spec, so that what runs is replaced, and a rollback finds the old
 * one. What follows the object's name has one length and its kind: no object's Secret is called like that of another object.
 */
export const ENV_SUFFIX = '-env';
/** By the kinds that have `secrets`. */
export const VARIABLES_LETTER = { Job: 'j', ContainerService: 's' } as const;
const VARIABLES_DIGITS = 7;
/** The ending after the object's name. */
export const variablesEnd = (letter: string): string => `^-${letter}[0-9a-f]{${VARIABLES_DIGITS}}${ENV_SUFFIX}$`;
export const variablesSecret = (kind: string, name: string, hex: string): string =>
  `${name}-${VARIABLES_LETTER[kind as keyof typeof VARIABLES_LETTER]}${hex.slice(0, VARIABLES_DIGITS).padStart(VARIABLES_DIGITS, '0')}${ENV_SUFFIX}`;
/** Whether a Secret of this name was made for that object. Those of versions before 1.2 say it by their owners alone. */
export const isVariablesOf = (kind: string, name: string, secret: string): boolean =>
  secret.startsWith(name) &&
  new RegExp(variablesEnd(VARIABLES_LETTER[kind as keyof typeof VARIABLES_LETTER])).test(secret.slice(name.length));

/** The suffix of a disk's file server, and of the Secret with its token. */
export const FILES_SUFFIX = '-files';

/** The suffixes of the claims of an instance's home and of a data disk. */
export const HOME_SUFFIX = '-home';
export const DISK_SUFFIX = '-disk';

/** The suffix of the Secret with an instance's notebook token. */
export const NOTEBOOK_SUFFIX = '-notebook';

/** The organisation's own credentials for the registry, in its namespace. */
export const PULL_SECRET = 'gantry-pull';

/** The Pod that reads an organisation's datasets, in its namespace, and the Secret with its token. */
export const DATA_SERVER = 'data-server';
export const DATA_SERVER_PORT = 8092;

/** The path at which a kubelet says what its node and its Pods use. */
export const KUBELET_SUMMARY = '/stats/summary';
/** Its running configuration. */
export const KUBELET_CONFIGURATION = '/configz';

/** The type of empty Secrets: a member's kubeconfig ends with the one its token is bound to. */
export const KUBECONFIG_SECRET = 'gantry.dev/kubeconfig';
/** The prefix of their names. */
export const KUBECONFIG_PREFIX = 'kubeconfig-';

/** Kubernetes' type of Secrets that log in to registries. */
export const REGISTRY_LOGIN_SECRET = 'kubernetes.io/dockerconfigjson';

/** The policy that says which Secrets the gateway may make and delete. */
export const GATEWAY_SECRETS_POLICY = 'gantry-gateway-secrets';

/** The ClusterRole that an organisation's RoleBinding gives to the members of one role. */
export const tenantRole = (role: string): string => `gantry-tenant-${role}`;

/** A namespace without network policies: Pods there tell what the policies of others let through. */
export const PROBE_NAMESPACE = 'gantry-probe';
/** The namespace in which checks of the cluster try things out; nothing in it lasts. */
export const DOCTOR_NAMESPACE = 'gantry-doctor';
/** Which part a Pod of a check has, where policies choose by it. */
export const DOCTOR_ROLE_LABEL = 'gantry.dev/doctor-role';
