// The whole gateway on an in-memory API server, in a process of its own that watches its loop: with the largest objects of each kind,
// two models whose engine is at ENGINE, and an API server that
// streams at a URL. The first line on standard output has its address and tokens; then each line on standard
// input asks for the longest block since the one before, and for how slow the processor is just now.
import { createInterface } from 'node:readline';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { openLog } from '@gantry/kube/log.ts';
import { kindObject } from '../../api/src/core/kinds/testing/memory-kinds.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { largestObjects } from './largest-objects.ts';
import { startMemoryGateway } from './memory-gateway.ts';
import { sound } from './sound/model-deployment.ts';

// A server's: PGlite would compute in this very thread.
const [url = '', engine = '', apiServer = '', ...flags] = process.argv.slice(2);
const NAMESPACE = 'org-acmeorgs';
const OF_EACH_KIND = 20;
/** What is there for an evaluation alone would be removed: there is none. */
const { servedFor: _, ...spec } = sound.spec;
const model = (name: string, task: string) =>
  kindObject(modelDeployment, name, {
    namespace: NAMESPACE,
    spec: { ...spec, task },
    status: { ...sound.status, pods: [{ name: `${name}-1`, uid: name, podIP: engine, phase: 'ready' }] },
    metadata: { uid: `uid-${name}` },
  });
const gateway = await startMemoryGateway({
  ...{ db: await openDatabase({ url }), log: openLog('fatal'), flags },
  objects: [
    kindObject(organization, 'acmeorgs', { spec: { quota: { modelsGi: 1 } }, metadata: { namespace: undefined } }),
    ...[model('chat', 'Generate'), model('embed', 'Embed')],
    ...largestObjects(NAMESPACE, OF_EACH_KIND),
  ],
  isEngineAddress: (ip) => ip === engine,
  apiServer,
});

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

const DOCUMENT = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, text: `${at}` })));
/** CPU time of work that is always the same. Others on the same core, and a slower processor, make it longer. */
function referenceMs(): number {
  const tries = [0, 1, 2].map(() => {
    const began = cpuMs();
    JSON.parse(DOCUMENT);
    return cpuMs() - began;
  });
  return Math.min(...tries);
}

createInterface({ input: process.stdin }).on('line', () => {
  turn();
  process.stdout.write(`${JSON.stringify({ cpuMs: longestMs, referenceMs: referenceMs() })}\n`);
  before = cpuMs();
  longestMs = 0;
});
process.stdout.write(`${JSON.stringify({ url: gateway.url, tokens: gateway.tokens })}\n`);
