// The kubeconfig of a cluster: the named file, or where kubectl would look; and the same without whom it is for.
import { KubeConfig } from '@kubernetes/client-node';

export function loadKubeConfig(path: string): KubeConfig {
  const config = new KubeConfig();
  if (path) config.loadFromFile(path);
  else config.loadFromDefault();
  return config;
}

export function withoutUser(config: KubeConfig): KubeConfig {
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error('the kubeconfig has no current cluster');
  const bare = new KubeConfig();
  bare.loadFromClusterAndUser(cluster, { name: 'nobody' });
  return bare;
}
