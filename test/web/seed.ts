// An organisation in which every page has something to show: a card, what it paid and what was refunded, a disk with files, an
// instance that runs and one that has stopped, a job that ran, a service that answers, a rented host, an image, keys, invitations
// both ways, messages. Made over HTTP alone, on whichever stack.

import { ALERT_ROUTES } from '@gantry/contract/areas/alerts/alerts.ts';
import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { DASHBOARD_ROUTES } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { tinyLlama } from '../../api/src/areas/models/testing/model-files.ts';
import { confirmInPage, refundByHand } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import type { HttpClient } from '../support/http-client.ts';
import type { Mailbox } from '../support/mail-sink.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { type DatasetFile, uploadDataset } from '../support/upload-dataset.ts';
import { uploadModel } from '../support/upload-model.ts';
import { seedOthers } from './seed-others.ts';

const PATIENCE_MS = 120_000;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';
const IMAGE = 'registry.gantry.internal/official/busybox:1.36';
/** Ends when it is told to. */
const SERVER = 'httpd -f -p 8080 & trap "exit 0" TERM; wait';
const DAY_MS = 24 * 3_600_000;
const MONTHS_OF_A_HOST = '2000';
const REFUND_CENTS = 2000;

export interface Stack {
  /** Nobody signed in. */
  readonly client: HttpClient;
  readonly mailbox: Pick<Mailbox, 'newest'>;
  /** The card provider's double. */
  readonly paymentsUrl: string;
  /** The double's secret key. */
  readonly paymentsKey: string;
}

export interface Seeded {
  readonly person: Person;
  readonly organizationId: string;
  readonly region: string;
  /** Ids. */
  readonly running: string;
  readonly stopped: string;
  readonly disk: string;
  readonly host: string;
  readonly image: string;
  readonly job: string;
  readonly service: string;
  readonly deployment: string;
  readonly model: string;
  /** With two versions. */
  readonly dataset: string;
  readonly policy: string;
  /** One that fires. */
  readonly alarm: string;
  readonly dashboard: string;
  /** Objects of other kinds, by their plural names. */
  readonly others: Readonly<Record<string, string>>;
}

/** The names of people are its own each time when `name` is. */
export async function seeded(stack: Stack, name: string): Promise<Seeded> {
  const person = await signUp(stack.client, stack.mailbox as Mailbox, name);
  const { org_id: organizationId } = await person.client.must(ACCOUNT_ROUTES.getMe);
  await person.organizationReady();
  await isWelcomed(person, organizationId);
  await addCard(person, stack.paymentsUrl);
  await refund(person, stack, await pay(person, MONTHS_OF_A_HOST));
  const expiration_time = new Date(Date.now() + 90 * DAY_MS).toISOString();
  await person.client.must(KEY_ROUTES.createPubKey, { body: { remark: 'laptop', public_key: KEY, expiration_time } });
  const addDisk = async (displayName: string) =>
    (await person.client.must(KIND_ROUTES.dataDisk.create, { body: { displayName, sizeGi: 1 } })).id;
  // A disk whose files can be browsed: with one writer only its instance can.
  const disk = await addDisk('datasets');
  const scratch = await addDisk('scratch');
  const { id: host } = await person.client.must(KIND_ROUTES.gpuHost.create, {
    body: { displayName: 'render_farm', gpu: { model: 'NVIDIA-GeForce-RTX-4090', count: 2 }, tags: ['render'] },
  });
  const small = { image: IMAGE, cores: 0.1, memoryGi: 0.125, homeDisk: { sizeGi: 1 } };
  const make = async (displayName: string, more = {}) =>
    (await person.client.must(KIND_ROUTES.gpuInstance.create, { body: { displayName, ...small, ...more } })).id;
  const running = await make('training_run', { disks: [{ name: scratch, mountPath: '/data' }] });
  const stopped = await make('evaluation');
  const { id: image } = await person.client.must(KIND_ROUTES.image.create, {
    body: { displayName: 'toolbox', source: IMAGE },
  });
  const program = { image: IMAGE, cores: 0.1, memoryGi: 0.0625 };
  const { id: job } = await person.client.must(KIND_ROUTES.job.create, {
    body: { displayName: 'nightly_report', ...program, workers: 2, command: ['echo', 'all is well'] },
  });
  const { id: service } = await person.client.must(KIND_ROUTES.containerService.create, {
    body: {
      ...{ displayName: 'hello', ...program, command: ['sh', '-c', SERVER] },
      ...{ ports: [{ port: 8080 }], publish: { port: 8080, access: 'Members' } },
    },
  });
  const inviter = await signUp(stack.client, stack.mailbox as Mailbox, `${name}_ben`);
  const { org_id: theirs } = await inviter.client.must(ACCOUNT_ROUTES.getMe);
  await inviter.organizationReady();
  await invite(inviter, theirs, person.name);
  await invite(person, organizationId, `colleague-${name}@example.test`, inviter.name);
  await decline(inviter);
  const instanceIs = (id: string, wanted: string) =>
    phase(id, wanted, () => person.client.must(KIND_ROUTES.gpuInstance.read, { params: { id } }));
  await instanceIs(running, 'running');
  await instanceIs(stopped, 'running');
  await phase(job, 'succeeded', () => person.client.must(KIND_ROUTES.job.read, { params: { id: job } }));
  await phase(service, 'active', () =>
    person.client.must(KIND_ROUTES.containerService.read, { params: { id: service } }),
  );
  await person.client.must(KIND_ROUTES.gpuInstance.act, { params: { id: stopped }, body: { action: 'stop' } });
  await instanceIs(stopped, 'stopped');
  await addFiles(person, disk);
  const { region } = await person.client.must(KIND_ROUTES.dataDisk.read, { params: { id: disk } });
  const body = { name: 'tiny', license: 'mit', tags: ['chat'], card: '# Tiny\n\nA model to try out.' };
  const { id: model } = await person.client.must(MODEL_ROUTES.createModel, { body });
  await uploadModel(person.client, model, '1.0', tinyLlama());
  const { id: deployment } = await person.client.must(KIND_ROUTES.modelDeployment.create, {
    body: { displayName: 'chat', model, version: '1.0', cores: 0.25, memoryGi: 0.5 },
  });
  const dataset = await addDataset(person);
  const { id: dataprocesses } = await person.client.must(KIND_ROUTES.dataProcess.create, {
    body: {
      ...{ displayName: 'clean_tides', type: 'Clean', clean: { duplicates: 'Exact' }, cores: 0.25, memoryGi: 1 },
      ...{ input: { dataset }, output: { name: 'clean_tides' } },
    },
  });
  const { id: finetunes } = await person.client.must(KIND_ROUTES.fineTune.create, {
    body: {
      ...{ displayName: 'tuned', base: { model, version: '1.0' }, datasets: [{ dataset }] },
      ...{ output: { name: 'tuned' }, cores: 0.25, memoryGi: 1 },
    },
  });
  const { id: evaluations } = await person.client.must(KIND_ROUTES.evaluation.create, {
    body: {
      ...{ displayName: 'tides_known', subjects: [{ deployment }], tasks: [{ dataset, metric: 'ExactMatch' }] },
      ...{ cores: 0.25, memoryGi: 1 },
    },
  });
  const { policy, alarm } = await fire(person);
  const panel = { query: 'container_memory_working_set_bytes{container!=""}', unit: 'bytes' as const };
  const { id: dashboard } = await person.client.must(DASHBOARD_ROUTES.createDashboard, {
    body: {
      title: 'Memory',
      panels: [
        { ...panel, title: 'Over time', width: 'full' },
        { ...panel, title: 'Now', query: `sum(${panel.query})`, chart: 'value' },
        { ...panel, title: 'By Pod', chart: 'table' },
      ],
    },
  });
  const objects = {
    running,
    stopped,
    disk,
    host,
    image,
    job,
    service,
    model,
    dataset,
    deployment,
    policy,
    alarm,
    dashboard,
  };
  return {
    person,
    organizationId,
    region,
    ...objects,
    others: { ...(await seedOthers(person.client)), dataprocesses, finetunes, evaluations },
  };
}

async function addDataset({ client }: Person): Promise<string> {
  const body = { name: 'tides', license: 'cc-by-4.0', language: ['en'], card: '# Tides\n\nHeights by the hour.' };
  const { id } = await client.must(DATASET_ROUTES.createDataset, { body });
  const fileOf = (path: string, text: string): DatasetFile => {
    const bytes = new TextEncoder().encode(text);
    return { path, size: bytes.length, read: (from, to) => bytes.subarray(from, to) };
  };
  const first = fileOf('heights.jsonl', '{"hour":1,"height":2.5}\n{"hour":2,"height":2.75}\n');
  await uploadDataset(client, id, [first]);
  await uploadDataset(client, id, [first, fileOf('more.jsonl', '{"hour":3,"height":3}\n')]);
  return id;
}

/** A policy that is met by every job, and its alarm. */
async function fire({ client }: Person): Promise<{ policy: string; alarm: string }> {
  const { id: policy } = await client.must(KIND_ROUTES.alertPolicy.create, {
    body: {
      displayName: 'jobs',
      objects: { kind: 'Job' },
      metric: 'Failed',
      aggregation: 'Last',
      periodSeconds: 15,
      rules: [{ compare: 'AtLeast', value: 0 }],
    },
  });
  const alarm = await eventually(
    'an alarm',
    async () => {
      const [first] = await client.must(ALERT_ROUTES.listAlerts, { query: { policy } });
      if (!first) throw new Error('none fires');
      return first.id;
    },
    PATIENCE_MS,
  );
  return { policy, alarm };
}

/** Nothing stands in front of the first page any more. */
export async function isWelcomed({ client }: Person, org_id: string): Promise<void> {
  await client.must(ORGANIZATION_ROUTES.seeOrganization, { params: { org_id }, body: { is_new: false } });
}

interface Seen {
  readonly status: string;
  readonly message: string | null;
}

const phase = (id: string, wanted: string, read: () => Promise<Seen>) =>
  eventually(
    `${id} is ${wanted}`,
    async () => {
      const { status, message } = await read();
      if (status !== wanted) throw new Error(`it is ${status}: ${message}`);
      return true;
    },
    PATIENCE_MS,
  );

async function addFiles({ client }: Person, disk: string): Promise<void> {
  const at = (path: string) => `/api/stor/v1/data-disk/${disk}/filesystem/file?path=${encodeURIComponent(path)}`;
  for (const path of ['/readme.txt', '/results.csv'])
    await eventually(
      `${path} is written`,
      async () => {
        const answer = await client.fetch(at(path), { method: 'PUT', body: 'a,b\n1,2\n' });
        const { ok, status } = answer;
        if (!ok) throw new Error(`${status} ${await answer.text()}`);
        return true;
      },
      PATIENCE_MS,
    );
}

export async function addCard({ client }: Person, paymentsUrl: string): Promise<void> {
  const { payment_id: id, next } = await client.must(PAYMENT_ROUTES.addPaymentMethod, { body: {} });
  await confirmInPage(paymentsUrl, 'setup_intents', next.client_secret ?? '', 'pm_card_visa');
  await client.must(PAYMENT_ROUTES.updatePaymentMethod, { params: { id }, body: { is_default: true } });
}

async function invite({ client }: Person, org_id: string, ...accounts: readonly string[]): Promise<void> {
  const members = accounts.map((account) => ({ account, role: 'member' as const }));
  await client.must(ORGANIZATION_ROUTES.inviteMembers, { params: { org_id }, body: { members } });
}

async function decline({ client }: Person): Promise<void> {
  for (const { id } of await client.must(ORGANIZATION_ROUTES.listMyInvitations))
    await client.must(ORGANIZATION_ROUTES.declineInvitation, { params: { id } });
}

/** At the provider, so that no staff are needed. */
async function refund({ client }: Person, { paymentsUrl, paymentsKey }: Stack, paymentId: string): Promise<void> {
  await refundByHand(paymentsUrl, paymentsKey, paymentId, REFUND_CENTS);
  const isIssued = async () => (await client.must(DOCUMENT_ROUTES.listCreditNotes)).length === 1;
  await eventually('its credit note is issued', isIssued, PATIENCE_MS);
}

/** By the default card. */
async function pay({ client }: Person, amount: string): Promise<string> {
  const { id } = await client.must(PAYMENT_ROUTES.recharge, { body: { amount, payment_channel: 'card' } });
  const isPaid = async () => (await client.must(PAYMENT_ROUTES.getRecharge, { params: { id } })).status === 'paid';
  await eventually('it is paid', isPaid, PATIENCE_MS);
  return id;
}
