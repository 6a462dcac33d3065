// The performance rows that need no twin yet, each as what to play and how to read it. Two rows that read the same scene
// play it once.

import { activator } from './activator.ts';
import { adminRoute } from './admin-route.ts';
import { askedQueries } from './asked-queries.ts';
import { billedJobs } from './billed-jobs.ts';
import { billedLives } from './billed-lives.ts';
import { countedTokens } from './counted-tokens.ts';
import { datasetUploads, smallFiles } from './dataset-uploads.ts';
import { editedDecisions } from './edited-decisions.ts';
import { fanOut } from './fan-out.ts';
import { firstPod } from './first-pod.ts';
import { firstRoute, portalRoutes } from './first-route.ts';
import { forcedDrops } from './forced-drops.ts';
import { closeScene } from './gateway-scene.ts';
import { intervalsIn } from './intervals-in.ts';
import { lastPages } from './last-pages.ts';
import { adminLighthouseRuns, lighthouseRuns, portalLighthouseRuns, type Report } from './lighthouse-runs.ts';
import { liveTable } from './live-table.ts';
import {
  againstPeer,
  besidePeer,
  type Measure,
  ofRounds,
  type Pair,
  single,
  type Target,
  unlessBusy,
} from './measure.ts';
import { modelGateways } from './model-gateways.ts';
import { creating, creatingDisks, freshness, hotGet, listing, pastExpress } from './over-http.ts';
import { portalPages } from './portal-pages.ts';
import { besideCopy, besideInserts, hotAccounts, type Speeds } from './postings.ts';
import { queuedJobs } from './queued-jobs.ts';
import { realStart } from './real-start.ts';
import type { Stage } from './stage.ts';
import { median, percentile } from './statistics.ts';
import { tenThousand } from './ten-thousand.ts';
import { thousandLives } from './thousand-lives.ts';
import { watchedPolicies } from './watched-policies.ts';
import { webTerminals } from './web-terminals.ts';

/** `taken` is the share of the machine that others took before. */
export type Row = (stage: Stage, taken: number) => Promise<readonly Measure[]>;

const lives = once(thousandLives);
const many = once(tenThousand);
const watched = once(watchedPolicies);

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
    const { pacedMs, bareMs, burstMs } = await firstPod(stage);
    const row = (work: string, atMost: number) => ({ row: 'A5', work, unit: 'ms', target: { atMost } });
    const alone = (at: string) => ({
      row: 'A5',
      work: `the API server alone, the same claim and Pod, ${at}`,
      unit: 'ms',
    });
    return [
      single(row('instance → its Pod at 20/s, p50', 15), percentile(pacedMs, 0.5)),
      single(row('instance → its Pod at 20/s, p99', 60), percentile(pacedMs, 0.99)),
      single(alone('p50'), percentile(bareMs, 0.5)),
      single(alone('p99'), percentile(bareMs, 0.99)),
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
  A7: async (stage, taken) => {
    const { speed, cpuMs, peakMib, databaseCpuMs, stopMs } = await billedLives(stage);
    const row = (work: string, unit: string, target: Target) => ({ row: 'A7', work, unit, target });
    return [
      unlessBusy(
        againstPeer(row('create → running with billing, beside without', 'instances/s', { atLeast: 0.9 }), speed),
        taken,
      ),
      ofRounds(row('CPU of the gateway', 'ms/instance', { atMost: 25 }), cpuMs),
      ofRounds({ row: 'A7', work: 'CPU of its PostgreSQL', unit: 'ms/instance' }, databaseCpuMs),
      single(row('memory of the gateway, the most', 'MiB', { atMost: 400 }), Math.max(...peakMib)),
      unlessBusy(againstPeer(row('another tenant’s stop, beside a quiet one', 'ms', { atMost: 2 }), stopMs), taken),
    ];
  },
  A8: async (stage, taken) => {
    const { decisionMs, runningMs, stopMs, editsPerSecond } = await editedDecisions(stage);
    const row = (work: string, atMost: number) => ({ row: 'A8', work, unit: 'ms', target: { atMost } });
    return [
      unlessBusy(againstPeer(row('create → billing decides, edited all the while', 2), decisionMs), taken),
      unlessBusy(againstPeer(row('create → running, edited all the while', 2), runningMs), taken),
      unlessBusy(againstPeer(row('stop, edited all the while', 3), stopMs), taken),
      single({ row: 'A8', work: 'edits, the median', unit: '/s' }, median(editsPerSecond)),
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
  B2: async (stage) => {
    const { rate, lostBytes, echoMs, cpuMsPerMb } = await webTerminals(stage);
    return [
      againstPeer(
        {
          row: 'B2',
          work: 'rate of 200 terminals beside the API server’s exec',
          unit: 'bytes/s',
          target: { atLeast: 0.98 },
        },
        rate,
      ),
      single({ row: 'B2', work: 'bytes that did not come', unit: 'bytes', target: { atMost: 0 } }, lostBytes),
      besidePeer(
        { row: 'B2', work: 'a key’s way there and back, beyond the peer’s, p99', unit: 'ms', target: { atMost: 5 } },
        echoMs,
        median,
      ),
      ofRounds({ row: 'B2', work: 'CPU of the gateway', unit: 'ms/MB' }, cpuMsPerMb),
    ];
  },
  // Before C1 and C2, which fill the cluster with instances: a gateway that bills would decide on each of them.
  C3: async (stage) => {
    const row = (work: string) => ({ row: 'C3', work, unit: 'ms', target: { atMost: 8 } });
    const disks = await creatingDisks(stage);
    return [
      besidePeer(row('create, beyond the API server’s own, p99'), await creating(stage), median),
      besidePeer(row('create of a data disk with billing, beyond the same, p99'), disks, median),
    ];
  },
  C1: async (stage) => [
    againstPeer(
      { row: 'C1', work: 'list 500 of 20,000 instances, p99, beside LIST', unit: 'ms', target: { atMost: 0.1 } },
      await listing(stage),
    ),
  ],
  C2: async (stage) => {
    const { perSecond, cpuMs } = await hotGet(stage);
    return [
      againstPeer(
        { row: 'C2', work: 'hot GET beside Express alone', unit: 'requests/s', target: { atLeast: 1 } },
        perSecond,
      ),
      againstPeer({ row: 'C2', work: 'its CPU beside Express alone', unit: 'ms/request' }, cpuMs),
      // If it saves less, api/src/platform/http/hot-reads.ts is not worth its lines.
      againstPeer(
        {
          row: 'C2',
          work: 'its CPU beside the same read through Express',
          unit: 'ms/request',
          target: { atMost: 0.85 },
        },
        await pastExpress(stage),
      ),
    ];
  },
  C4: async (stage) => {
    const { missed, lagMs } = await freshness(stage);
    const row = (work: string, unit: string, atMost: number) => ({ row: 'C4', work, unit, target: { atMost } });
    return [
      single(row('reads that lack what the same person wrote', 'reads', 0), missed),
      single(row('somebody else’s write → read, p99', 'ms', 50), percentile(lagMs, 0.99)),
    ];
  },
  D1: async () => {
    const { singly, inBursts, perSecond } = await fanOut();
    const row = (work: string, target?: Target) => ({ row: 'D1', work, unit: 'per s', ...(target && { target }) });
    return [
      againstPeer(row('deliveries per CPU-second, one change at a time', { atLeast: 1.5 }), singly),
      againstPeer(row('deliveries per CPU-second, in bursts'), inBursts),
      ofRounds(
        row('deliveries per second, in bursts', { atLeast: 60_000 }),
        perSecond.map(({ ours }) => ours),
      ),
    ];
  },
  D2: async () => {
    const { drops, deliveries, lost, twice, outOfOrder } = await forcedDrops();
    const row = (work: string, target?: Target) => ({ row: 'D2', work, unit: 'events', ...(target && { target }) });
    return [
      single(row(`told over ${drops} forced drops`), deliveries),
      single(row('lost', { atMost: 0 }), lost),
      single(row('told twice', { atMost: 0 }), twice),
      single(row('out of order', { atMost: 0 }), outOfOrder),
    ];
  },
  E1: async (stage) => {
    const { differing, episodes } = await watched(stage);
    return [
      single(
        { row: 'E1', work: 'episodes that differ from native rules', unit: 'episodes', target: { atMost: 0 } },
        differing,
      ),
      single({ row: 'E1', work: '10,000 policies, an hour: episodes', unit: 'episodes' }, episodes),
    ];
  },
  E2: async (stage) => [
    againstPeer(
      {
        row: 'E2',
        work: 'CPU of evaluator, SQL and Prometheus beside native rules',
        unit: 'ms',
        target: { atMost: 0.25 },
      },
      [(await watched(stage)).cpuMs],
    ),
  ],
  E3: async (stage) => [
    single(
      { row: 'E3', work: 'condition true in Prometheus → notice, p99', unit: 'ms', target: { atMost: 15_500 } },
      percentile((await watched(stage)).lateMs, 0.99),
    ),
  ],
  E4: async () => {
    const { cold, againMs } = await askedQueries();
    return [
      againstPeer(
        { row: 'E4', work: 'a tenant’s query, beside Prometheus alone, p50', unit: 'ms', target: { atMost: 1.15 } },
        cold,
      ),
      single({ row: 'E4', work: 'the same once more, p50', unit: 'ms', target: { atMost: 5 } }, median(againMs)),
    ];
  },
  F1: async () => {
    const half: Target = { atLeast: 0.5 };
    return [
      ...speeds('F1', 'postings beside COPY', await besideCopy('postings'), half),
      ...speeds('F1', 'charges (keys, wallets, bills) beside COPY', await besideCopy('charges'), half),
      ...speeds('F1', 'PGlite: postings beside INSERTs', await besideInserts('postings')),
      ...speeds('F1', 'PGlite: charges beside INSERTs', await besideInserts('charges')),
    ];
  },
  F2: async () => {
    const { tenant, platform } = await hotAccounts();
    const most: Target = { atLeast: 0.8 };
    return [
      ...speeds('F2', 'one tenant beside 200', tenant, most),
      ...speeds('F2', 'the platform’s in one currency beside 25', platform, most),
    ];
  },
  F3: async () => {
    const pairs = await intervalsIn();
    const own = pairs.perSecond.map(({ ours }) => ours);
    return [
      ...speeds('F3', 'intervals told twice, beside INSERT … ON CONFLICT', pairs, { atLeast: 0.5 }),
      ofRounds({ row: 'F3', work: 'intervals taken in', unit: '/s', target: { atLeast: 20_000 } }, own),
    ];
  },
  G1: async () => [
    single(
      { row: 'G1', work: 'scripts of /login, as brotli sends them', unit: 'bytes', target: { atMost: 200_000 } },
      await firstRoute(),
    ),
    againstPeer(
      {
        row: 'G1',
        work: 'operators’ console: scripts of /login beside react-admin’s simple app',
        unit: 'bytes',
        target: { atMost: 0.8 },
      },
      [await adminRoute()],
    ),
    ...(await portalRoutes('/en/home', '/en/computingCenter')).map((bytes, at) =>
      single(
        {
          row: 'G1',
          work: `portal: scripts of ${at === 0 ? 'the home page' : 'the market'}, as brotli sends them`,
          unit: 'bytes',
          target: { atMost: 90_000 },
        },
        bytes,
      ),
    ),
  ],
  G2: async (_stage, taken) => [
    ...(await lighthouseOf('/login', false, taken)),
    ...(await lighthouseOf('/develop/instance', true, taken)),
    ...lighthouseRows('/manage/user/users, 100,000 accounts', await adminLighthouseRuns('/manage/user/users'), taken),
    ...lighthouseRows('portal /en/home', await portalLighthouseRuns('/en/home'), taken),
    ...lighthouseRows('portal /en/computingCenter', await portalLighthouseRuns('/en/computingCenter'), taken),
  ],
  G3: async (_stage, taken) => {
    const { inpMs, interactions, changesPerSecond, rowsInPage } = await liveTable();
    const row = (work: string, unit: string, target?: Target) => ({ row: 'G3', work, unit, ...(target && { target }) });
    return [
      unlessBusy(single(row(`INP p98 of ${interactions}, 10,000 rows`, 'ms', { atMost: 80 }), inpMs), taken),
      single(row('changes told', '/s'), changesPerSecond),
      single(row('most rows in the page', 'rows', { atMost: 80 }), rowsInPage),
    ];
  },
  P1: async () => {
    const { perCpuSecond, listMs, crawled } = await portalPages();
    const of = (work: string, unit: string) => ({ row: 'P1', work, unit });
    return [
      againstPeer(
        { ...of('pages of the portal beside nginx’s files, CPU', '/CPU-s'), target: { atLeast: 0.8 } },
        perCpuSecond,
      ),
      againstPeer({ ...of('a tenant’s list beside a crawler at 200/s, p99', 'ms'), target: { atMost: 1.5 } }, listMs),
      single(of(`pages that the crawler was answered, of ${crawled.asked}`, 'pages'), crawled.answered),
    ];
  },
  Q1: async (stage) => {
    const { speed, used, cpuMs } = await queuedJobs(stage);
    return [
      againstPeer(
        {
          row: 'Q1',
          work: 'jobs beside the same batch Jobs in Kueue alone',
          unit: 'workloads/s',
          target: { atLeast: 0.9 },
        },
        speed,
      ),
      againstPeer({ row: 'Q1', work: 'cards in use while there is work', unit: 'of 1' }, used),
      ofRounds({ row: 'Q1', work: 'CPU of the operator', unit: 'ms/workload' }, cpuMs),
    ];
  },
  Q3: async (stage, taken) => {
    const { speed, cpuMs } = await billedJobs(stage);
    const work = 'jobs submitted → done with billing, beside without';
    return [
      unlessBusy(againstPeer({ row: 'Q3', work, unit: 'jobs/s', target: { atLeast: 0.9 } }, speed), taken),
      ofRounds({ row: 'Q3', work: 'CPU of the gateway', unit: 'ms/job' }, cpuMs),
    ];
  },
  H1: async () => {
    const { firstMs, firstMsOfPeers, perCpuSecond } = await modelGateways();
    const peers = Object.entries(perCpuSecond).map(([name, pairs]) => {
      const atLeast = OF_PEERS[name];
      const target = atLeast === undefined ? {} : { target: { atLeast } };
      return againstPeer({ row: 'H1', work: `streams beside ${name}, CPU`, unit: '/CPU-s', ...target }, pairs);
    });
    const first = (over: string, pairs: readonly Pair[], target?: Target) => {
      const work = `the first piece over ${over}, beyond one of the engine, 50 at once, p50`;
      return besidePeer({ row: 'H1', work, unit: 'ms', ...(target && { target }) }, pairs, median);
    };
    return [
      first('/v1', firstMs, { atMost: 0.4 }),
      ...Object.entries(firstMsOfPeers).map(([name, pairs]) => first(name, pairs)),
      ...peers,
    ];
  },
  H2: async () => {
    const { requests, tokens, left, broken, lost, lostTokens, ...wrong } = await countedTokens();
    const exact = { unit: 'requests', target: { atMost: 0 } } as const;
    const work = `${requests} requests, ${left} of them left and ${broken} broken by dead engines`;
    return [
      single({ row: 'H2', work: `tokens sent: ${work}`, unit: 'tokens' }, tokens),
      single({ row: 'H2', work: 'posted with other tokens than its engine has sent', ...exact }, wrong.different),
      single({ row: 'H2', work: 'posted twice, or for nobody', ...exact }, wrong.surplus),
      single({ row: 'H2', work: 'not posted, by a gateway that was not killed', ...exact }, wrong.missing),
      single({ row: 'H2', work: 'faults of the books', unit: 'faults', target: { atMost: 0 } }, wrong.faults),
      single({ row: 'H2', work: 'under way in a killed gateway, and paid by nobody', unit: 'requests' }, lost),
      single({ row: 'H2', work: 'their tokens', unit: 'tokens' }, lostTokens),
    ];
  },
  Q2: async () => {
    const { aloneMs, perCpuSecond } = await activator();
    return [
      besidePeer(
        {
          row: 'Q2',
          work: 'a request over the gateway, beyond one to the replica, p50',
          unit: 'ms',
          target: { atMost: 1 },
        },
        aloneMs,
        median,
      ),
      againstPeer(
        { row: 'Q2', work: 'requests beside nginx, CPU', unit: '/CPU-s', target: { atLeast: 0.5 } },
        perCpuSecond,
      ),
    ];
  },
  S1: async () => {
    const { upload, taken, relayed, cpuMsPerMb } = await datasetUploads();
    const of = (work: string) => ({ row: 'S1', work, unit: 'bytes/s' });
    return [
      againstPeer(
        { ...of('upload of four files at once, until their version is ready'), target: { atLeast: 0.8 } },
        upload,
      ),
      againstPeer(of('the same, until the last byte has been taken'), taken),
      againstPeer(of('the peer through a relay that only passes on'), relayed),
      ofRounds({ row: 'S1', work: 'CPU of the gateway', unit: 'ms/MB' }, cpuMsPerMb),
    ];
  },
  S2: async (_, taken) => {
    const { gigabytes, newMs, againMs, anyMs } = await lastPages();
    const of = (work: string, times: readonly number[], target?: Target) =>
      unlessBusy(single({ row: 'S2', work, unit: 'ms', ...(target && { target }) }, percentile(times, 0.95)), taken);
    return [
      of(`the last page of a table of ${gigabytes.toFixed(1)} GB, p95`, newMs, { atMost: 300 }),
      of('the same, once its footer is known, p95', againMs),
      of('any page of it, p95', anyMs),
    ];
  },
  S3: async (_, taken) => {
    const { unchangedSeconds, sentShare } = await smallFiles();
    const unchanged = { row: 'S3', work: '20,000 files, unchanged', unit: 's', target: { atMost: 5 } };
    const changed = {
      row: 'S3',
      work: 'sent after 1 % of them changed',
      unit: 'of all bytes',
      target: { atMost: 0.05 },
    };
    return [unlessBusy(ofRounds(unchanged, unchangedSeconds), taken), single(changed, sentShare)];
  },
};

/** How much our work for each second of CPU is at least to be, as a multiple of theirs. */
const OF_PEERS: Readonly<Record<string, number>> = { 'sglang-router': 0.5, LiteLLM: 6 };

const lighthouseOf = async (path: string, isSignedIn: boolean, taken: number): Promise<Measure[]> =>
  lighthouseRows(path, await lighthouseRuns(path, isSignedIn), taken);

function lighthouseRows(path: string, reports: readonly Report[], taken: number): Measure[] {
  const timed = (what: string, unit: string, figures: readonly number[], target?: Target) =>
    unlessBusy(ofRounds({ row: 'G2', work: `${path}: ${what}`, unit, ...(target && { target }) }, figures), taken);
  const worst = (what: string, unit: string, figure: number, target: Target) =>
    single({ row: 'G2', work: `${path}: ${what}`, unit, target }, figure);
  return [
    timed(
      'performance',
      'of 100',
      reports.map(({ performance }) => performance),
      { atLeast: 95 },
    ),
    worst('accessibility', 'of 100', Math.min(...reports.map(({ accessibility }) => accessibility)), { atLeast: 100 }),
    timed(
      'LCP',
      'ms',
      reports.map(({ largestPaintMs }) => largestPaintMs),
      { atMost: 1200 },
    ),
    worst('CLS, the worst', '', Math.max(...reports.map(({ shift }) => shift)), { atMost: 0.02 }),
    timed(
      'TBT',
      'ms',
      reports.map(({ blockedMs }) => blockedMs),
    ),
  ];
}

const speeds = (row: string, work: string, { perCpuSecond, perSecond }: Speeds, target?: Target): Measure[] => [
  againstPeer({ row, work: `${work}, CPU`, unit: '/CPU-s', ...(target && { target }) }, perCpuSecond),
  againstPeer({ row, work, unit: '/s', ...(target && { target }) }, perSecond),
];

/** Rows whose processes are their own. */
export const WITHOUT_CLUSTER: readonly string[] = [
  'D1',
  'D2',
  'E1',
  'E2',
  'E3',
  'E4',
  'F1',
  'F2',
  'F3',
  'G1',
  'G2',
  'G3',
  'H1',
  'H2',
  'P1',
  'Q2',
  'S1',
  'S2',
  'S3',
];

/** Shared by the gateway's rows. */
export const closeScenes = closeScene;

function once<T>(play: (stage: Stage) => Promise<T>): (stage: Stage) => Promise<T> {
  let played: Promise<T> | undefined;
  return (stage) => {
    played ??= play(stage);
    return played;
  };
}
