// The children of one run of an instance: a Pod, and the home disk that outlives it.

import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { GpuInstance, GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import {
  ANNOTATION,
  FINALIZER,
  HOME_SUFFIX,
  instancePodName,
  LABEL,
  REGISTRY,
  TENANT_PRIORITY_CLASS,
} from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import { ownedBy } from '../../resources.ts';
import type { LogSettings } from '../../runs.ts';
import { commandOf, mebibytes, organizationIn, placeOf, pullSecrets, roomOf, variablesOf } from '../../tenant-pods.ts';
import { authorizedKeys, KEYS_DIR, keysMount, keysVolume, sshArguments, sshProbe } from './login.ts';
import { diskMounts, diskVolumes, mountsOf } from './mounts.ts';
import { notebookEnv } from './notebook.ts';

/** The installation's settings for every instance. */
export interface InstanceSettings extends LogSettings, PoolRules {
  creditGate: 'required' | 'off';
  agentImage: string;
  createTimeoutMs: number;
  /** The address of the SSH door for tenants, as host:port; '' if there is none. */
  sshDoor: string;
  /** A secret of the platform's that belongs to this text. */
  keyed(text: string): string;
}

const KIND = 'GpuInstance';
/** The headless Service that the Organization creates; it gives every instance its address. */
const SERVICE = 'instances';
/** The path of a saved home's files in its image. */
const SAVED_HOME = '/gantry-home';
/** A mount: root in the container can rename a folder that has mounts in it, and could so replace the agent, but not this one. */
const GANTRY_DIR = '/gantry';
/** The steps before an instance's program: its agent is put there, and a saved home put back. */
export const AGENT = 'agent';
export const RESTORE = 'home';

/** The folder into which the init container puts the agent; the tenant's image needs nothing of its own. */
const AGENT_DIR = `${GANTRY_DIR}/bin`;

export const podName = (owner: GpuInstance, seq: number): string => instancePodName(owner.metadata.name, seq);
export const homeName = (owner: GpuInstance): string => `${owner.metadata.name}${HOME_SUFFIX}`;
/** The Pod that holds a home while it is saved; no instance can have this name's place: runs are numbers. */
export const keeperName = (owner: GpuInstance): string => `${owner.metadata.name}-keep`;
export const addressOf = ({ metadata }: GpuInstance): string => `${metadata.name}.${SERVICE}.${metadata.namespace}.svc`;

export const homeLabels = ({ metadata }: GpuInstance) => ({ [LABEL.kind]: KIND, [LABEL.name]: metadata.name });
export const podLabels = (owner: GpuInstance, seq: number) => ({
  ...homeLabels(owner),
  [LABEL.run]: String(seq),
  [LABEL.organization]: organizationIn(owner),
});

/** Changes when an edit needs a new Pod: GPU, CPU, memory, image, command, environment, host, notebook port and its token. */
export function runHash(spec: GpuInstanceSpec): string {
  const { image, command, expandCommand, gpu, cores, memoryGi, env, host, notebookPort, notebookTokenCount } = spec;
  // By name, and without undefined fields: a field that a later version adds must not restart instances that do not use it.
  const card = gpu && { model: gpu.model, count: gpu.count };
  const variables = env?.map(({ name, value, expand }) => ({ name, value, ...(expand && { expand }) }));
  return digest(
    JSON.stringify({
      image,
      command,
      ...(expandCommand && { expandCommand }),
      gpu: card,
      cores,
      memoryGi,
      env: variables,
      host,
      notebookPort,
      notebookTokenCount,
    }),
  );
}

/** FNV-1a over UTF-16 units, twice with different seeds: tells two specs apart, secures nothing. */
function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xdeadbeef;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The image of a run: the last saved root, if it is based on the desired image; otherwise that image itself. */
function imageOf({ spec, status }: GpuInstance, verified: Image | undefined): string {
  if (status?.root?.of === spec.image) return status.root.image;
  const digest = verified?.status?.digest;
  // A verified Image with the same source pins the digest.
  return digest && !spec.image.includes('@') ? `${spec.image}@${digest}` : spec.image;
}

/** The Pod of a run. `owner.status` is what is recorded by now: a saved root and home come from there. */
export function desiredPod(
  owner: GpuInstance,
  seq: number,
  { verified, host }: { verified: Image | undefined; host: GpuHost | undefined },
  settings: InstanceSettings,
): Pod {
  const { spec, metadata } = owner;
  const started = imageOf(owner, verified);
  const ofOurRegistry = started.startsWith(`${REGISTRY}/`);
  const saved = owner.status?.home;
  const agent = { name: 'agent', mountPath: GANTRY_DIR };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(owner, seq),
      namespace: metadata.namespace ?? '',
      labels: podLabels(owner, seq),
      annotations: {
        [ANNOTATION.hash]: runHash(spec),
        [ANNOTATION.source]: spec.image,
        [ANNOTATION.sshKeys]: authorizedKeys(spec),
        ...(spec.disks && { [ANNOTATION.mounts]: mountsOf(spec) }),
        ...(host && { [ANNOTATION.host]: `${metadata.namespace}/${host.metadata.name}` }),
        'kubectl.kubernetes.io/default-container': 'main',
      },
      finalizers: [FINALIZER.metered],
      ownerReferences: ownedBy(owner),
    },
    spec: {
      restartPolicy: 'Never',
      hostname: metadata.name,
      subdomain: SERVICE,
      priorityClassName: TENANT_PRIORITY_CLASS,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 30,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      ...placeOf(owner, host, settings),
      ...pullSecrets(ofOurRegistry || saved !== undefined, verified),
      initContainers: [
        {
          name: AGENT,
          image: settings.agentImage,
          imagePullPolicy: 'IfNotPresent',
          args: ['install', AGENT_DIR, KEYS_DIR],
          resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '500m', memory: '64Mi' } },
          volumeMounts: [agent],
        },
        ...(saved ? [restoring(saved.image, agent)] : []),
      ],
      containers: [
        {
          name: 'main',
          image: started,
          // A cached image needs no credentials, and another tenant's would start: only a digest that this tenant, or the
          // platform, was shown to have may come from the node's cache.
          imagePullPolicy: started === spec.image || ofOurRegistry ? 'Always' : 'IfNotPresent',
          command: [
            `${AGENT_DIR}/agent`,
            'init',
            ...sshArguments(spec),
            ...(spec.command ? ['--', ...commandOf(spec)] : []),
          ],
          // If it fails, the end of its log is in its status: the sentence about the failure quotes it.
          terminationMessagePolicy: 'FallbackToLogsOnError',
          // Logins are as root, whatever the image says.
          securityContext: { runAsUser: 0 },
          ...sshProbe(spec),
          env: [...notebookEnv(owner), ...variablesOf({ env: spec.env })],
          resources: roomOf(spec),
          ports: portsOf(spec),
          ...(spec.notebookPort !== undefined && {
            readinessProbe: { tcpSocket: { port: spec.notebookPort }, periodSeconds: 2, failureThreshold: 3 },
          }),
          volumeMounts: [
            { ...agent, readOnly: true },
            keysMount,
            { name: 'home', mountPath: '/root' },
            { name: 'shm', mountPath: '/dev/shm' },
            ...diskMounts(spec),
          ],
        },
      ],
      volumes: [
        { name: 'agent', emptyDir: { sizeLimit: '64Mi' } },
        keysVolume,
        { name: 'home', persistentVolumeClaim: { claimName: homeName(owner) } },
        ...diskVolumes(spec),
        // PyTorch's loaders need more shared memory than the runtime's 64 MiB.
        { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: mebibytes(spec.memoryGi / 2) } },
      ],
    },
  };
}

/** Restores the saved home onto its new claim before anything of the tenant runs; content with this digest stays. */
const restoring = (image: string, agent: { name: string; mountPath: string }) => ({
  name: RESTORE,
  image,
  imagePullPolicy: 'Always',
  command: [`${AGENT_DIR}/agent`, 'restore', SAVED_HOME, '/home', '--mark', image.slice(image.indexOf('@') + 1)],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '2', memory: '256Mi' } },
  volumeMounts: [
    { ...agent, readOnly: true },
    { name: 'home', mountPath: '/home' },
  ],
});

function portsOf({ ports, notebookPort }: GpuInstanceSpec) {
  const all = [...(ports ?? []), ...(notebookPort === undefined ? [] : [{ name: 'notebook', port: notebookPort }])];
  return all.map(({ name, port }) => ({ containerPort: port, ...(name && { name }) }));
}
