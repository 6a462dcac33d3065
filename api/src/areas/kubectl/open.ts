// Puts together kubectl's way to the API server: the gate, on its own listener.
import { posix } from 'node:path';
import { GROUP } from '@gantry/contract/define-kind.ts';
import { FEATURES } from '@gantry/contract/features.ts';
import { problemSentence } from '@gantry/contract/http/problem.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { KubeconfigGrant } from '../../core/identity/keys/kubeconfigs.ts';
import { LoginWatch } from '../../core/identity/sessions/login-watch.ts';
import type { Core } from '../../core/open.ts';
import { readText } from '../../platform/config.ts';
import { serveHttp, takeUpgrades } from '../../platform/http/serve-http.ts';
import type { Platform } from '../../platform/open.ts';
import { KubeGate } from './kube-gate.ts';
import { Refusal } from './refusal.ts';

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
  const standing = new LoginWatch<KubeconfigGrant>({
    clock,
    async readStanding(grants) {
      const good = await kubeconfigs.stillGood(grants);
      return new Map([...good].map((id) => [id, { mayUse: true }]));
    },
  });
  const gate = new KubeGate({
    grantOf: (token) => kubeconfigs.grantOf(token),
    standing,
    demandOpen(method, path) {
      const asked = decodedPath(path);
      if (asked === undefined) throw new Refusal(400, 'the path cannot be decoded');
      const feature = featureOf(
        method,
        asked,
        (at) => cluster.cache.get(gpuInstance, at.namespace, at.name) !== undefined,
      );
      const closed = feature && operation.state.closed(feature);
      if (!closed) return;
      const note = closed.note?.en.trim() ?? '';
      throw new Refusal(403, problemSentence(FEATURES[feature], 'en', { note: note === '' ? '' : ` ${note}` }));
    },
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
      standing.stop();
    },
  };
}

const INSTANCES = new RegExp(`^/apis/${GROUP}/[^/]+/namespaces/([^/]+)/${gpuInstance.plural}(?:/([^/]+))?$`);

/** Ways into a Pod's processes and ports. */
const INTO_PODS = /^\/api\/[^/]+\/namespaces\/[^/]+\/pods\/[^/]+\/(?:exec|attach|portforward)(?:\/|$)/;

/**
 * Without its query, as the API server reads it: decoded once, with empty and dot segments removed. Undefined for a path that cannot
 * be decoded.
 */
export function decodedPath(path: string): string | undefined {
  try {
    return posix.normalize(decodeURIComponent(path.replace(/[?#].*$/s, ''))).replace(/(?<=.)\/$/, '');
  } catch {
    return undefined;
  }
}

/** The feature that a request needs open; `path` is decoded. */
export function featureOf(
  method: string,
  path: string,
  exists: Parameters<typeof isCreation>[2],
): 'newInstances' | 'terminal' | undefined {
  if (isCreation(method, path, exists)) return 'newInstances';
  return INTO_PODS.test(path) ? 'terminal' : undefined;
}

/** Whether a request makes an instance: a POST, or a patch of one that is not there, as a server-side apply sends it. */
export function isCreation(
  method: string,
  path: string,
  exists: (at: { namespace: string; name: string }) => boolean,
): boolean {
  const [isOfInstances, namespace = '', name = ''] = INSTANCES.exec(path) ?? [];
  if (isOfInstances === undefined) return false;
  return method === 'POST' || (method === 'PATCH' && !exists({ namespace, name }));
}
