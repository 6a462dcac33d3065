// The stage of the rows: a separate cluster with one real node, and an operator that nothing else uses.

import { type Layout, layout } from '../../hack/layout.ts';
import { operatorFlags } from '../../hack/platform.ts';
import { type MeasuredOperator, startMeasuredOperator } from '../scale/measured-operator.ts';
import { runCommand } from '../support/command.ts';
import { type Kubectl, kubectlWith } from '../support/kubectl.ts';
import { WITHOUT } from '../support/test-cluster.ts';

/** GANTRY_STAGE names another: two benches on one machine do not meet. */
const CLUSTER = { name: process.env.GANTRY_STAGE || 'bench', nodes: 1 } as const;

/** GANTRY_REHEARSAL=0.02 plays every row at a fiftieth of its size, to see that it can be played at all. */
const SHARE = Number(process.env.GANTRY_REHEARSAL || 1);
export const isRehearsal = SHARE !== 1;
/** How many of something a row works on. */
export const sized = (count: number): number => Math.max(1, Math.round(count * SHARE));

export interface Stage {
  /** The administrator's. */
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
  readonly place: Layout;
  /** One more operator of this cluster; the first one leads. Each ends with `close()`. */
  operator(...flags: string[]): Promise<MeasuredOperator>;
}

/** Only the bench measures here: a scrape of ten thousand Pods takes part of the machine. */
const WITHOUT_METRICS = ['--without=Prometheus', '--without=GPU exporter', '--without=node exporter'];

/** Runs `play` on a cluster that is there for it alone, and takes it away again unless GANTRY_KEEP is set. */
export async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  await cluster('up', '--nodes', `${CLUSTER.nodes}`, ...WITHOUT, ...WITHOUT_METRICS);
  try {
    const place = layout(CLUSTER.name, CLUSTER.nodes);
    const { kubeconfig } = place;
    const kubectl = kubectlWith(kubeconfig);
    // One look at the network when an organisation is made, none in the middle of a run.
    const flags = [...(await operatorFlags(place)), '--probe-every=24h'];
    return await play({
      kubeconfig,
      kubectl,
      place,
      operator: (...more) => startMeasuredOperator({ kubeconfig, kubectl }, ...flags, ...more),
    });
  } finally {
    if (!process.env.GANTRY_KEEP) await cluster('down');
  }
}

async function cluster(command: 'up' | 'down', ...more: string[]): Promise<void> {
  const args = ['hack/cluster.ts', command, '--name', CLUSTER.name, ...more];
  const { code } = await runCommand(process.execPath, args, { shown: true });
  if (code !== 0) throw new Error(`cluster ${command} failed`);
}
