// Starts and failures by the hour: counted once whoever sees them, and again after a restart.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { runEvents } from '../../platform/db/schema/home.ts';
import type { KindChange } from '../../platform/kube/watch-cache.ts';
import { eventsOf, RunEvents } from './run-events.ts';

const HOUR_MS = 3_600_000;

test('a start is a run that began, and neither a change of its reason nor a crash counts twice', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour)).toISOString();
  const object = kindObject(gpuInstance, 'dev', {
    metadata: { uid: 'uid-1' },
    status: {
      history: [
        { phase: 'running', reason: 'DisksHaveRoom', since: at(9) },
        { phase: 'running', reason: 'Running', since: at(8) },
        { phase: 'failed', since: at(7) },
        { phase: 'running', since: at(6) },
        { phase: 'creating', since: 'nonsense' },
        null,
        { phase: 'running', since: at(1) },
      ],
    },
  });
  expect(eventsOf(object as never, Date.parse(at(2))).map(({ what, at: when }) => [what, when.toISOString()])).toEqual([
    ['start', at(8)],
    ['failure', at(7)],
    ['start', at(6)],
  ]);
});

forEachDatabase((database) => {
  let clock: SteppedClock;
  let objects: KubeObject[];
  let running: RunEvents[];
  const listeners = new Set<(change: KindChange) => void>();
  beforeEach(() => {
    clock = new SteppedClock();
    clock.set(Date.UTC(2026, 2, 15, 12, 30));
    objects = [];
    running = [];
    listeners.clear();
  });
  afterEach(() => Promise.all(running.map((one) => one.stop())));

  const open = () => {
    const events = new RunEvents({
      db: database(),
      clock,
      log: { warn: () => {} },
      cache: {
        list: () => objects as never,
        on(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    });
    running.push(events);
    events.start();
    return events;
  };
  const instance = (name: string, ...history: [phase: string, ago: number][]) =>
    kindObject(gpuInstance, name, {
      metadata: { uid: `uid-${name}` },
      status: { history: history.map(([phase, ago]) => ({ phase, since: new Date(clock.now() - ago).toISOString() })) },
    });
  const happens = (after: KubeObject, before?: KubeObject) => {
    for (const listener of listeners)
      listener({ kind: gpuInstance, name: after.metadata.name, after, ...(before && { before }) });
  };

  describe('hours', () => {
    test('hold what was seen, the running hour last; before anybody counted there is no number', async () => {
      const events = open();
      const before = instance('a', ['creating', 10]);
      happens(before);
      happens(instance('a', ['running', 5], ['creating', 10]), before);
      happens(instance('b', ['failed', 5], ['creating', 10]));
      await events.stop();
      const hours = await events.hours();
      expect(hours).toHaveLength(24);
      expect(hours.at(-1)).toMatchObject({ starts: 1, failures: 1 });
      expect(hours[0]).toMatchObject({ starts: null, failures: null });
    });

    test('count once what two gateways see, and lose nothing by a restart', async () => {
      const [one, other] = [open(), open()];
      happens(instance('a', ['running', 5]));
      await Promise.all([one.stop(), other.stop()]);
      // While nobody looked, this ran and failed.
      objects = [instance('c', ['failed', 2 * HOUR_MS], ['running', 3 * HOUR_MS])];
      const again = open();
      await again.stop();
      const hours = await again.hours();
      expect(hours.reduce((sum, { starts }) => sum + (starts ?? 0), 0)).toBe(2);
      expect(hours.reduce((sum, { failures }) => sum + (failures ?? 0), 0)).toBe(1);
      expect(hours.at(-2)).not.toMatchObject({ starts: null });
    });

    test('older than a day are deleted', async () => {
      const old = { uid: 'uid-old', at: new Date(clock.now() - 26 * HOUR_MS), what: 'start' as const };
      await database().sql.insert(runEvents).values(old);
      await open().stop();
      expect(await database().sql.select().from(runEvents)).toEqual([]);
    });
  });
});
