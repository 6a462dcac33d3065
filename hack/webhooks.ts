// Controllers of others that run here as processes of the host: their kinds, from their own modules, and their webhooks, by address.
import { mkdir, readFile } from 'node:fs/promises';
import { applyObject } from './api-call.ts';
import { binary } from './binaries.ts';
import { certificateFile, keyFile } from './certificates.ts';
import type { Layout } from './layout.ts';
import { succeeds } from './run.ts';
import { applyFiles } from './slow-server.ts';
import { waitFor } from './wait-for.ts';
import { writeChanged } from './write-changed.ts';

/** One of a controller's webhooks, as its own manifests have it. */
export interface Webhook {
  readonly does: 'mutate' | 'validate';
  readonly group: string;
  readonly version: string;
  /** As its path has it, in small letters. */
  readonly kind: string;
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** Only objects that have this label. */
  readonly label?: string;
}

/** Before the controller starts: it ends at once if they are not served. `folder` has their manifests. */
export async function applyKinds(cluster: Layout, owner: string, folder: string): Promise<void> {
  const kubectl = await binary('kubectl');
  const env = { KUBECONFIG: cluster.kubeconfig };
  await applyFiles(cluster, folder);
  // kubectl fails at once while one has no conditions yet.
  const wait = ['wait', '--for=condition=Established', '--timeout=60s', '-f', folder];
  await waitFor(
    `the kinds of ${owner} to be served`,
    async () => (await succeeds(kubectl, wait, { env })) || undefined,
  );
}

/** The certificate of that name as tls.crt and tls.key, in the folder. */
export async function layOutCertificate(cluster: Layout, name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [from, to] of [
    [certificateFile(cluster, name), 'tls.crt'],
    [keyFile(cluster, name), 'tls.key'],
  ] as const)
    await writeChanged(`${folder}/${to}`, await readFile(from, 'utf8'), 0o600);
}

/** The controller answers them at this port of the bridge's address. */
export async function applyWebhooks(
  cluster: Layout,
  name: string,
  port: number,
  webhooks: readonly Webhook[],
): Promise<void> {
  const caBundle = (await readFile(certificateFile(cluster, 'ca'))).toString('base64');
  const base = `https://${cluster.bridge.ip}:${port}`;
  for (const [does, configurations, kind] of [
    ['mutate', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
    ['validate', 'validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
  ] as const)
    await applyObject(cluster, `/apis/admissionregistration.k8s.io/v1/${configurations}`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name },
      webhooks: webhooks
        .filter((webhook) => webhook.does === does)
        .map(({ group, version, kind: of, resources, operations, label }) => ({
          name: `${does[0]}${of}.kb.io`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
          clientConfig: { caBundle, url: `${base}/${does}-${group.replaceAll('.', '-')}-${version}-${of}` },
          rules: [{ apiGroups: [group], apiVersions: [version], operations, resources }],
          ...(label !== undefined && { objectSelector: { matchExpressions: [{ key: label, operator: 'Exists' }] } }),
        })),
    });
}
