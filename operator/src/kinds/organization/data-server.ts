// The data server: one Pod that reads the organisation's datasets, wanted until a moment. It calls nobody, and only the platform calls it.
import { GI } from '@gantry/contract/fields/quantity.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { MOST_DATA_HOURS, type Organization, type OrganizationStatus } from '@gantry/contract/kinds/organization.ts';
import { DATA_SERVER, DATA_SERVER_PORT, LABEL, organizationNamespace } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import type { Plan } from '../../define-controller.ts';
import { instant, MOST_VALUE } from '../../metering.ts';
import { PLATFORM_POD } from '../../platform-pod.ts';
import { ownedBy } from '../../resources.ts';
import { hostAndPort, readySince, whyNotReady } from '../../server-pod.ts';
import type { OrganizationSettings, OwnSecret } from './desired.ts';
import type { Explanation } from './phase.ts';

const MOST_MS = MOST_DATA_HOURS * 60 * 60_000;
/** Two tasks at once, each up to what the kernel lets it have (`data-worker/gantry_worker/limits.py`), and the server. */
const MEMORY_MI = 2048;
/** One task within DuckDB's own limit, and the server: a node has as much, or does not run it. A second task has what the node can spare. */
const HELD_MEMORY_MI = 512 + 128;
/** Besides its volume: what its container writes to its log. */
const OWN_DISK_MI = 64;
const ROOT = '/data';
const TOKEN_DIR = '/token';
/** As its image has it. */
const USER = 65_532;

export interface DataStep extends Required<Pick<Plan, 'create' | 'remove' | 'unseen'>> {
  /** Of the condition DataAvailable; absent where nobody asks for the server. */
  explanation?: Explanation;
  answers: boolean;
  address?: OrganizationStatus['data'];
  /** When it ends, or when the request takes effect. */
  changesInMs?: number;
}

interface Wish {
  wanted: boolean;
  explanation?: Explanation;
  changesInMs?: number;
}

function wishOf({ spec: { data } }: Organization, now: Instant): Wish {
  const until = instant(data?.until);
  if (data && until === undefined) {
    const value = `${data.until}`.slice(0, MOST_VALUE);
    return { wanted: false, explanation: { reason: 'DataUntilMalformed', args: { value } } };
  }
  if (until === undefined || until <= now) return { wanted: false };
  if (until - now > MOST_MS) {
    const explanation: Explanation = { reason: 'DataTooLong', args: { hours: String(MOST_DATA_HOURS) } };
    return { wanted: false, explanation, changesInMs: until - MOST_MS - now };
  }
  return { wanted: true, changesInMs: until - now };
}

/** The token first, and no server without it: the Pod would take up a Secret that somebody else made in its place. */
export function dataStep(
  owner: Organization,
  pod: Pod | undefined,
  refusals: readonly Refusal[],
  now: Instant,
  settings: OrganizationSettings,
): DataStep {
  const { wanted, ...wish } = wishOf(owner, now);
  const secret = refusals.find(({ kind }) => kind === 'Secret');
  const refusal = secret ?? refusals.find(({ kind }) => kind === 'Pod');
  const isGoing = pod?.metadata.deletionTimestamp !== undefined;
  const isOver = pod !== undefined && !isGoing && (!wanted || secret !== undefined || isTerminal(pod));
  const readyAt = wanted && !refusal ? readySince(pod) : undefined;
  const address = readyAt && hostAndPort(pod, DATA_SERVER_PORT);
  return {
    ...wish,
    unseen: wanted && !secret ? [desiredDataToken(owner, settings)] : [],
    create: wanted && !pod && !refusal ? [desiredDataServer(owner, settings)] : [],
    remove: isOver ? [targetOf(pod)] : [],
    ...(wanted && { explanation: progressOf(pod, refusal) }),
    answers: readyAt !== undefined,
    ...(address && { address: { address, readyAt } }),
  };
}

/** Nothing of it is asked for, or may be made yet. */
export const NO_DATA: DataStep = { create: [], remove: [], unseen: [], answers: false };

function progressOf(pod: Pod | undefined, refusal: Refusal | undefined): Explanation {
  if (!refusal && readySince(pod)) return { reason: 'DataReady', args: {} };
  const detail = refusal ? `${refusal.kind} ${refusal.name}: ${refusal.message}` : whyNotReady(pod);
  return detail ? { reason: 'DataFailed', args: { detail: detail.slice(0, 1000) } } : STARTING;
}
const STARTING: Explanation = { reason: 'DataStarting', args: {} };

/** Native parsers read what tenants sent in it: a parser that is taken over finds one organisation's data, and no way out. */
export function desiredDataServer(
  owner: Organization,
  { dataServerImage, dataServerDiskGi }: OrganizationSettings,
): Pod {
  const diskMi = (dataServerDiskGi * GI) / 2 ** 20;
  const disk = { 'ephemeral-storage': `${diskMi + OWN_DISK_MI}Mi` };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: DATA_SERVER,
      namespace: organizationNamespace(owner.metadata.name),
      // Not the organisation's label: tenants' Pods keep off nodes where another organisation's have it.
      labels: { [LABEL.kind]: owner.kind, [LABEL.name]: owner.metadata.name, [LABEL.dataServer]: 'true' },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      ...PLATFORM_POD,
      // What arrived outlasts a container that breaks down.
      restartPolicy: 'Always',
      securityContext: { ...PLATFORM_POD.securityContext, runAsNonRoot: true, runAsUser: USER, fsGroup: USER },
      containers: [
        {
          name: 'main',
          image: dataServerImage,
          args: [
            'serve',
            `--root=${ROOT}`,
            `--token-file=${TOKEN_DIR}/token`,
            `--listen=0.0.0.0:${DATA_SERVER_PORT}`,
            `--memory-mb=${MEMORY_MI}`,
            // The rest is for what it makes of what arrives.
            `--disk-mb=${Math.floor(diskMi / 2)}`,
          ],
          ports: [{ name: 'data', containerPort: DATA_SERVER_PORT }],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          readinessProbe: { httpGet: { path: '/healthz', port: DATA_SERVER_PORT }, periodSeconds: 1 },
          resources: {
            requests: { cpu: '20m', memory: `${HELD_MEMORY_MI}Mi`, ...disk },
            limits: { cpu: '1', memory: `${MEMORY_MI}Mi`, ...disk },
          },
          volumeMounts: [
            { name: 'data', mountPath: ROOT },
            { name: 'token', mountPath: TOKEN_DIR, readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'data', emptyDir: { sizeLimit: `${diskMi}Mi` } },
        { name: 'token', secret: { secretName: DATA_SERVER } },
      ],
    },
  };
}

export const desiredDataToken = (owner: Organization, { keyed }: Pick<OrganizationSettings, 'keyed'>): OwnSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: DATA_SERVER,
    namespace: organizationNamespace(owner.metadata.name),
    labels: { [LABEL.organization]: owner.metadata.name, [LABEL.managed]: 'true' },
    ownerReferences: ownedBy(owner),
  },
  type: 'Opaque',
  data: { token: btoa(keyed(`data/${identityOf(owner)}`)) },
});
