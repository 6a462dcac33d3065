// The clusters that stories, scale and faults play on: those that `make test` started, or, for a test run by hand, one brought
// up now and left for the next (`node hack/cluster.ts down --name test` removes it). Each of Jest's workers has one to itself:
// stories mostly wait, but what one asks of a cluster another would meet.
import { basename, dirname } from 'node:path';
import { type Layout, layout } from '../../hack/layout.ts';
import { type CommandOptions, runCommand } from './command.ts';
import { type Kubectl, kubectlWith } from './kubectl.ts';

const NODES = 2;
export const TEST_CLUSTERS: readonly string[] = ['test', 'test2'];

export interface Administrator {
  /** A path. */
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
}

export interface TestCluster extends Administrator {
  readonly layout: Layout;
}

/** This worker's. GANTRY_TEST_KUBECONFIG names others, as KUBECONFIG would: paths with a colon between, one for each worker. */
export async function testCluster(): Promise<TestCluster> {
  const worker = Number(process.env.JEST_WORKER_ID ?? 1);
  const prepared = process.env.GANTRY_TEST_KUBECONFIG?.split(':');
  const kubeconfig = prepared ? prepared[worker - 1] : await broughtUp(TEST_CLUSTERS[worker - 1]);
  if (!kubeconfig) throw new Error(`there is no test cluster for worker ${worker}: give Jest fewer, or --runInBand`);
  const cluster = layout(basename(dirname(kubeconfig)), NODES);
  return { kubeconfig, kubectl: kubectlWith(kubeconfig), layout: cluster };
}

async function broughtUp(name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { code, stderr } = await clusterCommand('up', name);
  if (code !== 0) throw new Error(`the test cluster "${name}" did not start:\n${stderr}`);
  return kubeconfigOfTest(name);
}

export const kubeconfigOfTest = (name: string): string => layout(name, NODES).kubeconfig;

/** Without operator and gateway: every test that needs one starts it the way it needs, with its own options. */
export const WITHOUT = [
  '--without=operator',
  '--without=gateway',
  '--without=object store',
  '--without=mail sink',
  '--without=console',
  '--without=admin',
  '--without=offered images',
  // It would take the machine's time from the tests.
  '--without=trainer image',
];

export function clusterCommand(
  command: 'up' | 'down',
  name: string,
  options: Pick<CommandOptions, 'heard' | 'signal'> = {},
) {
  const made = command === 'up' ? [`--nodes=${NODES}`, ...WITHOUT] : [];
  return runCommand(process.execPath, ['hack/cluster.ts', command, `--name=${name}`, ...made], options);
}
