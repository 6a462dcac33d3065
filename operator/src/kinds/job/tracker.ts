// Beside the program of a job that logs by MLflow's calls: an agent that takes them (`job-tracking.ts` of the contract). It asks for
// nothing of its node, so that neither quota, queue nor bill counts it, and it has no say in how a worker ended.
import { TASK_ASK, TASK_PORT } from '@gantry/contract/kinds/data-task.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { TRACKER, TRACKING_GRACE_S } from '@gantry/contract/kinds/job-tracking.ts';
import { gangVariables } from '../../running/desired.ts';
import type { RunSettings, Trouble } from '../../running/ran.ts';
import { AGENT_USER, CLOSED } from '../../running/task-dress.ts';

const NOTHING = { cpu: '0', memory: '0', 'ephemeral-storage': '0' };
/** What the journal and eight bodies of calls take. */
const MOST = { cpu: '1', memory: '128Mi', 'ephemeral-storage': '16Mi' };

/** What the gateway has answered for this run. */
const answerFor = ({ status }: Pick<Job, 'status'>, seq: number | undefined) =>
  status?.tracking?.run === seq ? status?.tracking : undefined;

/** A run that is to be tracked waits for the door of its agent. */
export const trackingAwaited = (owner: Job): Trouble | undefined =>
  owner.spec.tracking && !answerFor(owner, owner.status?.run?.seq)
    ? { reason: 'TrackingNotReady', args: {} }
    : undefined;

/** As a container that starts before the program and ends after it; undefined where the run is not tracked. */
export function trackerOf(
  owner: Job,
  seq: number,
  { agentImage }: Pick<RunSettings, 'agentImage'>,
): object | undefined {
  const answer = answerFor(owner, seq);
  return (
    answer && {
      name: TRACKER,
      image: agentImage,
      imagePullPolicy: 'IfNotPresent',
      restartPolicy: 'Always',
      args: [
        'track',
        `--listen=:${TASK_PORT}`,
        `--ask=${TASK_ASK}`,
        `--door=${answer.door}`,
        '--rank=$(RANK)',
        `--grace=${TRACKING_GRACE_S}s`,
      ],
      env: [{ name: 'RANK', ...gangVariables(owner, seq).RANK }],
      ports: [{ name: 'tracking', containerPort: TASK_PORT }],
      resources: { requests: NOTHING, limits: MOST },
      securityContext: {
        ...CLOSED,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        runAsUser: AGENT_USER,
        runAsGroup: AGENT_USER,
      },
    }
  );
}
