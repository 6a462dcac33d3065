// The Pod of a data task's worker: its input arrives first, then the agent runs the program, which reaches nothing but that agent.
// `data-task.ts` of the contract says how the gateway meets it.
import { MI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import {
  TASK_AGENT_GRACE_S,
  TASK_ASK,
  TASK_GRACE_S,
  TASK_PORT,
  TASK_RECEIVER,
  TASK_REHEARSAL,
  TASK_ROOT,
} from '@gantry/contract/kinds/data-task.ts';
import { INSTALLER, RECEIVER_PORT } from '@gantry/contract/models/engines.ts';
import { roomOf } from '../tenant-pods.ts';
import { sharedMemory } from './desired.ts';
import type { Dress, RunSettings } from './ran.ts';

/** What the kind's own program is, and what it needs. */
export interface TaskProgram {
  image: string;
  /** Program and arguments. */
  command: readonly string[];
  env?: readonly object[];
  /** What it writes, beside what arrives. */
  workBytes: number;
  /** Program and arguments of its first steps on trial, before it is billed: with the same image, room and files. */
  rehearsal?: readonly string[];
  /** Whether its processes share memory. */
  sharesMemory?: boolean;
}

/** What arrives, as the gateway has listed it. */
interface Inputs {
  digest: string;
  bytes: number;
}

const AGENT_VOLUME = '/gantry/agent';
/** A folder of its own: the volume's belongs to root, and the user below sets its mode. */
const AGENT_DIR = `${AGENT_VOLUME}/bin`;
/** As the programs' images have it. All containers are this user: it owns what arrives. */
export const AGENT_USER = 65_532;
/** No container of ours can be more than it is. */
export const CLOSED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
/** Names, and what the file system itself takes. */
const BESIDES_BYTES = 64 * MI;

const mib = (bytes: number): number => Math.ceil(bytes / MI);

/** Resources of one of our own containers, with at most this much memory. */
const small = (memory: string) => ({
  requests: { cpu: '10m', memory: '16Mi' },
  limits: { cpu: '1', memory },
});

export function taskDress(
  { spec }: Pick<Task, 'spec'>,
  { digest = '', bytes = 0 }: Partial<Inputs>,
  program: TaskProgram,
  { agentImage }: RunSettings,
): Dress {
  const inMi = mib(bytes + BESIDES_BYTES);
  const agent = { name: 'agent', mountPath: AGENT_VOLUME };
  const input = { name: 'in', mountPath: `${TASK_ROOT}/in` };
  const ours = { image: agentImage, imagePullPolicy: 'IfNotPresent', securityContext: CLOSED };
  const theirs = {
    image: program.image,
    imagePullPolicy: 'IfNotPresent',
    // If it fails, the end of its log is in its status: the sentence about the failure quotes it.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { ...CLOSED, readOnlyRootFilesystem: true },
    resources: withDisk(roomOf(spec), inMi + mib(program.workBytes)),
  };
  const work = [
    { name: 'task', mountPath: TASK_ROOT },
    { ...input, readOnly: true },
    { name: 'tmp', mountPath: '/tmp' },
    ...(program.sharesMemory ? [{ name: 'shm', mountPath: '/dev/shm' }] : []),
  ];
  return {
    terminationGracePeriodSeconds: TASK_GRACE_S,
    securityContext: {
      seccompProfile: { type: 'RuntimeDefault' },
      runAsNonRoot: true,
      runAsUser: AGENT_USER,
      runAsGroup: AGENT_USER,
      fsGroup: AGENT_USER,
    },
    initContainers: [
      {
        ...ours,
        name: INSTALLER,
        args: ['install', AGENT_DIR],
        resources: small('64Mi'),
        volumeMounts: [agent],
      },
      {
        ...ours,
        name: TASK_RECEIVER,
        args: ['receive', `--manifest=${digest}`, `--listen=:${RECEIVER_PORT}`, `--bytes=${bytes}`, input.mountPath],
        terminationMessagePolicy: 'FallbackToLogsOnError',
        resources: small('256Mi'),
        volumeMounts: [input],
      },
      ...(program.rehearsal
        ? [{ ...theirs, name: TASK_REHEARSAL, command: program.rehearsal, volumeMounts: work }]
        : []),
    ],
    containers: [
      {
        ...theirs,
        name: 'main',
        command: [
          `${AGENT_DIR}/agent`,
          'task',
          `--root=${TASK_ROOT}`,
          `--listen=:${TASK_PORT}`,
          `--ask=${TASK_ASK}`,
          `--grace=${TASK_AGENT_GRACE_S}s`,
          '--',
          ...program.command,
        ],
        ...(program.env && { env: program.env }),
        ports: [{ name: 'task', containerPort: TASK_PORT }],
        volumeMounts: [{ ...agent, readOnly: true }, ...work],
      },
    ],
    volumes: [
      { name: 'agent', emptyDir: { sizeLimit: '64Mi' } },
      // The Pod's limit is theirs: a Pod that is ended for one volume's would be taken for its node's fault.
      ...['in', 'task', 'tmp'].map((name) => ({ name, emptyDir: {} })),
      ...(program.sharesMemory ? [sharedMemory(spec)] : []),
    ],
  };
}

type Room = ReturnType<typeof roomOf>;
const DISK = 'ephemeral-storage';

/** Its volumes lie on the node's disk, and count as the Pod's. */
function withDisk({ requests, limits }: Room, diskMi: number): Room {
  const more = (text: string) => `${mib(quantity(text)) + diskMi}Mi`;
  return {
    requests: { ...requests, [DISK]: more(requests[DISK]) },
    limits: { ...limits, [DISK]: more(limits[DISK]) },
  };
}
