// The operator as production runs it: a separate process, with its ServiceAccount's rights.
import { launchOperator, type OperatorProcess, startOperator as startProcess } from '../faults/operator-process.ts';
import { kubeconfigOf } from './account.ts';
import type { Kubectl } from './kubectl.ts';

const OPERATOR = { namespace: 'gantry-system', name: 'gantry-operator' };

/** Ready when it resolves. Stop it with `close()`; `terminate()`, `kill()` and `restart()` are there for tests of just that. */
export async function startOperator(
  admin: { kubeconfig: string; kubectl: Kubectl },
  ...flags: string[]
): Promise<OperatorProcess> {
  return startProcess({ kubeconfig: await kubeconfigOf(OPERATOR, admin), launch: launchOperator(...flags) });
}
