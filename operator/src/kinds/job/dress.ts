// The program of a job's worker, as its Pod has it: the tenant's image and command, its variables, and its disks.
import type { Job } from '@gantry/contract/kinds/job.ts';
import { TRACKING_URI } from '@gantry/contract/kinds/job-tracking.ts';
import { DISK_SUFFIX } from '@gantry/contract/names.ts';
import { gangVariables, sharedMemory } from '../../running/desired.ts';
import type { Dress, Ran } from '../../running/ran.ts';
import { commandOf, portsOf, pullSecrets, roomOf, startedFrom, variablesOf } from '../../tenant-pods.ts';
import { trackerOf } from './tracker.ts';

/** By place: a disk's own name may be as long as a volume's already. */
const volumeAt = (index: number): string => `disk-${index}`;

export const dress: Ran['dress'] = (task, { seq }, { verified }, settings): Dress => {
  const owner = task as Job;
  const { spec } = owner;
  const { image, imagePullPolicy, isOurs } = startedFrom(spec.image, verified);
  const mounts = spec.mounts ?? [];
  const tracker = trackerOf(owner, seq, settings);
  return {
    ...pullSecrets(isOurs, verified),
    ...(tracker && { initContainers: [tracker] }),
    containers: [
      {
        name: 'main',
        image,
        imagePullPolicy,
        ...(spec.command && { command: commandOf(spec) }),
        // If it fails, the end of its log is in its status: the sentence about the failure quotes it.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        env: environmentOf(owner, seq, tracker !== undefined),
        resources: roomOf(spec),
        ports: portsOf(spec),
        volumeMounts: [
          { name: 'shm', mountPath: '/dev/shm' },
          ...mounts.map(({ mountPath, as }, index) => ({
            name: volumeAt(index),
            mountPath,
            ...(as === 'ReadOnly' && { readOnly: true }),
          })),
        ],
      },
    ],
    volumes: [
      sharedMemory(spec),
      ...mounts.map(({ from, as }, index) => ({
        name: volumeAt(index),
        persistentVolumeClaim: {
          claimName: `${from}${DISK_SUFFIX}`,
          ...(as === 'ReadOnly' && { readOnly: true }),
        },
      })),
    ],
  };
};

/** A value that the tenant sets wins. */
function environmentOf(owner: Job, seq: number, isTracked: boolean): object[] {
  const { env = [], secretEnv = [] } = owner.spec;
  const theirs = new Set([...env, ...secretEnv].map(({ name }) => name));
  const ours = {
    ...gangVariables(owner, seq),
    ...(isTracked && { MLFLOW_TRACKING_URI: { value: TRACKING_URI } }),
  };
  return [
    ...Object.entries(ours).flatMap(([name, from]) => (theirs.has(name) ? [] : [{ name, ...from }])),
    ...variablesOf({ env, secretEnv }),
  ];
}
