// Reading an organisation's data as the gateway does: with its ServiceAccount's rights, through the API server.
import { systemClock } from '@gantry/kube/clock.ts';
import { keyedBy } from '@gantry/kube/options.ts';
import { pino } from 'pino';
import { openDataServers } from '../../api/src/core/data-server/open.ts';
import { MemoryStore } from '../../api/src/core/data-server/testing/served-organization.ts';
import { openCluster } from '../../api/src/core/kinds/open-cluster.ts';
import { Closing } from '../../api/src/platform/closing.ts';
import type { Layout } from '../../hack/layout.ts';
import { platformKeyFile, writeAccountKubeconfig } from '../../hack/platform.ts';

const GATEWAY = 'gantry-gateway';
const REGION = { id: 'us-east', label: 'US East' };

export async function readingData(cluster: Layout, folder: string) {
  const kubeconfig = `${folder}/gateway/kubeconfig`;
  await writeAccountKubeconfig(cluster, GATEWAY, kubeconfig);
  const ender = new AbortController();
  const closing = new Closing();
  closing.add(() => ender.abort());
  const clock = systemClock;
  const seen = openCluster({ kubeconfig, region: REGION, clock, log: pino({ level: 'fatal' }) });
  await seen.start(ender.signal);
  const store = new MemoryStore();
  const config = { serviceNetwork: 'proxy' as const, keyed: keyedBy(await platformKeyFile(cluster)) };
  const servers = openDataServers({ config, clock, closing }, seen, store);
  return { servers, store, close: () => closing.close() };
}
