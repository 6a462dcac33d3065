// Files of tests that take turns, so that a run ends in its time however many there are. What every tenant lives on is in every run:
// these are others, of those that take longest, and three seeds in a row play each of them. The long run plays all.
import { globSync } from 'node:fs';

const MINUTE = 60_000;

/** So many seeds in a row play every file. What takes turns within a file changes after as many: `isTurn`. */
export const SEEDS = 3;

type Files = readonly string[];

/** Folder → its files that take turns, of each seed of three. */
export const TURNS: Readonly<Record<string, readonly [first: Files, second: Files, third: Files]>> = {
  'api/src': [
    [
      ...['areas/backups/backup', 'areas/admin/admin-operation-routes', 'areas/admin/admin-people-routes'],
      ...['areas/datasets/dataset-sources', 'cursor-lists', 'core/billing/month-of-a-tenant'],
    ],
    [
      ...['core/tables/tables', 'areas/datasets/version-tables', 'areas/admin/admin-billing-routes'],
      ...['core/files/sources/s3-source', 'core/billing/document-routes', 'core/billing/payments/any-order'],
    ],
    [
      ...['areas/alerts/evaluator', 'areas/alerts/alert-routes', 'areas/admin/admin-computing-routes'],
      ...['areas/admin/admin-key-lists', 'areas/admin/admin-home-routes', 'core/lineage/lineage', 'smuggling'],
    ],
  ],
  'test/stories': [
    ['backup', 'doctor', 'door', 'install', 'uninstall'],
    ['data-disk', 'disks', 'gpu-host', 'image', 'network-policy', 'never-lose-work', 'node-lost', 'stops'],
    [
      ...['delete-organization', 'drift', 'fine-tuning', 'intervals', 'node-agent', 'over-http', 'paused'],
      ...['registry', 'simulated-pods', 'terminal'],
    ],
  ],
  'test/integration': [
    ['alert-metrics', 'alerts-without-prometheus', 'bundle', 'card-channel', 'dataset-faults', 'fit', 'gpu-parts'],
    [
      'applied-both-ways',
      'data-worker',
      'install-crds',
      'knowledge-vectors',
      'monitoring',
      'schema-values',
      'throw-away-kind',
      'trainer',
    ],
    ['kube-state-metrics', 'other-clusters', 'promql-corpus', 'same-tokens', 'status-writes', 'tables', 'two-gateways'],
  ],
  'test/web': [['admin'], ['pages', 'monitor'], ['domestic', 'people']],
  'test/faults/scenarios': [
    ['answers', 'by-hand', 'hosts', 'leaders'],
    ['api-server', 'limits', 'specs'],
    ['namespaces', 'nodes', 'watches'],
  ],
};

const pathOf = (folder: string, name: string): string => `${folder}/${name}.test.ts`;

/** The files of a folder that a run with this seed plays: paths from the repository's root, sorted. */
export function filesInTurn(folder: string, seed: number): readonly string[] {
  const others = new Set(
    TURNS[folder]?.flatMap((names, turn) => (turn === seed % SEEDS ? [] : names.map((name) => pathOf(folder, name)))),
  );
  return globSync(`${folder}/**/*.test.ts`)
    .sort()
    .filter((path) => !others.has(path));
}

const IN_TURN = new Set(
  Object.entries(TURNS).flatMap(([folder, turns]) =>
    turns.flatMap((names) => names.map((name) => pathOf(folder, name))),
  ),
);

/** When files that take turns begin no more, in milliseconds: a slow machine leaves some out, and the run still ends in its time. */
export const turnsEnd = (startedMs: number): number => startedMs + 44 * MINUTE;
/** The same for a part that plays alone, at the end. */
export const lastTurnEnd = (startedMs: number): number => startedMs + 60 * MINUTE;

/** `end` as one of these is handed to a part: milliseconds; absent in the long run, whose time is never over. */
export const isOver = (end: string | undefined, nowMs: number): boolean => end !== undefined && nowMs > Number(end);

/** Whether a file begins too late to be played. `path` is from the repository's root. */
export const isTooLate = (path: string, end: string | undefined, nowMs: number): boolean =>
  isOver(end, nowMs) && IN_TURN.has(path);
