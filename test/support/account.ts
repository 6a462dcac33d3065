// The rights of a ServiceAccount, and nothing else: a token by TokenRequest, in a kubeconfig without anybody's certificate
// (the API server would believe the certificate first).
import { readFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { Kubectl } from './kubectl.ts';

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Text of a kubeconfig for an account of the cluster that the administrator's kubeconfig leads to. */
export async function kubeconfigOf(account: Account, admin: { kubeconfig: string; kubectl: Kubectl }): Promise<string> {
  const { namespace, name } = account;
  const token = await admin.kubectl.must(['create', 'token', name, '--namespace', namespace, '--duration', '12h']);
  const config = parse(await readFile(admin.kubeconfig, 'utf8'));
  return stringify({
    ...config,
    contexts: config.contexts.map((context: { name: string; context: object }) => ({
      ...context,
      context: { ...context.context, user: name, namespace },
    })),
    users: [{ name, user: { token: token.trim() } }],
  });
}
