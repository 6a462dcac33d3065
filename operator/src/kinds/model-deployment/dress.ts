// Additions of a deployment's Pods to a service's: the model's files, which a first container takes in and checks, and a start that counts
// only once the engine has answered a real request.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { engineOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { ENGINE_FACTS, INSTALLER, MODELS_ROOT, RECEIVER, RECEIVER_PORT } from '@gantry/contract/models/engines.ts';
import { LABEL, weightsLabel } from '@gantry/contract/names.ts';
import type { ServiceSettings } from '../../serving/desired.ts';
import type { PodTemplate } from '../../serving/served.ts';
import { organizationIn } from '../../tenant-pods.ts';
import { deploymentOf, engineCommandOf } from './as-service.ts';

export interface DeploymentSettings extends ServiceSettings {
  agentImage: string;
}

export const INIT_CONTAINERS = 2;
const AGENT_DIR = '/gantry';
const AGENT = `${AGENT_DIR}/agent`;
const GIB = 1024 ** 3;
/** Names, and what the file system itself takes. */
const BESIDES_BYTES = 64 * 1024 ** 2;
/** Loading weights takes as long as it takes; the deadline of the update is what ends it. */
const START_EVERY_S = 5;
const STARTS_FOR = 17_280;
const ANSWER_WITHIN_S = 60;
/** Without its rights, and yet root: another user, as the chart's agent image names one, cannot prepare the files. */
const AS_ROOT = { runAsUser: 0, runAsGroup: 0, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

export function dress(service: ContainerService, template: PodTemplate, settings: ServiceSettings): PodTemplate {
  const { agentImage } = settings as DeploymentSettings;
  const deployment = deploymentOf(service);
  const { metadata, spec, status } = deployment;
  const { digest = '', sizeBytes = 0 } = status?.weights ?? {};
  const engine = engineOf(deployment);
  const pod = template.spec;
  if (!pod || engine === undefined) return template;
  const { port } = ENGINE_FACTS[engine];
  const command = service.spec.command && engineCommandOf(deployment);
  const room = roomMiOf(sizeBytes);
  const agent = { name: 'agent', mountPath: AGENT_DIR };
  const models = { name: 'models', mountPath: MODELS_ROOT };
  return {
    ...template,
    metadata: {
      ...template.metadata,
      labels: { ...template.metadata?.labels, [LABEL.modelDeployment]: metadata.name },
    },
    spec: {
      ...pod,
      affinity: { ...pod.affinity, nodeAffinity: { ...pod.affinity?.nodeAffinity, ...nearFiles(deployment) } },
      ...(spec.nodeLabels && { nodeSelector: { ...spec.nodeLabels, ...pod.nodeSelector } }),
      initContainers: [
        {
          name: INSTALLER,
          image: agentImage,
          imagePullPolicy: 'IfNotPresent',
          args: ['install', AGENT_DIR],
          securityContext: AS_ROOT,
          resources: small('64Mi'),
          volumeMounts: [agent],
        },
        receiverOf({ digest, sizeBytes }, agentImage),
      ],
      containers: pod.containers.map((one) => ({
        ...one,
        ...(command && { command }),
        startupProbe: {
          exec: {
            command: [
              AGENT,
              'ask-model',
              `--url=http://127.0.0.1:${port}`,
              `--model=${metadata.name}`,
              `--task=${spec.task}`,
              `--timeout=${ANSWER_WITHIN_S}s`,
            ],
          },
          periodSeconds: START_EVERY_S,
          timeoutSeconds: ANSWER_WITHIN_S,
          failureThreshold: STARTS_FOR,
        },
        resources: withRoom(one.resources, room, service.spec.memoryGi),
        volumeMounts: [...(one.volumeMounts ?? []), { ...agent, readOnly: true }, { ...models, readOnly: true }],
      })),
      volumes: [
        ...(pod.volumes ?? []),
        { name: 'agent', emptyDir: { sizeLimit: '64Mi' } },
        { name: 'models', emptyDir: { sizeLimit: `${room}Mi` } },
      ],
    },
  };
}

/** The size of a volume for its files. */
export const roomMiOf = (sizeBytes: number): number => Math.ceil((sizeBytes + BESIDES_BYTES) / 1024 ** 2);

/** Resources of one of our own containers, with at most this much memory. */
export const small = (memory: string) => ({
  requests: { cpu: '10m', memory: '16Mi' },
  limits: { cpu: '2', memory },
});

/** Takes the files in, and ends once it has them all: into the Pod's volume `models`. */
export const receiverOf = (
  { digest, sizeBytes }: Pick<NonNullable<NonNullable<ModelDeployment['status']>['weights']>, 'digest' | 'sizeBytes'>,
  agentImage: string,
) => ({
  name: RECEIVER,
  image: agentImage,
  imagePullPolicy: 'IfNotPresent' as const,
  args: ['receive', `--manifest=${digest}`, `--listen=:${RECEIVER_PORT}`, `--bytes=${sizeBytes}`, MODELS_ROOT],
  terminationMessagePolicy: 'FallbackToLogsOnError' as const,
  securityContext: AS_ROOT,
  resources: small('256Mi'),
  volumeMounts: [{ name: 'models', mountPath: MODELS_ROOT }],
});

/** The same files and the same room; only the first of a replica's Pods answers, and so is asked. */
export function asWorker(service: ContainerService, first: PodTemplate): PodTemplate {
  const command = engineCommandOf(deploymentOf(service), 'worker');
  if (!first.spec || !command) return first;
  const containers = first.spec.containers.map(({ ports: _p, startupProbe: _s, readinessProbe: _r, ...one }) => ({
    ...one,
    command,
  }));
  return { ...first, spec: { ...first.spec, containers } };
}

/** Nodes that have the files come first, before those with more room; any other will do. */
const nearFiles = (deployment: ModelDeployment) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [
    {
      weight: 100,
      preference: {
        matchExpressions: [
          {
            key: weightsLabel(organizationIn(deployment), deployment.status?.weights?.digest ?? ''),
            operator: 'Exists',
          },
        ],
      },
    },
  ],
});

type Resources = NonNullable<NonNullable<PodTemplate['spec']>['containers'][number]['resources']>;

/** The files lie on the node's disk, and count as the Pod's. */
function withRoom(resources: Resources | undefined, roomMi: number, memoryGi: number): Resources {
  const { requestMi, limitGi } = rootRoom({ memoryGi });
  return {
    requests: { ...resources?.requests, 'ephemeral-storage': `${requestMi + roomMi}Mi` },
    limits: { ...resources?.limits, 'ephemeral-storage': `${limitGi * 1024 + roomMi}Mi` },
  };
}

/** As sentences say it. */
export const gibOf = (bytes: number): string => `${Math.max(0.01, Math.round((bytes / GIB) * 100) / 100)}`;
