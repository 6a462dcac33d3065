// Which Pods of runs are followed.
import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.ts';
import { aside } from '../../platform/aside/aside.ts';
import { type RunningTask, type TaskKind, Tasks } from './tasks.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

test('each worker of a gang is followed, where the way to its Pod names no host', async () => {
  const asked = new Set<string>();
  const task = async (pod: string, isPeer: boolean): Promise<RunningTask> => {
    // Nobody answers: it is enough that somebody came.
    const server = createServer(({ url = '' }) => asked.add(`${pod} ${url.split('?')[0]}`)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = { taskUid: 'uid-1', run: 1, organizationId: 'acme', work: 'mdl-1' };
    const owner = { kind: 'task', id: 'uid-1' } as const;
    return {
      ...run,
      owner,
      pod,
      isPeer,
      isManager: false,
      way: { id: 'acme', port, agent: new Agent({ host: '127.0.0.1' }), token: 'a-token' },
    };
  };
  const running = [await task('first', false), await task('second', true)];
  const store = { open: async () => ({ taken: 0, boot: '' }), sweep: async () => {} };
  const tasks = new Tasks({
    ...{ aside, clock: systemClock, log: { info() {}, warn() {} } },
    ...({ store, points: {}, checkpoints: {}, scores: {} } as never as Pick<
      ConstructorParameters<typeof Tasks>[0],
      'store' | 'points' | 'checkpoints' | 'scores'
    >),
  });
  tasks.addKind({ running: () => running } as Partial<TaskKind> as TaskKind);
  const end = new AbortController();
  const working = tasks.work(end.signal);
  await eventually(
    'both are asked for their journals',
    async () => asked.has('first /journal') && asked.has('second /journal'),
  );
  end.abort();
  await working;
  expect(asked).toContain('second /journal');
});
