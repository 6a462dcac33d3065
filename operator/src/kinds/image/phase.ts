// How far a check has come, as the kubelet tells it, and why it failed.
import { exitCodeSaid } from '@gantry/contract/kinds/exits.ts';
import { type Image, type ImageNeeds, type ImagePhase, type ImageReason, needs } from '@gantry/contract/kinds/image.ts';
import { type Args, quoted } from '@gantry/contract/said.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { type ImageSettings, MOST_GI } from './desired.ts';
import type { Job } from './reads.ts';

export interface Outcome {
  phase: ImagePhase;
  reason: ImageReason;
  args: Args;
  digest?: string;
  needs?: ImageNeeds;
}

type Status = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

interface Check {
  owner: Image;
  settings: ImageSettings;
  job: Job;
  pod: Pod | undefined;
  agent: Status | undefined;
  size: Status | undefined;
  main: Status | undefined;
}

const PULL_FAILED = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
];
const waits = (status: Status | undefined, reasons: readonly string[]) =>
  reasons.includes(status?.state?.waiting?.reason ?? '');
const ended = (status: Status | undefined) => status?.state?.terminated;
/** Exit codes of `agent image-size`. */
const TOO_LARGE = 3;
const ABSURD = 4;

/** First match wins. */
const OUTCOMES: readonly [is: (check: Check) => boolean, to: (check: Check) => Outcome][] = [
  [
    ({ agent, owner }) => owner.spec.pullSecret !== undefined && waits(agent, ['CreateContainerConfigError']),
    ({ owner }) => failed('PullSecretNotFound', { secret: owner.spec.pullSecret ?? '' }),
  ],
  [({ agent }) => waits(agent, PULL_FAILED), ({ settings }) => failed('NoAgent', { image: settings.agentImage })],
  [
    ({ size }) => ended(size)?.exitCode === TOO_LARGE,
    ({ size }) => tooLarge(/^\d{1,10}$/.exec(ended(size)?.message?.trim() ?? '')?.[0]),
  ],
  [
    ({ size }) => ended(size)?.exitCode === ABSURD,
    ({ size }) => failed('NotBootable', { detail: brief(ended(size)?.message?.trim()) }),
  ],
  [
    ({ main }) => waits(main, PULL_FAILED),
    ({ owner, main }) =>
      failed('ImageNotFound', { image: owner.spec.source, detail: brief(main?.state?.waiting?.message) }),
  ],
  [
    ({ main }) => waits(main, ['CreateContainerError', 'CreateContainerConfigError', 'RunContainerError']),
    ({ main }) => failed('NotBootable', { detail: brief(main?.state?.waiting?.message) }),
  ],
  [
    ({ main }) => ended(main)?.exitCode === 0 && digestOf(main) !== undefined,
    ({ main, size }) => {
      const digest = digestOf(main) ?? '';
      const needs = needsIn(ended(size)?.message);
      return { phase: 'ready', reason: 'Verified', args: { digest }, digest, ...(needs && { needs }) };
    },
  ],
  [({ main }) => ended(main)?.exitCode === 0, ({ owner }) => failed('NoDigest', { image: owner.spec.source })],
  [({ pod }) => isDisrupted(pod), ({ pod }) => interrupted(pod?.status?.message ?? pod?.status?.reason)],
  [
    ({ main }) => Boolean(ended(main)?.message),
    ({ main }) => failed('NotBootable', { detail: brief(ended(main)?.message) }),
  ],
  [
    ({ main }) => ended(main) !== undefined,
    ({ main }) => failed('Exited', quoted('ended', exitCodeSaid(`${ended(main)?.exitCode}`))),
  ],
  [({ job }) => finish(job) !== undefined, ({ job }) => interrupted(finish(job)?.message)],
  [({ main }) => digestOf(main) !== undefined, () => ({ phase: 'success', reason: 'Pulled', args: {} })],
  [() => true, () => VERIFYING],
];

export const VERIFYING: Outcome = { phase: 'processing', reason: 'Verifying', args: {} };

export function outcomeOf(owner: Image, job: Job, pod: Pod | undefined, settings: ImageSettings): Outcome {
  const first = (name: string) => pod?.status?.initContainerStatuses?.find((status) => status.name === name);
  const main = pod?.status?.containerStatuses?.[0];
  const check = { owner, settings, job, pod, agent: first('agent'), size: first('size'), main };
  return (OUTCOMES.find(([is]) => is(check)) as (typeof OUTCOMES)[number])[1](check);
}

const failed = (reason: ImageReason, args: Args): Outcome => ({ phase: 'failed', reason, args });

/** Whole GiB, where they are known. */
export const tooLarge = (size = `>${MOST_GI}`): Outcome => failed('TooLarge', { size, most: String(MOST_GI) });

/** Kubernetes' own words, if any. */
const interrupted = (detail: string | undefined): Outcome =>
  detail ? failed('Interrupted', { detail }) : failed('CheckLost', {});

/** Ended by the node or the cluster, and not for anything that the image did. */
const isDisrupted = (pod: Pod | undefined): boolean =>
  pod?.status?.conditions?.some(({ type, status }) => type === 'DisruptionTarget' && status === 'True') ?? false;

const finish = ({ status }: Job) =>
  status?.conditions?.find(({ type, status: is }) => (type === 'Failed' || type === 'Complete') && is === 'True');

const digestOf = (main: Status | undefined): string | undefined =>
  /@(sha256:[a-f0-9]{64})$/.exec(main?.imageID ?? '')?.[1];

/** The agent's words come out of a Pod of the tenant's. */
function needsIn(message = ''): ImageNeeds | undefined {
  try {
    return needs.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

/** The last parts of a chain of wrapped errors are those that say something. */
const brief = (message = ''): string => message.split(': ').slice(-2).join(': ').slice(0, 200);
