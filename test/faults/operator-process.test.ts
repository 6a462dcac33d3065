import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { type FakeApiServer, startFakeApiServer } from './fake-api-server.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type LaunchPlace, type OperatorProcess, startOperator } from './operator-process.ts';
import { waitUntil } from './wait-until.ts';

const SCRIPT = fileURLToPath(new URL('./fixtures/tiny-operator.ts', import.meta.url));
const LIMIT = { limitMs: 20_000 };

let api: FakeApiServer | undefined;
let proxy: FaultProxy | undefined;
let operator: OperatorProcess | undefined;

async function start(...flags: string[]): Promise<{ operator: OperatorProcess; proxy: FaultProxy }> {
  api = await startFakeApiServer();
  proxy = await startFaultProxy({ upstream: api });
  operator = await startOperator({
    kubeconfig: proxy.kubeconfig({ token: 't' }),
    launch: ({ kubeconfigPath, healthPort }: LaunchPlace) => ({
      file: process.execPath,
      args: [SCRIPT, `--health-port=${healthPort}`, ...flags],
      env: { KUBECONFIG: kubeconfigPath },
    }),
  });
  return { operator, proxy };
}

afterEach(async () => {
  await operator?.close();
  await proxy?.close();
  await api?.close();
  operator = undefined;
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('is ready when started, and leaves no process when closed', async () => {
  const { operator } = await start();
  const pid = operator.pid() ?? 0;
  expect(isAlive(pid)).toBe(true);
  expect(operator.logs()).toEqual(['ready']);
  await operator.close();
  expect([isAlive(pid), operator.pid()]).toEqual([false, undefined]);
});

test('killed, it is gone at once; restarted, it is another process with the same log', async () => {
  const { operator } = await start();
  const first = operator.pid();
  operator.kill();
  await operator.exited();
  expect(operator.pid()).toBeUndefined();
  await operator.restart();
  expect(operator.pid()).not.toBe(first);
  expect(operator.logs()).toEqual(['ready', 'ready']);
});

test('frozen, it asks for nothing; thawed, it goes on', async () => {
  const { operator, proxy } = await start();
  const lists = () => proxy.counts()['list widgets'] ?? 0;
  await proxy.waitFor(() => lists() > 0, LIMIT.limitMs);
  operator.freeze();
  // One request may have been under way when the signal came.
  await expect(
    proxy.waitFor(
      (
        (before) => () =>
          lists() > before + 1
      )(lists()),
      200,
    ),
  ).rejects.toThrow('not seen');
  operator.thaw();
  await proxy.waitFor(
    (
      (before) => () =>
        lists() > before
    )(lists()),
    LIMIT.limitMs,
  );
});

test('terminate says so when SIGTERM is ignored', async () => {
  const { operator } = await start('--deaf');
  await expect(operator.terminate(200)).rejects.toThrow('not within 200 ms: the operator ends after SIGTERM');
  await waitUntil('it said why', () => operator.logs().includes('not now'), LIMIT);
});

test('an operator that ends before it is ready is reported with its last words', async () => {
  await expect(start('--broken')).rejects.toThrow(/ended before it was ready.*no such setting/s);
});
