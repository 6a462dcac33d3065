// Accounts of what reads metrics: each may read what it measures, and nothing else. None is the platform's own: they stay when that is
// removed.
import { applyObject, mustCallApi } from '../api-call.ts';
import type { Layout } from '../layout.ts';

const NAMESPACE = 'kube-system';
const YEAR_SECONDS = 365 * 24 * 3600;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Makes the account where it is missing, and a token of it for a year. */
export async function readerToken(cluster: Layout, name: string, rules: readonly Rule[]): Promise<string> {
  const group = 'rbac.authorization.k8s.io';
  const rbac = `/apis/${group}/v1`;
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  const account = { name, namespace: NAMESPACE };
  await applyObject(cluster, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  await applyObject(cluster, `${rbac}/clusterroles`, {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  });
  await applyObject(cluster, `${rbac}/clusterrolebindings`, {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
  const { body } = await mustCallApi(cluster, {
    method: 'POST',
    path: `${accounts}/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: YEAR_SECONDS } },
  });
  return JSON.parse(body).status.token;
}
