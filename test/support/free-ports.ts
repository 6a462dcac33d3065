// Loopback ports that nobody listens on. They are below the kernel's ephemeral ports: a server takes time to start, and meanwhile
// neither a connection nor another server with a random port gets one of them.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above the clusters' (`hack/layout.ts`), below those of NodePorts. */
const FIRST = 23_000;
const EACH = 1_000;
const WORKERS = 6;

/** Beyond the workers of the part that `make test` plays beside this one. */
const BESIDE = Number(process.env.GANTRY_FIRST_WORKER ?? 0);

/** Each of Jest's workers has its own, and two runs side by side hardly meet. */
const first = FIRST + EACH * ((BESIDE + Number(process.env.JEST_WORKER_ID ?? 1) - 1) % WORKERS);
let count = Math.floor(Math.random() * EACH);

/** No two the same, also of calls at the same time. */
export async function freePorts(wanted: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tried = 0; ports.length < wanted; tried++) {
    if (tried === EACH) throw new Error(`of the ports ${first} to ${first + EACH - 1} there are not ${wanted} free`);
    const port = first + (count++ % EACH);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = once(server.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  );
  if (!(await isListening)) return false;
  await once(server.close(), 'close');
  return true;
}
