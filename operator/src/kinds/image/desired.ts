// The Job that pulls an image and starts a container from it once: under the tenant's own network policy, never from here.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import { ANNOTATION, LABEL, PULL_SECRET, REGISTRY } from '@gantry/contract/names.ts';
import type { CreditGate } from '../../credit.ts';
import { PLATFORM_POD } from '../../platform-pod.ts';
import { ownedBy } from '../../resources.ts';

/** The installation's settings for every check. */
export interface ImageSettings {
  creditGate: CreditGate;
  agentImage: string;
  /** Registries with addresses inside that may be asked for sizes all the same, as host[:port]. */
  allowedRegistries: readonly string[];
  /** Through which registries on the internet are asked; '' for none. */
  imageProxy: string;
}

const AGENT_DIR = '/gantry';
/** A large image on a slow line; after it the check counts as failed. */
const LIMIT_S = 30 * 60;
/** The limit for images that are not the platform's own. */
export const MOST_GI = 100;

/** With a dot: its Pods end in random characters, and must not be taken for those of an instance. */
export const jobName = ({ metadata }: Image): string => `${metadata.name}.verify`;

/** Sorts by it: who was made first comes first. */
export const age = ({ creationTimestamp, uid }: Image['metadata']): string => `${creationTimestamp} ${uid}`;

/** The subject of a check: with another value the last result is void. */
export const subjectOf = ({ spec }: Image): string =>
  [spec.source, ...(spec.pullSecret ? [spec.pullSecret] : [])].join(' ');

const isOurs = ({ spec }: Image): boolean => spec.source.startsWith(`${REGISTRY}/`);

/** Kubernetes says nothing of a pull secret that is missing, but all of a missing variable. */
const secretOf = ({ spec: { pullSecret: name } }: Image) =>
  name && { env: [{ name: 'PULL_SECRET', valueFrom: { secretKeyRef: { name, key: '.dockerconfigjson' } } }] };

/**
 * Asks the registry before the node pulls anything. Pods cannot reach our own registry, and its content was saved under limits;
 * the platform chooses official images.
 */
function sizeContainers(
  owner: Image,
  { agentImage, allowedRegistries, imageProxy }: ImageSettings,
  small: object,
): object[] {
  if (owner.spec.official || isOurs(owner)) return [];
  const ways = [
    ...allowedRegistries.map((host) => `--inner=${host}`),
    ...(imageProxy ? [`--proxy=${imageProxy}`] : []),
  ];
  return [
    {
      name: 'size',
      image: agentImage,
      args: ['image-size', `--most-gi=${MOST_GI}`, ...ways, '--', owner.spec.source],
      // Its output becomes its message.
      terminationMessagePolicy: 'FallbackToLogsOnError',
      ...secretOf(owner),
      ...small,
    },
  ];
}

export function desiredJob(owner: Image, settings: ImageSettings): KubeObject & { spec: object } {
  const { spec, metadata } = owner;
  const labels = { [LABEL.kind]: owner.kind, [LABEL.name]: metadata.name };
  const agent = { name: 'agent', mountPath: AGENT_DIR };
  const resources = { requests: { cpu: '50m', memory: '32Mi' }, limits: { cpu: '500m', memory: '128Mi' } };
  const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const small = { resources, securityContext };
  const secrets = [...(isOurs(owner) ? [PULL_SECRET] : []), ...(spec.pullSecret ? [spec.pullSecret] : [])];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(owner),
      namespace: metadata.namespace ?? '',
      labels,
      annotations: { [ANNOTATION.hash]: subjectOf(owner) },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: LIMIT_S,
      template: {
        metadata: { labels },
        spec: {
          ...PLATFORM_POD,
          ...(secrets.length > 0 && { imagePullSecrets: secrets.map((name) => ({ name })) }),
          initContainers: [
            {
              name: 'agent',
              image: settings.agentImage,
              args: ['install', AGENT_DIR],
              ...secretOf(owner),
              ...small,
              volumeMounts: [agent],
            },
            ...sizeContainers(owner, settings, small),
          ],
          containers: [
            {
              name: 'main',
              image: spec.source,
              // Whatever a node has cached, the registry is asked, with these credentials.
              imagePullPolicy: 'Always',
              // As an instance starts: the agent is process 1, inside the image.
              command: [`${AGENT_DIR}/agent`, 'init', '--', `${AGENT_DIR}/agent`, 'version'],
              ...small,
              volumeMounts: [{ ...agent, readOnly: true }],
            },
          ],
          volumes: [{ name: 'agent', emptyDir: { sizeLimit: '64Mi' } }],
        },
      },
    },
  };
}
