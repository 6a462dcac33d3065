// Does the network enforce policies? A policy does nothing where nobody enforces it, so it is tried: one throw-away Pod listens on two
// ports, another dials both every second, and policies come in between.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Found } from '@gantry/contract/doctor.ts';
import { DOCTOR_ROLE_LABEL } from '@gantry/contract/names.ts';
import { pause } from '@gantry/kube/clock.ts';
import { type Around, CannotTell, type Check, found } from '../check.ts';
import { isRunning, NETWORK_POLICY, POD, throwAwayPod, whyNot } from '../throw-aways.ts';

/** One stays open when a policy closes the other. */
const CLOSED_PORT = 8080;
const OPEN_PORT = 8081;
const LIMIT_MS = 150_000;
/** Rules may reach a node moments after the policy. */
const PATIENCE_MS = 25_000;
const LOOK_MS = 1_000;

const listen = (port: number) => `(while true; do nc -l -p ${port} -e echo open; done) &`;
const LISTEN = `${listen(CLOSED_PORT)} ${listen(OPEN_PORT)} wait`;

const dial = (
  host: string,
) => `try() { [ "$(nc -w 2 ${host} "$1" </dev/null 2>/dev/null)" = open ] && echo open || echo closed; }
while true; do echo "$(try ${CLOSED_PORT}) $(try ${OPEN_PORT})"; sleep 1; done`;

const policy = (name: string, spec: object): KubeObject =>
  ({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name }, spec }) as KubeObject;
const selected = (role: string) => ({ podSelector: { matchLabels: { [DOCTOR_ROLE_LABEL]: role } } });

export const networkPolicies: Check = {
  id: 'networkPolicies',
  limitMs: LIMIT_MS,
  async look(around, signal) {
    const nodes = (await around.nodes()).map(({ metadata }) => metadata.name).sort();
    if (nodes.length === 0) throw new CannotTell('noNodes');
    // On two nodes where there are two: a policy that holds on one alone holds nobody back.
    const [to = '', from = to] = nodes;
    const { throwAways } = around;
    const [target, caller] = [`target-${throwAways.run}`, `caller-${throwAways.run}`];
    await throwAways.make(POD, podOf(around, target, 'target', LISTEN, to));
    const listening = await whenRunning(around, target, signal);
    await throwAways.make(POD, podOf(around, caller, 'caller', dial(listening.status?.podIP ?? ''), from));
    await whenRunning(around, caller, signal);
    const is = (wished: string) => dialsLike(around, caller, wished, signal);
    const where = { from, to };

    if (!(await is('open open'))) return [found('podsApart', where)];
    const ingress = [{ ports: [{ port: OPEN_PORT }] }];
    await throwAways.make(
      NETWORK_POLICY,
      policy(`target-${throwAways.run}`, { ...selected('target'), policyTypes: ['Ingress'], ingress }),
    );
    if (!(await is('closed open'))) return await withEgress(around, where, is, [found('ingressOpen', where)]);
    return await withEgress(around, where, is, []);
  },
};

async function withEgress(
  { throwAways }: Around,
  where: { from: string; to: string },
  is: (wished: string) => Promise<boolean>,
  before: readonly Found[],
): Promise<Found[]> {
  const spec = { ...selected('caller'), policyTypes: ['Egress'], egress: [] };
  await throwAways.make(NETWORK_POLICY, policy(`caller-${throwAways.run}`, spec));
  if (!(await is('closed closed'))) return [...before, found('egressOpen', where)];
  return before.length > 0 ? [...before] : [found('networkEnforced', where)];
}

const podOf = ({ probeImage }: Around, name: string, role: string, script: string, node: string) =>
  throwAwayPod({ name, image: probeImage, script, labels: { [DOCTOR_ROLE_LABEL]: role }, node });

async function whenRunning({ throwAways }: Around, name: string, signal: AbortSignal) {
  let why = '';
  try {
    return await throwAways.whenPod(
      name,
      (pod) => {
        why = whyNot(pod);
        return isRunning(pod);
      },
      signal,
    );
  } catch (error) {
    if (signal.aborted && why) throw new CannotTell('failed', { why });
    throw error;
  }
}

/** Whether two results in a row are as wished, within the patience that rules need. */
async function dialsLike(
  { throwAways, clock }: Around,
  caller: string,
  wished: string,
  signal: AbortSignal,
): Promise<boolean> {
  const until = clock.monotonic() + PATIENCE_MS;
  while (clock.monotonic() < until) {
    signal.throwIfAborted();
    const lines = (await throwAways.log(caller, signal)).trim().split('\n').slice(-2);
    if (lines.length === 2 && lines.every((line) => line === wished)) return true;
    await pause(clock, LOOK_MS, signal);
  }
  return false;
}
