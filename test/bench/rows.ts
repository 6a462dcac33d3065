// The performance rows that need no twin yet, each as what to play and how to read it. Two rows that read the same scene
// play it once.
import { firstPod } from './first-pod.ts';
import { besidePeer, type Measure, ofRounds, single } from './measure.ts';
import { realStart } from './real-start.ts';
import type { Stage } from './stage.ts';
import { median, percentile } from './statistics.ts';
import { tenThousand } from './ten-thousand.ts';
import { thousandLives } from './thousand-lives.ts';

export type Row = (stage: Stage) => Promise<readonly Measure[]>;

const lives = once(thousandLives);
const many = once(tenThousand);

export const ROWS: Readonly<Record<string, Row>> = {
  A1: async (stage) => {
    const rounds = await lives(stage);
    const speed = rounds.map(({ instancesPerSecond }) => instancesPerSecond);
    const cpu = rounds.map(({ cpuMsToRunning }) => cpuMsToRunning);
    return [
      ofRounds({ row: 'A1', work: '1,000 instances, create → running', unit: 'instances/s' }, speed),
      ofRounds({ row: 'A1', work: 'CPU of the operator, create → running', unit: 'ms/instance' }, cpu),
    ];
  },
  A2: async (stage) => {
    const rounds = await lives(stage);
    const most = (figures: readonly number[]) => Math.max(...figures);
    return [
      single(
        { row: 'A2', work: 'API writes per life, besides those on children', unit: 'writes', target: { atMost: 8 } },
        most(rounds.map(({ ownWrites }) => ownWrites)),
      ),
      single(
        { row: 'A2', work: 'API writes per life that make and end children', unit: 'writes' },
        most(rounds.map(({ childWrites }) => childWrites)),
      ),
    ];
  },
  A3: async (stage) => [
    single(
      { row: 'A3', work: 'resync of 10,000 unchanged instances', unit: 'writes', target: { atMost: 0 } },
      (await many(stage)).resyncWrites,
    ),
  ],
  A4: async (stage) => [
    ofRounds(
      { row: 'A4', work: 'CPU of the operator for a whole life', unit: 'ms/instance' },
      (await lives(stage)).map(({ cpuMs }) => cpuMs),
    ),
    single(
      { row: 'A4', work: 'memory at 10,000 instances and 10,000 Pods', unit: 'MiB', target: { atMost: 350 } },
      (await many(stage)).residentMib,
    ),
  ],
  A5: async (stage) => {
    const { pacedMs, burstMs } = await firstPod(stage);
    const row = (work: string, atMost: number) => ({ row: 'A5', work, unit: 'ms', target: { atMost } });
    return [
      single(row('instance → its Pod at 20/s, p50', 15), percentile(pacedMs, 0.5)),
      single(row('instance → its Pod at 20/s, p99', 60), percentile(pacedMs, 0.99)),
      single(row('instance → its Pod, burst of 300, p90', 1100), percentile(burstMs, 0.9)),
    ];
  },
  A6: async (stage) => {
    const { restartMs, afterTermMs, afterKillMs } = await many(stage);
    const row = (work: string, atMost: number) => ({ row: 'A6', work, unit: 's', target: { atMost } });
    const seconds = (times: readonly number[]) => times.map((ms) => ms / 1000);
    return [
      ofRounds(row('restart with 30,000 objects → the Pod of a new instance', 3), seconds(restartMs)),
      ofRounds(row('SIGTERM → a standby makes the next Pod', 1), seconds(afterTermMs)),
      ofRounds(row('SIGKILL → a standby makes the next Pod', 8), seconds(afterKillMs)),
    ];
  },
  B1: async (stage) => {
    const pairs = await realStart(stage);
    const row = (work: string, atMost: number) => ({ row: 'B1', work, unit: 'ms', target: { atMost } });
    return [
      besidePeer(row('POST → running, beyond the same Pod alone, p50', 40), pairs, median),
      besidePeer(row('POST → running, beyond the same Pod alone, p99', 120), pairs, (added) => percentile(added, 0.99)),
    ];
  },
};

function once<T>(play: (stage: Stage) => Promise<T>): (stage: Stage) => Promise<T> {
  let played: Promise<T> | undefined;
  return (stage) => {
    played ??= play(stage);
    return played;
  };
}
