// The operator as a process: configuration in, signals handled, exit codes out. 2: bad configuration; 1: lost the lead, or a
// start that cannot succeed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GROUPS_GROUP, LABEL, QUEUE_GROUP } from '@gantry/contract/names.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { endInOrder } from '@gantry/kube/end-in-order.ts';
import { openLog } from '@gantry/kube/log.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { type Config, helpText, readConfig } from './config.ts';
import { CLUSTER_PLANS, CONTROLLERS } from './controllers.ts';
import { detectKinds, GROUPS, QUEUE } from './detect-kinds.ts';
import { GantryOperator } from './gantry-operator.ts';
import { serveHealth } from './runtime/health.ts';
import { createMetrics } from './runtime/metrics.ts';
import { FIELD_MANAGER } from './runtime/status-patch.ts';

/** Wherever the operator is shipped to, the repository's folder goes with it. */
const CRDS = fileURLToPath(new URL('../../crds', import.meta.url));
/** The product's, that of the root package. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function loadKubeConfig(path: string): KubeConfig {
  const config = new KubeConfig();
  if (path) config.loadFromFile(path);
  else config.loadFromDefault();
  return config;
}

async function run(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  const ending = endInOrder(log);
  const metrics = createMetrics();
  const credentials = new Credentials(() => loadKubeConfig(config.kubeconfig), systemClock);
  const client = new KubeClient(credentials, {
    fieldManager: FIELD_MANAGER,
    labels: { [LABEL.region]: config.region },
    onRequest: ({ verb, kind, subresource, code }) => metrics.requests.inc({ verb, kind, subresource, code }),
  });
  // The library reads no other kubeconfig, and must not fail over one that we were told to ignore.
  if (config.kubeconfig) process.env.KUBECONFIG = config.kubeconfig;
  const has = (what: typeof QUEUE, wish: string) => wish === 'auto' && detectKinds(what, client, systemClock, log);
  const queue = (await has(QUEUE, config.queue)) || config.queue === 'kueue' ? 'kueue' : 'none';
  const groups = (await has(GROUPS, config.groups)) || config.groups === 'lws' ? 'lws' : 'none';
  const unserved = [...(queue === 'none' ? [QUEUE_GROUP] : []), ...(groups === 'none' ? [GROUPS_GROUP] : [])];
  const operator: GantryOperator = new GantryOperator({
    controllers: Object.values(CONTROLLERS),
    clusterPlans: CLUSTER_PLANS,
    settings: { ...config.settings, queue, groups },
    unserved,
    client,
    clock: systemClock,
    labels: { [LABEL.region]: config.region },
    log,
    metrics,
    workers: config.workers,
    resyncMs: config.resyncMs,
    ...(config.leaderElect && { lease: { namespace: config.leaseNamespace, name: config.leaseName, version } }),
    ...(config.installCrds && { crds: CRDS }),
    async initialised() {
      const { runtime } = operator;
      await serveHealth({
        host: config.healthHost,
        port: config.healthPort,
        registry: metrics.registry,
        missing: () => runtime.missing(),
        isStopping: () => ending.hasBegun,
      });
      ending.stopWith(() => operator.stop());
      process.on('SIGUSR2', () => runtime.resync());
      void runtime.lost.then(() => {
        log.fatal('another operator has taken the Lease');
        process.exit(1);
      });
    },
  });
  await operator.start();
}

try {
  const config = readConfig(process.argv.slice(2), process.env);
  if (config === 'help') process.stdout.write(helpText());
  else await run(config);
} catch (error) {
  process.stderr.write(`gantry-operator: ${(error as Error).message}\n`);
  process.exit(error instanceof BadConfig ? 2 : 1);
}
