// A gateway that bills, and a verified person with credit in their own organisation, for disks that cost money. Nobody makes the
// disks' volumes: the gateway is measured beside the API server.

import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { kubeconfigOf } from '../support/account.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { openMailbox } from '../support/mail-sink.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { UNLIMITED } from './gateway-scene.ts';
import type { Stage } from './stage.ts';
import { Wire } from './wire.ts';

const MINUTE = 60_000;
const QUOTA = { gpus: 0, cores: 1, memoryGi: 1, storageGi: 10_000, instances: 1, disks: 10_000, hosts: 1 };

export interface DiskScene {
  readonly person: Person;
  readonly namespace: string;
  /** As the person, at the gateway and at the API server. */
  readonly ours: Wire;
  readonly peer: Wire;
}

export async function withDiskScene<T>(stage: Stage, play: (scene: DiskScene) => Promise<T>): Promise<T> {
  const closing: (() => Promise<void>)[] = [];
  try {
    const mailbox = await openMailbox();
    closing.push(() => mailbox.close());
    const operator = await stage.operator('--credit-gate=required');
    closing.push(() => operator.close());
    const flags = [...(await gatewayFlags(stage.place)), `--smtp-url=${mailbox.url}`, '--billing=on', UNLIMITED];
    const gateway = await GatewayProcess.start(stage, { flags });
    closing.push(() => gateway.close());
    const person = await signUp(gateway.client, mailbox, 'disk_person');
    const { namespace, org_id } = await person.organizationReady();
    await giveCredit(gateway, person);
    const patch = JSON.stringify({ spec: { quota: QUOTA } });
    await stage.kubectl.must(['patch', 'organization', org_id, '--type=merge', '--patch', patch]);
    await eventually(
      'there is room for the disks',
      async () => (await stage.kubectl.must(['get', 'quota', '-n', namespace, '-o', 'json'])).includes('"10k"'),
      MINUTE,
    );
    await operator.close();
    const peer = Wire.ofKubeconfig(await kubeconfigOf({ namespace, name: person.accountId }, stage));
    const ours = new Wire(gateway.url, { 'x-token': person.client.token ?? '' });
    closing.push(async () => {
      for (const wire of [ours, peer]) wire.close();
    });
    return await play({ person, namespace, ours, peer });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Staff verifies the person, which brings the credit that newcomers get. */
async function giveCredit(gateway: GatewayProcess, person: Person): Promise<void> {
  const staff = await firstAdministrator(gateway);
  const body = {
    type: 1,
    name: 'Disk',
    id_card: '11010519491231002X',
    phone: '13800000000',
    commitment: true,
  } as const;
  const { id } = await person.client.must(REAL_AUTH_ROUTES.submitRealAuth, { body });
  await staff.client.must(REAL_AUTH_ROUTES.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
  await eventually(
    'the credit is there',
    async () => (await person.client.must(WALLET_ROUTES.balances)).credits !== '0.00',
    MINUTE,
  );
}
