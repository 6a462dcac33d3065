// The parts of a Pod that every kind which runs a tenant's program has alike: its room, its place, and its pull secrets.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { mebibytesOf } from '@gantry/contract/fields/quantity.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { GPU_RESOURCE, LABEL, organizationOf, PULL_SECRET, REGISTRY } from '@gantry/contract/names.ts';
import { type PoolRules, toleratesCards, toleratesHost } from '@gantry/kube/placement.ts';
import { onNodesOf } from './host-nodes.ts';

/** The requests of one container. */
export interface Sizes {
  gpu?: { model: string; count: number } | undefined;
  cores: number;
  memoryGi: number;
}

/** As the namespace carries it. */
export const organizationIn = ({ metadata }: KubeObject): string => organizationOf(metadata.namespace ?? '') ?? '';

/** Kubernetes' name for what a container writes outside its volumes. */
const ROOT = 'ephemeral-storage';
const millicores = (cores: number): string => `${Math.round(cores * 1000)}m`;
export const mebibytes = (gi: number): string => `${mebibytesOf(gi)}Mi`;

/** A container's resources. */
export function roomOf(sizes: Sizes) {
  const room = {
    cpu: millicores(sizes.cores),
    memory: mebibytes(sizes.memoryGi),
    ...(sizes.gpu && { [GPU_RESOURCE]: String(sizes.gpu.count) }),
  };
  const root = rootRoom(sizes);
  return {
    requests: { ...room, [ROOT]: `${root.requestMi}Mi` },
    limits: { ...room, [ROOT]: `${root.limitGi}Gi` },
  };
}

/** Which nodes a Pod may go to. A silent node's Pods stay for good, or for so many seconds. */
export function placeOf(
  owner: KubeObject & { spec: Sizes },
  host: GpuHost | undefined,
  rules: PoolRules,
  silentForS?: number,
) {
  const { gpu } = owner.spec;
  const stays = {
    operator: 'Exists',
    effect: 'NoExecute',
    ...(silentForS !== undefined && { tolerationSeconds: silentForS }),
  };
  return {
    ...(gpu && { nodeSelector: { [LABEL.gpuModel]: gpu.model } }),
    // A flapping node must not delete its Pods: the plan decides when a node is lost for good.
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', ...stays },
      { key: 'node.kubernetes.io/unreachable', ...stays },
      ...(gpu ? toleratesCards(rules) : []),
      ...toleratesHost(host && identityOf(host), rules.hostTaintKey),
    ],
    ...(rules.sharedPool === 'sandboxed' && { hostUsers: false }),
    affinity: { ...onNodesOf(host), ...(rules.sharedPool === 'exclusive' && apartFromOthers(owner)) },
  };
}

/** Applies where a node serves one organisation at a time (decisions section 7). */
const apartFromOthers = (owner: KubeObject) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        topologyKey: 'kubernetes.io/hostname',
        namespaceSelector: {},
        labelSelector: {
          matchExpressions: [
            { key: LABEL.organization, operator: 'Exists' },
            { key: LABEL.organization, operator: 'NotIn', values: [organizationIn(owner)] },
          ],
        },
      },
    ],
  },
});

export function pullSecrets(
  ofOurRegistry: boolean,
  verified: Image | undefined,
): { imagePullSecrets?: { name: string }[] } {
  const names = [
    ...(ofOurRegistry ? [PULL_SECRET] : []),
    ...(verified?.spec.pullSecret ? [verified.spec.pullSecret] : []),
  ];
  return names.length > 0 ? { imagePullSecrets: names.map((name) => ({ name })) } : {};
}

/**
 * The image that a container starts from, and when its registry is asked. A cached image needs no credentials, and another tenant's
 * would start: only a digest that this tenant, or the platform, was shown to have may come from the node's cache.
 */
export function startedFrom(source: string, verified: Image | undefined) {
  const digest = verified?.status?.digest;
  // A verified Image with the same source pins the digest.
  const image = digest && !source.includes('@') ? `${source}@${digest}` : source;
  const isOurs = image.startsWith(`${REGISTRY}/`);
  return { image, imagePullPolicy: image === source || isOurs ? 'Always' : 'IfNotPresent', isOurs } as const;
}

/**
 * Kubernetes reads `$(NAME)` and `$$` in commands, arguments and variables, and breaks a letter beyond ASCII after a `$`. Doubled, each
 * `$` arrives as it is. Whatever a tenant wrote goes through here, unless they asked for Kubernetes' reading.
 */
export const verbatim = (text: string): string => text.replaceAll('$', '$$$$');

interface Program {
  command?: readonly string[] | undefined;
  expandCommand?: boolean | undefined;
  env?: readonly { name: string; value: string; expand?: boolean | undefined }[] | undefined;
  secretEnv?: readonly { name: string; secret: string; key: string }[] | undefined;
  ports?: readonly { name?: string | undefined; port: number }[] | undefined;
}

/** The variables that a tenant sets, for a container. */
export const variablesOf = ({ env = [], secretEnv = [] }: Pick<Program, 'env' | 'secretEnv'>) => [
  ...env.map(({ name, value, expand }) => ({ name, value: expand ? value : verbatim(value) })),
  ...secretEnv.map(({ name, secret, key }) => ({ name, valueFrom: { secretKeyRef: { name: secret, key } } })),
];

/** The words of its command, for a container. */
export const commandOf = ({ command = [], expandCommand }: Pick<Program, 'command' | 'expandCommand'>): string[] =>
  expandCommand ? [...command] : command.map(verbatim);

/** The ports that its program listens on, for a container. */
export const portsOf = ({ ports = [] }: Pick<Program, 'ports'>) =>
  ports.map(({ name, port }) => ({ containerPort: port, ...(name && { name }) }));
