// The gateway as a process, a person who signed up through it, and their organisation on the cluster, with enough quota. Nobody
// creates or reconciles instances: the gateway is measured beside the API server.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { clientOf } from '../scale/fleet.ts';
import { makeTenant } from '../scale/tenant.ts';
import { kubeconfigOf } from '../support/account.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { openMailbox } from '../support/mail-sink.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { type Stage, sized } from './stage.ts';
import { Wire } from './wire.ts';

const WIDTH = 32;
const MINUTE = 60_000;
/** No rate limit: the machine is measured. */
export const UNLIMITED = '--requests-per-minute=1000000000';
export const LISTED = 500;
/** Objects of other organisations, which the gateway's cache also holds. */
const OTHERS = ['a', 'b', 'c'];
const OF_EACH = sized(6500);
const ROOM = 10_000;

export const INSTANCES = resourceOf(gpuInstance);
export const INSTANCE_PATH = `/api${KIND_ROUTES.gpuInstance.list.path}`;

export interface GatewayScene {
  readonly gateway: GatewayProcess;
  readonly person: Person;
  readonly namespace: string;
  /** As the person, at the gateway and at the API server. */
  readonly ours: Wire;
  readonly peer: Wire;
  /** As the administrator, past both. */
  readonly admin: KubeClient;
}

export const manifest = (namespace: string, name: string): KubeObject & { spec: object } => ({
  apiVersion: API_VERSION,
  kind: gpuInstance.kind,
  metadata: { namespace, name },
  spec: { displayName: name.replaceAll('-', '_'), image: 'library/busybox:1.36', cores: 1, memoryGi: 1 },
});

let opened: Promise<GatewayScene> | undefined;
const closing: (() => Promise<void>)[] = [];

/** One scene for all rows: its objects are created once. `closeScene` ends it. */
export function scene(stage: Stage): Promise<GatewayScene> {
  opened ??= open(stage);
  return opened;
}

export async function closeScene(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
  opened = undefined;
}

async function open(stage: Stage): Promise<GatewayScene> {
  const mailbox = await openMailbox();
  closing.push(() => mailbox.close());
  const operator = await stage.operator();
  closing.push(() => operator.close());
  const flags = [...(await gatewayFlags(stage.place)), `--smtp-url=${mailbox.url}`, UNLIMITED];
  const gateway = await GatewayProcess.start(stage, { flags });
  closing.push(() => gateway.close());
  const person = await signUp(gateway.client, mailbox, 'bench_person');
  const { namespace, org_id } = await person.organizationReady();
  const quota = { gpus: 0, cores: 1, memoryGi: 1, storageGi: 1, instances: ROOM, disks: 1, hosts: 1 };
  const patch = JSON.stringify({ spec: { quota } });
  await stage.kubectl.must(['patch', 'organization', org_id, '--type=merge', '--patch', patch]);
  await eventually(
    'there is room for the instances',
    async () => (await stage.kubectl.must(['get', 'quota', 'kinds', '-n', namespace, '-o', 'json'])).includes('"10k"'),
    MINUTE,
  );
  const others = await Promise.all(OTHERS.map((name) => makeTenant(stage, `others-${name}-${org_id}`, quota)));
  // From here on nobody touches an instance but who measures.
  await operator.close();
  const admin = clientOf(stage.kubeconfig);
  const fill = async (space: string, count: number) => {
    const names = Array.from({ length: count }, (_, index) => `listed-${index}`);
    await inParallel(names, WIDTH, async (name) => {
      await admin.create(INSTANCES, manifest(space, name));
    });
  };
  await fill(namespace, sized(LISTED));
  for (const other of others) await fill(other.namespace, OF_EACH);
  const account = { namespace, name: person.accountId };
  const peer = Wire.ofKubeconfig(await kubeconfigOf(account, stage));
  const ours = new Wire(gateway.url, { 'x-token': person.client.token ?? '' });
  closing.push(async () => {
    for (const wire of [ours, peer]) wire.close();
  });
  return { gateway, person, namespace, ours, peer, admin };
}
