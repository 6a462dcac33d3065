import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@gantry/kube/clock.ts';
import { POOL_RULES } from '@gantry/kube/placement.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openOtherClusters } from './open-other-clusters.ts';

let dir: string;
let ender: AbortController;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gantry-clusters-'));
  ender = new AbortController();
});
afterEach(() => {
  ender.abort();
  rmSync(dir, { recursive: true });
});

const put = (name: string, text: string) => {
  mkdirSync(join(dir, name, '..'), { recursive: true });
  writeFileSync(join(dir, name), text);
};
const open = (otherClustersDir = dir) => {
  const parts = { clock: systemClock, log: pino({ level: 'silent' }) };
  return openOtherClusters({ otherClustersDir, region: 'us-east', ...POOL_RULES }, parts, ender.signal);
};

test('without a folder there are none', () => {
  expect(open('')).toEqual([]);
});

test('each folder is a region; what it is called, and whether instances are placed there, stands beside its kubeconfig', () => {
  put('eu-west/kubeconfig', '');
  put('eu-west/label', 'EU West Paris\n');
  put('asia/kubeconfig', '');
  put('eu-west/places', 'instances\n');
  expect(open().map(({ region, isPlace }) => ({ ...region, isPlace }))).toEqual([
    { id: 'asia', label: 'asia', isPlace: false },
    { id: 'eu-west', label: 'EU West Paris', isPlace: true },
  ]);
});

test('a region that cannot be followed has no stock, and says so', () => {
  put('eu-west/kubeconfig', 'nothing that one could read');
  const [other] = open();
  expect(other?.cluster.cache.synced).toBe(false);
});

test.each([
  ['a folder that is not there', () => join(dir, 'gone'), /--other-clusters-dir: there is no folder ".*gone"/],
  ['a folder without a kubeconfig', () => put('eu-west/label', 'a'), /"[^"]*eu-west" has no kubeconfig/],
  ['a name that no label can have', () => put('eu west/kubeconfig', ''), /"eu west" is no region: 1 to 63 letters/],
  [
    'another word for what is placed there',
    () => {
      put('eu-west/kubeconfig', '');
      put('eu-west/places', 'everything\n');
    },
    /"[^"]*places" says "everything": only "instances" can be placed there/,
  ],
  ['our own region', () => put('us-east/kubeconfig', ''), /"us-east" is this gateway's own region/],
])('%s is refused', (_, given, sentence) => {
  expect(() => open(given() ?? dir)).toThrow(sentence);
});
