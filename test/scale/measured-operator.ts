// The operator as production runs it, and a look at its own figures at any moment.

import { Metrics } from '../bench/operator-metrics.ts';
import { launchOperator, type OperatorProcess, startOperator } from '../faults/operator-process.ts';
import { kubeconfigOf } from '../support/account.ts';
import type { Kubectl } from '../support/kubectl.ts';

const ACCOUNT = { namespace: 'gantry-system', name: 'gantry-operator' };

export interface MeasuredOperator extends OperatorProcess {
  metrics(): Promise<Metrics>;
  /** Has it plan every object again. */
  resync(): void;
}

export async function startMeasuredOperator(
  admin: { readonly kubeconfig: string; readonly kubectl: Kubectl },
  ...flags: string[]
): Promise<MeasuredOperator> {
  let url = '';
  const operator = await startOperator({
    kubeconfig: await kubeconfigOf(ACCOUNT, admin),
    launch: (place) => {
      url = `http://127.0.0.1:${place.healthPort}/metrics`;
      return launchOperator(...flags)(place);
    },
    // Tens of thousands of objects are listed first.
    readyLimitMs: 120_000,
  });
  return {
    ...operator,
    metrics: () => Metrics.read(url),
    resync: () => {
      const pid = operator.pid();
      if (pid !== undefined) process.kill(pid, 'SIGUSR2');
    },
  };
}
