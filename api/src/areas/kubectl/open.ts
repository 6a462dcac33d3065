// Puts together kubectl's way to the API server: the gate, on its own listener.
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { KubeconfigGrant } from '../../core/identity/keys/kubeconfigs.ts';
import { LoginWatch } from '../../core/identity/sessions/login-watch.ts';
import type { Core } from '../../core/open.ts';
import { readText } from '../../platform/config.ts';
import { serveHttp, takeUpgrades } from '../../platform/http/serve-http.ts';
import type { Platform } from '../../platform/open.ts';
import { demandOpenFeature } from './closed-features.ts';
import { KubeGate } from './kube-gate.ts';

export interface OpenKubeGate {
  /** Accepts nothing new, and ends what would not end on its own. */
  endStreams(): void;
  /** Lets running requests finish. */
  stop(): Promise<void>;
}

/** Resolves once it listens. Throws BadConfig. */
export async function openKubeGate(
  { config, limits, addressOf, clock, log }: Platform,
  { cluster, operation, organizations: { kubeconfigs } }: Pick<Core, 'cluster' | 'operation' | 'organizations'>,
  onFault: (error: unknown) => void,
): Promise<OpenKubeGate> {
  const grants = new LoginWatch<KubeconfigGrant>({
    clock,
    readAccess: async (all) => new Map([...(await kubeconfigs.stillGood(all))].map((id) => [id, { mayUse: true }])),
  });
  const gate = new KubeGate({
    grantOf: (token) => kubeconfigs.grantOf(token),
    grants,
    demandOpen: demandOpenFeature(
      operation.state,
      ({ namespace, name }) => cluster.cache.get(gpuInstance, namespace, name) !== undefined,
    ),
    issue: (wanted) => cluster.memberTokens.issue(wanted),
    upstream: () => cluster.anonymous(),
    limits,
    addressOf,
    clock,
    log,
  });
  const { server, url, stop } = await serveHttp((req, res) => gate.answer(req, res), {
    host: config.kubernetesHost,
    port: config.kubernetesPort,
    tls: config.kubernetesTlsCertFile
      ? { cert: readText(config.kubernetesTlsCertFile), key: readText(config.kubernetesTlsKeyFile) }
      : undefined,
  });
  takeUpgrades(server, (req, socket, head) => gate.upgrade(req, socket, head), onFault);
  log.info({ url }, 'kubectl is served');
  return {
    endStreams: () => gate.endStreams(),
    async stop() {
      gate.endStreams();
      await stop();
      grants.stop();
    },
  };
}
