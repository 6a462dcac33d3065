// The whole gateway on an in-memory API server, in a process of its own that watches its loop. The first line on standard output has
// its address and tokens; then each line on standard input asks for the longest block since the one before.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { openLog } from '@gantry/kube/log.ts';
import { openDatabase } from '../../api/src/db/open.ts';
import { startMemoryGateway } from './memory-gateway.ts';

// A server's: PGlite would compute in this very thread.
const [url = '', ...flags] = process.argv.slice(2);
const gateway = await startMemoryGateway({ db: await openDatabase({ url }), log: openLog('error'), flags });

// CPU time of the loop's own thread between two of its turns: what other programs of the machine do is not in it.
let longestMs = 0;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let before = cpuMs();
const turn = () => {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
};
setInterval(turn, 1);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

createInterface({ input: process.stdin }).on('line', () => {
  turn();
  process.stdout.write(`${JSON.stringify({ cpuMs: longestMs, wallMs: delay.max / 1e6 })}\n`);
  delay.reset();
  before = cpuMs();
  longestMs = 0;
});
process.stdout.write(`${JSON.stringify({ url: gateway.url, tokens: gateway.tokens })}\n`);
