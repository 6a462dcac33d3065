// Builders for tests: an Image, its Job, and the Job's Pod at any point of a check.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { Image, ImageStatus } from '@gantry/contract/kinds/image.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import { desiredJob, type ImageSettings } from '../desired.ts';
import type { ImageSeen, Job } from '../reads.ts';

const START: Instant = Date.parse('2026-11-21T10:00:00Z');
/** A moment, in seconds after the start, as the API server writes it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const DIGEST = `sha256:${'a'.repeat(64)}`;
export const settings: ImageSettings = {
  creditGate: 'off',
  agentImage: 'registry.gantry.internal/official/agent:1',
  allowedRegistries: [],
  imageProxy: '',
};

export const context = (seconds: number, more: Partial<Context<ImageSettings>> = {}): Context<ImageSettings> => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

interface ImageFixture {
  spec?: Partial<Image['spec']>;
  status?: ImageStatus;
  metadata?: Partial<Image['metadata']>;
}

export const imageFixture = ({ spec, status, metadata }: ImageFixture = {}): Image => ({
  apiVersion: API_VERSION,
  kind: 'Image',
  metadata: { name: 'torch', namespace: 'org-acme', uid: 'uid-torch', generation: 1, ...metadata },
  spec: { source: 'pytorch/pytorch:2.4.0', official: false, llm: false, ...spec },
  ...(status && { status }),
});

export const nothing: ImageSeen = {
  job: undefined,
  pod: undefined,
  sizeBytes: undefined,
  instance: undefined,
  rivals: [],
  copy: undefined,
  othersChecked: 0,
};

/** The Job of this Image, as it was made. */
export function job(owner: Image, more: { status?: object; deletionTimestamp?: string } = {}): Job {
  const made = desiredJob(owner, settings) as Job;
  const { status, deletionTimestamp } = more;
  return {
    ...made,
    metadata: { ...made.metadata, uid: 'uid-job', ...(deletionTimestamp && { deletionTimestamp }) },
    ...(status && { status }),
  };
}

const DONE = { terminated: { exitCode: 0 } };
const NOT_YET = { state: { waiting: { reason: 'PodInitializing' } } };

/** The Job's Pod: the state of its container, and of the one that brings the agent. */
export const pod = (main: object, agent: object = DONE, status: object = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'torch.verify-x', namespace: 'org-acme', uid: 'uid-pod' },
    status: {
      initContainerStatuses: [{ name: 'agent', state: agent }],
      containerStatuses: [{ name: 'main', ...main }],
      ...status,
    },
  }) as unknown as Pod;

/** The Job's Pod that asked for a size. */
export const sizing = (exitCode: number, message?: string): Pod => {
  const size = { terminated: { exitCode, ...(message !== undefined && { message }) } };
  return pod(NOT_YET, undefined, {
    initContainerStatuses: [
      { name: 'agent', state: DONE },
      { name: 'size', state: size },
    ],
  });
};
