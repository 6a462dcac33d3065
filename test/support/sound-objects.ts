// One object of each kind with every field filled in, soundly: what tests change one thing of.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { KINDS } from '@gantry/contract/kinds.ts';
import { organizationNamespace, REGISTRY } from '@gantry/contract/names.ts';

export interface SoundObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

export const SOUND_NAMESPACE = organizationNamespace('acme');
const AT = '2026-11-21T10:00:00Z';
const UID = '8c1e1b0e-5d0c-4c7e-9a53-0f6f1d3f7a11';
const DIGEST = `sha256:${'a'.repeat(64)}`;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';

const common = (phase: string, reason: string) => ({
  phase,
  reason,
  reasonArgs: { detail: 'none' },
  message: 'It is so.',
  observedGeneration: 1,
  conditions: [
    { type: 'Ready', status: 'True', observedGeneration: 1, lastTransitionTime: AT, reason, message: 'It is so.' },
    {
      type: 'CreditReserved',
      status: 'True',
      observedGeneration: 1,
      lastTransitionTime: AT,
      reason: 'Reserved',
      message: '',
    },
  ],
});
const metered = (...uses: object[]) => ({
  intervals: [
    { seq: 1, subjectUID: UID, from: AT, to: '2026-11-21T10:10:00Z', uses },
    { seq: 7, subjectUID: UID, from: '2026-11-21T10:10:00Z', uses },
  ],
  credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1 },
});

const object = (kind: string, name: string, spec: object, status: object, namespace?: string): SoundObject => ({
  apiVersion: API_VERSION,
  kind,
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    uid: UID,
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: AT,
    labels: { team: 'vision' },
    annotations: { note: 'mine' },
  },
  spec: { ...spec },
  status: { ...status },
});

export const SOUND: Readonly<Record<keyof typeof KINDS, SoundObject>> = {
  organization: object(
    'Organization',
    'acme',
    {
      displayName: 'Acme',
      description: 'Vision research',
      members: [{ account: 'ann', role: 'owner' }],
      quota: { gpus: 8, cores: 128, memoryGi: 1024, storageGi: 10_240, instances: 100, disks: 1000, hosts: 100 },
    },
    { ...common('ready', 'Ready'), namespace: SOUND_NAMESPACE, probedAt: AT },
  ),
  gpuInstance: object(
    'GpuInstance',
    'dev',
    {
      displayName: 'dev',
      creator: 'ann',
      power: 'Running',
      rebootCount: 1,
      image: 'pytorch/pytorch:2.4.0',
      command: ['sleep', '1'],
      gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 1 },
      cores: 4,
      memoryGi: 16,
      host: 'big',
      homeDisk: { sizeGi: 20, storageClassName: 'standard' },
      disks: [{ name: 'data', mountPath: '/data' }],
      env: [{ name: 'MODE', value: 'train' }],
      ports: [{ name: 'web', port: 8080 }],
      notebookPort: 8888,
      sshKeys: [{ remark: 'ann', publicKey: KEY, expiresAt: '2027-11-21T10:00:00Z' }],
    },
    {
      ...common('running', 'Running'),
      node: 'node-0',
      address: `dev.instances.${SOUND_NAMESPACE}.svc`,
      health: 'normal',
      usage: {
        home: { totalBytes: 20_000, usedBytes: 5000, availableBytes: 15_000 },
        rootBytes: 3000,
        podUID: UID,
        at: AT,
        node: 'node-0',
      },
      settledPower: 'Stopped',
      rebootCount: 1,
      everReady: true,
      run: {
        seq: 2,
        cause: 'start',
        notBefore: AT,
        readyAt: AT,
        answeredAt: AT,
        givenUpAt: AT,
        endedAt: AT,
        exits: 1,
        lastExit: 'OOMKilled',
      },
      ...metered(
        { resource: 'memory', quantity: 0.063, exact: { count: 64, unit: 'Mi' } },
        { resource: 'gpu', model: 'NVIDIA-H100-80GB-HBM3', quantity: 1 },
        { resource: 'cpu', quantity: 4 },
      ),
      root: {
        image: `${REGISTRY}/${SOUND_NAMESPACE}/dev.root@${DIGEST}`,
        of: 'pytorch/pytorch:2.4.0',
        seq: 1,
        savedAt: AT,
        sizeBytes: 1024,
        totalBytes: 4096,
        layers: 2,
      },
      home: { image: `${REGISTRY}/${SOUND_NAMESPACE}/dev.home@${DIGEST}`, seq: 1, savedAt: AT, sizeBytes: 1024 },
      snapshot: { name: 'dev-1', phase: 'ready', message: 'Saved.' },
      ssh: 'ssh -J gantry@10.64.0.10:30022 root@dev',
    },
    SOUND_NAMESPACE,
  ),
  snapshot: object(
    'Snapshot',
    'dev-1',
    {
      instance: 'dev',
      of: 'Root',
      node: 'node-0',
      podName: 'dev-1',
      podUID: UID,
      target: `${REGISTRY}/${SOUND_NAMESPACE}/dev.root:1`,
    },
    {
      ...common('ready', 'Saved'),
      digest: DIGEST,
      sizeBytes: 1024,
      totalBytes: 4096,
      layers: 2,
      startedAt: AT,
      finishedAt: AT,
      attempts: 1,
      nextTryAt: AT,
    },
    SOUND_NAMESPACE,
  ),
  image: object(
    'Image',
    'torch',
    {
      displayName: 'torch',
      creator: 'ann',
      source: `${REGISTRY}/${SOUND_NAMESPACE}/torch:1`,
      official: false,
      llm: false,
      fromInstance: 'dev',
      pullSecret: 'login',
    },
    {
      ...common('ready', 'Verified'),
      digest: DIGEST,
      sizeBytes: 4096,
      verifiedAt: AT,
      checked: `${REGISTRY}/${SOUND_NAMESPACE}/torch:1`,
      exported: `${REGISTRY}/${SOUND_NAMESPACE}/dev.root@${DIGEST}`,
      savedBytes: 1024,
      ...metered({ resource: 'snapshot', quantity: 0.093, exact: { count: 100_000_000, unit: 'B' } }),
      failures: 0,
      failedAt: AT,
    },
    SOUND_NAMESPACE,
  ),
  dataDisk: object(
    'DataDisk',
    'data',
    {
      displayName: 'data',
      creator: 'ann',
      sizeGi: 10,
      storageClassName: 'standard',
      access: 'Single',
      files: { until: '2026-11-21T11:00:00Z' },
    },
    {
      ...common('mounted', 'Mounted'),
      sizeGi: 10,
      usage: { totalBytes: 4096, usedBytes: 1024, availableBytes: 3072, at: AT, node: 'node-0' },
      mountedBy: [{ kind: 'GpuInstance', name: 'dev', mountPath: '/data', atNextStart: false }],
      volumeName: 'pvc-1',
      claimUID: UID,
      node: 'node-0',
      ...metered({ resource: 'disk', quantity: 10.001, exact: { count: 10_241, unit: 'Mi' } }),
      files: { address: '10.0.0.7:8080', readyAt: AT },
    },
    SOUND_NAMESPACE,
  ),
  gpuHost: object(
    'GpuHost',
    'big',
    {
      displayName: 'big',
      creator: 'ann',
      source: 'rented',
      gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 8 },
      nodes: 1,
      months: 1,
      autoRenew: false,
      tags: ['train'],
      disks: [{ name: 'data', mountPath: '/data' }],
    },
    {
      ...common('active', 'Active'),
      nodes: [{ name: 'node-0', lanAddress: '10.0.0.7', os: 'Debian', ready: true, gpus: 8 }],
      lanAddress: '10.0.0.7',
      os: 'Debian',
      gpuCount: 8,
      startedAt: AT,
      expiresAt: '2026-12-21T10:00:00Z',
      countedMonths: 1,
      renewedMonths: 0,
      returnedAt: AT,
      ...metered({
        resource: 'host',
        model: 'NVIDIA-H100-80GB-HBM3',
        quantity: 8,
        // No card has one; but the field is there.
        exact: { count: 8_192, unit: 'Mi' },
      }),
      credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1, months: 1 },
    },
    SOUND_NAMESPACE,
  ),
};
