// An instance's spec and status, as the CRD has them.
import * as z from 'zod';
import { cel, commonStatus, type ObjectOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { diskMounts } from '../fields/disk-mounts.ts';
import { idlePolicy } from '../fields/idle.ts';
import { imageSource } from '../fields/image-source.ts';
import { credit, intervals } from '../fields/metering.ts';
import { displayName, objectName } from '../fields/name.ts';
import { plainTextRule } from '../fields/plain-text.ts';
import { MOST_LAST_LINES, runRecords } from '../fields/runs.ts';
import { sizeGi } from '../fields/size.ts';
import { specDateTime } from '../fields/spec-date-time.ts';
import { changing, command, env, expandCommand, host, ports, resources } from '../fields/workload.ts';
import { RESTS, type RestingPower } from './gpu-instance-powers.ts';
import { gpuInstanceWords as words } from './gpu-instance-words.ts';

/** Fields that a running container cannot take over: editing one of them starts another container. */
const run = changing('A change restarts an instance that runs.', {
  image: imageSource,
  command: command('Program and arguments. Without it the instance idles, ready for logins.'),
  expandCommand,
  ...resources('instance'),
  host,
  env,
  notebookPort: z
    .int()
    .min(1)
    .max(65535)
    .optional()
    .meta({ description: 'The port on which the image serves its notebook. The instance is ready once it answers.' }),
  notebookTokenCount: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: 'Raise it by one for another notebook token.',
      ...cel(['self >= oldSelf', words.rules.notebookTokenCountGrows]),
    }),
});
export const RUN_FIELDS = Object.keys(run) as (keyof typeof run)[];

export const spec = z
  .object({
    displayName: displayName.optional(),
    creator,
    startedBy: z.string().max(63).optional().meta({
      description:
        'The account that began the last run or had it use more; its spend cap counts what the run uses. Absent: its creator.',
    }),
    power: z
      .enum(['Running', ...(Object.keys(RESTS) as RestingPower[])])
      .default('Running')
      .meta({
        description:
          'Whether the instance is to run. Stopped, ShutDown and Hibernated each end the container, free its GPUs and keep all files.',
      }),
    rebootCount: z
      .int()
      .min(0)
      .default(0)
      .meta({
        description: 'Raise it by one for a hard reboot.',
        ...cel(['self >= oldSelf', words.rules.rebootCountGrows]),
      }),
    ...run,
    idle: idlePolicy('it hibernates.'),
    homeDisk: z
      .object({
        sizeGi: sizeGi.default(20).describe('The size in GiB. It can only grow.'),
        storageClassName: objectName
          .optional()
          .describe("The storage class of the home disk. Absent: the cluster's default. It cannot be changed."),
      })
      .default({ sizeGi: 20 })
      .meta({
        description: 'The disk that is mounted at /root and kept over all runs.',
        ...cel(
          ['self.sizeGi >= oldSelf.sizeGi', words.rules.homeGrows],
          [
            'has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)',
            words.rules.homeClassFixed,
          ],
        ),
      }),
    disks: diskMounts('Data disks that the instance mounts. A change takes effect at the next start.'),
    ports: ports('instance'),
    sshKeys: z
      .array(
        z.object({
          remark: z.string().min(1).max(63).describe('A name for the key; each is used once.').meta(plainTextRule),
          publicKey: z
            .string()
            .max(8192)
            .describe('The public key, as one line of OpenSSH.')
            .meta(
              cel([
                "self.matches('^(ssh-(rsa|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/=]+( .*)?$')",
                words.rules.publicKey,
              ]),
            ),
          expiresAt: specDateTime
            .optional()
            .describe('From when on the key no longer logs in, such as 2027-01-31T12:00:00Z. Absent: never.'),
        }),
      )
      .max(10)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['remark'] })
      .describe('The keys that log in as root. They can be changed while the instance runs.'),
  })
  .describe('What is wanted of the instance.');

/** A change to one of these starts a run or raises its usage. The person who makes it pays from then on (`startedBy`). */
export const START_FIELDS = [
  'power',
  'rebootCount',
  'homeDisk',
  ...RUN_FIELDS,
] as const satisfies readonly (keyof z.output<typeof spec>)[];

export const status = z
  .object({
    ...commonStatus,
    node: z.string().max(253).optional().describe('The node that the instance runs on, or ran on last.'),
    address: z.string().max(253).optional().meta({
      description:
        'The DNS name of the instance inside the cluster. It never changes, and answers while the instance runs.',
    }),
    podIP: z
      .string()
      .max(45)
      .optional()
      .meta({ description: 'Where the SSH door finds it while its container runs; another one with each run.' }),
    health: z
      .enum(['normal', 'abnormal', 'notReady'])
      .optional()
      .describe(
        'normal: it runs. abnormal: it runs, and in the last ten minutes it crashed, a disk was full or its node reported a fatal GPU error. notReady: it does not run.',
      ),
    usage: z
      .object({
        home: z
          .object({
            totalBytes: z.int().min(0).describe('The size of its file system in bytes.'),
            usedBytes: z.int().min(0).describe('How many bytes files take.'),
            availableBytes: z.int().min(0).describe('How many bytes can still be written.'),
            ownBytes: z
              .int()
              .min(0)
              .optional()
              .describe(
                'How many bytes the file system keeps for itself. Absent: not known; they are counted as used then.',
              ),
          })
          .optional()
          .describe('The home disk.'),
        rootBytes: z.int().min(0).optional().describe('How many bytes the container has written outside its disks.'),
        podUID: z.string().max(63).describe('The UID of the Pod in which it was measured.'),
        at: dateTime.describe('When it was measured.'),
        node: z.string().max(253).describe('The node whose agent measured it.'),
      })
      .optional()
      .describe('How full the disks are, as the node agent last measured it.'),
    settledPower: z
      .string()
      .max(16)
      .optional()
      .meta({ description: 'The last resting state that was reached. Empty once a run is ready.' }),
    rebootCount: z.int().optional().describe('The spec.rebootCount that was carried out.'),
    notebookRun: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The run that began with the present notebook token. Absent: there is no token.' }),
    everReady: z.boolean().optional().describe('Whether any run was ever ready.'),
    run: z
      .object({
        seq: z.int().min(1).describe('The number of the run.'),
        cause: z
          .enum(['first', 'start', 'resume', 'restore', 'update', 'hardReboot', 'crash'])
          .describe('Why the run was begun.'),
        notBefore: dateTime
          .optional()
          .meta({ description: 'The Pod of this run is not created earlier: back-off after an exit.' }),
        of: z
          .string()
          .max(32)
          .optional()
          .describe('Tells the spec that the run before could not start with: another one is tried at once.'),
        stuckSince: dateTime.optional().describe('Since when its container cannot be started.'),
        freedAt: dateTime
          .optional()
          .meta({ description: 'When its GPUs were given back, because its container had not started.' }),
        readyAt: dateTime.optional().describe('When the run was first ready.'),
        answeredAt: dateTime.optional().meta({
          description:
            'When one could first log in while the notebook did not answer yet. If it does not answer within a minute, billing starts here.',
        }),
        givenUpAt: dateTime.optional().meta({
          description:
            'When the Pod was seen to have failed although its node had not reported how the container ended.',
        }),
        endedAt: dateTime.optional().meta({ description: 'When the run ended, if no other follows by itself.' }),
        exits: z.int().min(0).optional().meta({ description: 'How many exits in a row preceded this run.' }),
        lastExit: z
          .string()
          .max(64)
          .optional()
          .meta({ description: 'Why the run before this one ended, such as OOMKilled.' }),
        lastLines: z
          .string()
          .max(MOST_LAST_LINES)
          .optional()
          .meta({ description: 'The last lines that the run before this one wrote, if it failed.' }),
      })
      .optional()
      .describe('The present run, or the last one.'),
    runs: runRecords.optional(),
    intervals: intervals.optional(),
    credit: credit.optional(),
    root: z
      .object({
        image: z.string().max(768).describe('The saved image, by its digest.'),
        of: z.string().max(512).meta({ description: 'The spec.image that the save grew from.' }),
        seq: z.int().min(1).describe('The number of the run that was saved.'),
        savedAt: dateTime.describe('When it was saved.'),
        sizeBytes: z.int().min(0).optional().describe('The compressed size in bytes of what this save added.'),
        totalBytes: z
          .int()
          .min(0)
          .optional()
          .describe('The compressed size in bytes of all that is saved above the first image.'),
        layers: z.int().min(0).optional().describe('How many layers are saved above the first image.'),
      })
      .optional()
      .meta({ description: 'The last good save of the root file system. The next run starts from it.' }),
    home: z
      .object({
        image: z.string().max(768).describe('The saved image, by its digest.'),
        seq: z.int().min(1).describe('The number of the run that was saved.'),
        savedAt: dateTime.describe('When it was saved.'),
        sizeBytes: z.int().min(0).optional().describe('Its compressed size in bytes.'),
      })
      .optional()
      .meta({ description: 'The save of the home while it is kept in the registry.' }),
    snapshot: z
      .object({
        name: z.string().max(253).describe('The name of the Snapshot.'),
        phase: z.string().max(64).describe("The Snapshot's phase."),
        message: z.string().max(4096).optional().describe("The Snapshot's message."),
        reason: z.string().max(128).optional().describe("The Snapshot's reason, where there is a message."),
        args: z
          .record(z.string(), z.string())
          .optional()
          .describe("The values that the sentence of the Snapshot's reason is filled in with."),
      })
      .optional()
      .meta({ description: 'The save in progress, or the last one.' }),
    ssh: z.string().max(512).optional().meta({ description: 'The command that logs in.' }),
  })
  .describe('What is known of the instance. The platform writes it.');

export type GpuInstance = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type GpuInstanceSpec = GpuInstance['spec'];
export type GpuInstanceStatus = NonNullable<GpuInstance['status']>;
