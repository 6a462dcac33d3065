// The operator as a process: configuration in, signals handled, exit codes out. 2: bad configuration; 1: lost the lead, or a
// start that can not succeed.
import { setTimeout } from 'node:timers/promises';
import { checkCluster, isUnreachable } from '@gantry/kube/check-cluster.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { endInOrder } from '@gantry/kube/end-in-order.ts';
import { openLog } from '@gantry/kube/log.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { type Config, helpText, readConfig } from './config.ts';
import { CONTROLLERS } from './controllers.ts';
import type { AnyController } from './define-controller.ts';
import { serveHealth } from './runtime/health.ts';
import { createMetrics } from './runtime/metrics.ts';
import { Operator } from './runtime/operator.ts';
import { FIELD_MANAGER } from './runtime/status-patch.ts';

/** Between two looks for an API server that is not there yet. */
const RETRY_MS = 500;

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
    onRequest: ({ verb, kind, subresource, code }) => metrics.requests.inc({ verb, kind, subresource, code }),
  });
  const controllers: readonly AnyController[] = Object.values(CONTROLLERS);
  const kinds = controllers.map(({ facts }) => facts);
  const checked = () =>
    checkCluster(client, kinds).then(
      () => true,
      (error: unknown) => {
        if (!isUnreachable(error)) throw error;
        log.warn({ why: (error as Error).message }, 'waiting for the API server');
        return false;
      },
    );
  while (!(await checked())) await setTimeout(RETRY_MS);
  const operator = new Operator({
    controllers,
    settings: config.settings,
    client,
    clock: systemClock,
    log,
    metrics,
    workers: config.workers,
    resyncMs: config.resyncMs,
    ...(config.leaderElect && { lease: { namespace: config.leaseNamespace, name: config.leaseName } }),
  });
  await serveHealth({
    host: config.healthHost,
    port: config.healthPort,
    registry: metrics.registry,
    missing: () => operator.missing(),
    isStopping: () => ending.hasBegun,
  });
  ending.stopWith(() => operator.stop());
  process.on('SIGUSR2', () => operator.resync());
  void operator.lost.then(() => {
    log.fatal('another operator has taken the Lease');
    process.exit(1);
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
