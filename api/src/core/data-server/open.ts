// Data servers, joined with the cluster: through the API server where its Pods have no route from here, as for other Pods of ours.
import { Agent } from 'node:http';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { DATA_SERVER, DATA_SERVER_PORT, organizationNamespace } from '@gantry/contract/names.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import { aside } from '../../platform/aside/aside.ts';
import type { Config } from '../../platform/config.ts';
import type { Platform } from '../../platform/open.ts';
import { Agents, isAgentBusy } from '../../platform/pods/agents.ts';
import { podAgent } from '../../platform/pods/pod-stream.ts';
import { isPodAddress } from '../../platform/relay/upstream.ts';
import type { StoredBlobs } from '../files/stored-blobs.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import { DataServers } from './data-servers.ts';

const RESOURCE = resourceOf(organization);
/** Agents to Pods that nobody asks any more go when there are more. */
const MOST_AGENTS = 256;

/** They end with the platform. Without a store nothing is there to be read. */
export function openDataServers(
  {
    config,
    clock,
    closing,
  }: Pick<Platform, 'clock' | 'closing'> & {
    config: Pick<Config, 'serviceNetwork' | 'keyed'>;
  },
  { client, cache }: Pick<Cluster, 'client' | 'cache'>,
  blobs: Pick<StoredBlobs, 'read'>,
): DataServers {
  const agents = new Agents(MOST_AGENTS, isAgentBusy);
  // Node's own would use the proxy for calls that leave the installation.
  const inside = new Agent({ keepAlive: true });
  const servers = new DataServers({
    ...{ blobs, aside, clock },
    cluster: {
      find: (id) => cache.get<Organization>(organization, undefined, id),
      async wish(owner, until) {
        const written = await client.mergePatch(RESOURCE, { ...targetOf(owner), body: { spec: { data: { until } } } });
        cache.observe(written);
        return written as Organization;
      },
      reach(id, address) {
        const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
        if (!isPodAddress(host)) return undefined;
        if (config.serviceNetwork !== 'proxy') return { host, port: DATA_SERVER_PORT, agent: inside };
        const at = { namespace: organizationNamespace(id), pod: DATA_SERVER };
        return {
          port: DATA_SERVER_PORT,
          agent: agents.of(`${id} ${address}`, () => podAgent(client, at, DATA_SERVER_PORT)),
        };
      },
      keyed: (text) => config.keyed(text),
    },
  });
  closing.add(() => {
    servers.stop();
    agents.stop();
    inside.destroy();
  });
  return servers;
}
