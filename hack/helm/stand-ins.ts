// Stand-ins of a bare machine for an installation's bucket, Prometheus and card provider, as the chart gets them: Secrets and values.
// Nothing of one that was not started for Pods.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { applyObject, mustCallApi } from '../api-call.ts';
import { paymentsDir, paymentsUrl } from '../gateway.ts';
import type { Layout } from '../layout.ts';
import { prometheusOfPods } from '../metrics/start-prometheus.ts';
import { bucketFolder, objectStoreKey, objectStoreOfPods } from '../object-store.ts';
import { keyFile, PUBLISHABLE_KEY, webhookSecretFile } from '../payments/double-keys.ts';

/** None has the platform's name: a removal of the chart leaves them to whoever made them. */
const SECRETS = { store: 'object-store', backup: 'backup-key', cards: 'card-double' } as const;
const BACKUPS = 'backups';
const secrets = `/api/v1/namespaces/${PLATFORM_NAMESPACE}/secrets`;

interface Values {
  readonly gateway: { readonly options?: Readonly<Record<string, string>>; readonly [value: string]: unknown };
  readonly [value: string]: unknown;
}

/** As README.md of the chart makes it. */
const makeNamespace = (cluster: Layout): Promise<void> =>
  applyObject(cluster, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: PLATFORM_NAMESPACE,
      labels: { 'pod-security.kubernetes.io/enforce': 'privileged', 'gantry.dev/managed': 'true' },
    },
  });

export function valuesOfStandIns(cluster: Layout): Values {
  const prometheus = prometheusOfPods(cluster);
  return {
    gateway: cards(cluster),
    ...(prometheus && { prometheus: { url: prometheus } }),
    ...buckets(cluster),
  };
}

/** The objects that those values name: the namespace, Secrets, a bucket. */
export async function makeStandIns(cluster: Layout): Promise<void> {
  await makeNamespace(cluster);
  if (objectStoreOfPods(cluster)) {
    await mkdir(bucketFolder(cluster, BACKUPS), { recursive: true, mode: 0o700 });
    await writeSecret(cluster, SECRETS.store, await objectStoreKey(cluster));
    await makeBackupKey(cluster);
  }
  if (hasCards(cluster)) {
    const files = { key: keyFile(paymentsDir(cluster)), 'webhook-secret': webhookSecretFile(paymentsDir(cluster)) };
    const contents = Object.entries(files).map(async ([name, file]) => [name, await readFile(file, 'utf8')] as const);
    await writeSecret(cluster, SECRETS.cards, Object.fromEntries(await Promise.all(contents)));
  }
}

function buckets(cluster: Layout): object {
  const endpoint = objectStoreOfPods(cluster);
  if (!endpoint) return {};
  const at = { endpoint, existingSecret: SECRETS.store };
  return {
    models: { s3: { ...at, bucket: 'models' } },
    backup: { s3: { ...at, bucket: BACKUPS }, existingSecret: SECRETS.backup },
  };
}

/** Once: with another key earlier backups would be lost. */
async function makeBackupKey(cluster: Layout): Promise<void> {
  const { status } = await mustCallApi(cluster, { path: `${secrets}/${SECRETS.backup}` }, [404]);
  if (status === 404) await writeSecret(cluster, SECRETS.backup, { key: randomBytes(32).toString('base64') });
}

/** The card double, as Pods and tests beside them reach it. */
export const paymentsOfPods = ({ bridge, ports }: Layout): string => `http://${bridge.ip}:${ports.payments}`;

const hasCards = (cluster: Layout): boolean => existsSync(keyFile(paymentsDir(cluster)));

function cards(cluster: Layout): Values['gateway'] {
  if (!hasCards(cluster)) return {};
  return {
    filesSecret: SECRETS.cards,
    options: {
      'stripe-url': paymentsOfPods(cluster),
      'stripe-js-url': `${paymentsUrl(cluster)}/v3/`,
      'stripe-key-file': '/etc/gantry/files/key',
      'stripe-webhook-secret-file': '/etc/gantry/files/webhook-secret',
      'stripe-publishable-key': PUBLISHABLE_KEY,
    },
  };
}

const writeSecret = (cluster: Layout, name: string, stringData: Readonly<Record<string, string>>): Promise<void> =>
  applyObject(cluster, secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: PLATFORM_NAMESPACE },
    stringData,
  });
