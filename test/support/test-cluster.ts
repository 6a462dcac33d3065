// The cluster that stories, scale and faults share: the one `make test` started, or, for a test run by hand, one brought
// up now and left for the next (`node hack/cluster.ts down --name test` removes it).
import { layout } from '../../hack/layout.ts';
import { runCommand } from './command.ts';
import { type Kubectl, kubectlWith } from './kubectl.ts';

export const TEST_CLUSTER = { name: 'test', nodes: 2 } as const;

export interface TestCluster {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
}

export async function testCluster(): Promise<TestCluster> {
  const given = process.env.GANTRY_TEST_KUBECONFIG;
  if (given) return { kubeconfig: given, kubectl: kubectlWith(given) };
  const { code, stderr } = await clusterCommand('up');
  if (code !== 0) throw new Error(`the test cluster did not start:\n${stderr}`);
  const { kubeconfig } = layout(TEST_CLUSTER.name, TEST_CLUSTER.nodes);
  return { kubeconfig, kubectl: kubectlWith(kubeconfig) };
}

/** Without operator and gateway: every test that needs one starts it the way it wants to look at it. */
export const WITHOUT = ['--without=operator', '--without=gateway', '--without=mail sink'];

export function clusterCommand(command: 'up' | 'down', options: { shown?: boolean; signal?: AbortSignal } = {}) {
  const { name, nodes } = TEST_CLUSTER;
  const made = command === 'up' ? [`--nodes=${nodes}`, ...WITHOUT] : [];
  return runCommand(process.execPath, ['hack/cluster.ts', command, `--name=${name}`, ...made], options);
}
