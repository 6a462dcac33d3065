// The whole gateway in this process, over an API server in memory and PGlite: every route of the table answers, and two
// organisations have people, sessions and one object of each kind.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ORG_ROLES, type OrgRole } from '@gantry/contract/roles.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { openLog } from '@gantry/kube/log.ts';
import { KubeConfig } from '@kubernetes/client-node';
import type { Cluster } from '../../api/src/core/kinds/open-cluster.ts';
import { OrganizationResources } from '../../api/src/core/kinds/organization-resources.ts';
import { kindObject, type MemoryClient, memoryKinds } from '../../api/src/core/kinds/testing/memory-kinds.ts';
import { startGateway } from '../../api/src/gateway.ts';
import { readConfig } from '../../api/src/platform/config.ts';
import type { Database } from '../../api/src/platform/db/open.ts';
import { alarms, alertContacts, alertMailboxes } from '../../api/src/platform/db/schema/alerts.ts';
import { collectedFiles } from '../../api/src/platform/db/schema/collected.ts';
import { sealedCredentials } from '../../api/src/platform/db/schema/credentials.ts';
import { dashboards } from '../../api/src/platform/db/schema/dashboards.ts';
import { datasets, datasetVersions } from '../../api/src/platform/db/schema/datasets.ts';
import { files } from '../../api/src/platform/db/schema/files.ts';
import { invitations } from '../../api/src/platform/db/schema/invitations.ts';
import { creditNotes, invoices } from '../../api/src/platform/db/schema/invoices.ts';
import { apiTokens, kubeconfigs, pubKeys } from '../../api/src/platform/db/schema/keys.ts';
import { messages, notices } from '../../api/src/platform/db/schema/messages.ts';
import { models, modelVersions } from '../../api/src/platform/db/schema/models.ts';
import { paymentMethods, payments } from '../../api/src/platform/db/schema/payments.ts';
import {
  accounts,
  memberships,
  organizations,
  platformGrants,
  sessions,
} from '../../api/src/platform/db/schema/people.ts';
import { cardHolds } from '../../api/src/platform/db/schema/portal.ts';
import { pictures } from '../../api/src/platform/db/schema/real-auth.ts';
import { registries } from '../../api/src/platform/db/schema/registries.ts';
import { chats, modelAliases, tokenUsage } from '../../api/src/platform/db/schema/tokens.ts';
import { sha256 } from '../../api/src/platform/secrets.ts';
import { HttpClient } from './http-client.ts';
import { RESTING } from './sound-objects.ts';

export interface MemoryGateway {
  url: string;
  db: Database;
  /** A token for each role in `acme`, for its owner who is a platform administrator, and an expired one. */
  tokens: Record<OrgRole | 'administrator' | 'expired', string>;
  /** API tokens of that owner, narrowed to one right. */
  narrowed: Record<'view' | 'use', string>;
  /**
   * One of each in `other`, which nobody of `acme` may know of; by the path's last word before the parameter. Objects of kinds are
   * `<idPrefix>-stranger` there, and `<idPrefix>-own` in `acme`.
   */
  foreign: Readonly<Record<string, string>>;
  /** The changes of registries' Secrets. */
  secrets: string[];
  /** Users that the gateway spoke to the API server as, in order. */
  users: readonly string[];
  /** Pods that were evicted, as `<namespace>/<name>`. */
  evicted: readonly string[];
  client(token?: string): HttpClient;
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const FAR = new Date('2099-01-01T00:00:00Z');

/** The database is empty, or one that such a gateway had before; it is closed with the gateway. */
export async function startMemoryGateway({
  db,
  log = openLog('silent'),
  flags = [],
  objects = [],
  isEngineAddress,
  clock,
  apiServer,
}: {
  db: Database;
  log?: ReturnType<typeof openLog>;
  flags?: readonly string[];
  /** On the cluster, beside one of each kind for both organisations. */
  objects?: readonly KubeObject[];
  isEngineAddress?: (ip: string) => boolean;
  /** Absent: the machine's. */
  clock?: Clock;
  /** Its address: of logs, shells and what kubectl asks. Absent: there is none. */
  apiServer?: string | undefined;
}): Promise<MemoryGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-gateway-'));
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, Buffer.alloc(32, 7));
  const config = readConfig(
    [
      '--port=0',
      '--tenant-port=0',
      '--kubernetes-port=0',
      `--data-dir=${folder}`,
      `--platform-key-file=${keyFile}`,
      `--administrator-file=${join(folder, 'administrator')}`,
      '--requests-per-minute=1000000',
      // Nobody plays the operator, who would do its part.
      '--billing=off',
      ...flags,
    ],
    {},
  );
  if (config === 'help') throw new Error('no help was asked for');
  const tokens = (await db.sql.$count(accounts)) > 0 ? tokensOf() : await seedPeople(db);
  const secrets: string[] = [];
  const { cluster, users, evicted, end } = await memoryCluster(secrets, objects, apiServer);
  const gateway = await startGateway(config, log, {
    ...{ db, cluster },
    ...(isEngineAddress && { isEngineAddress }),
    ...(clock && { clock }),
  });
  return {
    url: gateway.url,
    db,
    tokens,
    narrowed: { view: 'api-token-to-view', use: 'api-token-to-use' },
    foreign: FOREIGN,
    secrets,
    users,
    evicted,
    client: (token) => new HttpClient(() => gateway.url, token),
    async stop() {
      await gateway.stop();
      end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const SERVED = (Object.entries(KINDS) as [keyof typeof KINDS, KindFacts][]).filter(([, { api }]) => api);

const FOREIGN = {
  account: 'acc-stranger',
  organization: 'otherorg',
  member: 'acc-stranger',
  session: 'ses-stranger',
  'pub-key': 'key-stranger',
  'api-token': 'tok-stranger',
  kubeconfig: 'kcf-stranger',
  registry: 'reg-stranger',
  model: 'mdl-stranger',
  dataset: 'dst-stranger',
  's3-credentials': 'key-stranger',
  alias: 'als-stranger',
  chat: 'cht-stranger',
  dashboard: 'dsb-stranger',
  hold: 'hld-stranger',
  request: 'req-stranger',
  invitation: 'ivt-stranger',
  events: 'alm-stranger',
  contacts: 'ops-stranger',
  mailboxes: 'stranger@example.org',
  messages: 'msg-stranger',
  picture: 'pic-stranger',
  ni: 'dsk-stranger.ins-stranger',
  'customer-payment': 'pmd-stranger',
  'wallet-balances-paydo': 'pay-stranger',
  invoices: 'inv-stranger',
  'credit-notes': 'crn-stranger',
} as const;

const EVERYBODY = [...ORG_ROLES, 'administrator', 'expired', 'stranger'] as const;
const tokensOf = () =>
  Object.fromEntries(EVERYBODY.map((name) => [name, `token-of-${name}`])) as MemoryGateway['tokens'];

async function seedPeople(db: Database): Promise<MemoryGateway['tokens']> {
  const now = new Date();
  const everybody = EVERYBODY;
  await db.sql.insert(accounts).values(
    everybody.map((name) => ({
      id: `acc-${name}`,
      name,
      email: `${name}@example.com`,
      createdAt: now,
      termsVersion: '1',
      termsAcceptedAt: now,
    })),
  );
  await db.sql.insert(organizations).values(
    ['acmeorgs', 'otherorg'].map((id) => ({
      id,
      name: id,
      currency: 'USD',
      createdAt: now,
      revision: 1,
      projected: 1,
    })),
  );
  const roleOf = (name: (typeof everybody)[number]): OrgRole =>
    name === 'administrator' || name === 'expired' || name === 'stranger' ? 'owner' : name;
  const organizationOf = (name: string) => (name === 'stranger' ? 'otherorg' : 'acmeorgs');
  await db.sql.insert(memberships).values(
    everybody.map((name) => ({
      organizationId: organizationOf(name),
      accountId: `acc-${name}`,
      role: roleOf(name),
      createdAt: now,
    })),
  );
  await db.sql.insert(platformGrants).values({ accountId: 'acc-administrator', role: 'administrator', createdAt: now });
  await db.sql.insert(sessions).values(
    everybody.map((name) => ({
      id: `ses-${name}`,
      tokenHash: sha256(`token-of-${name}`),
      accountId: `acc-${name}`,
      organizationId: organizationOf(name),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: name === 'expired' ? new Date(now.getTime() - HOUR_MS) : FAR,
    })),
  );
  const theirs = { creatorId: 'acc-stranger', createdAt: now };
  await db.sql
    .insert(models)
    .values({ ...theirs, id: FOREIGN.model, organizationId: FOREIGN.organization, name: 'secret', updatedAt: now });
  await db.sql.insert(dashboards).values({
    ...{ id: FOREIGN.dashboard, organizationId: FOREIGN.organization, title: 'secret', panels: [] },
    ...{ editor: 'stranger', updatedAt: now },
  });
  await db.sql.insert(cardHolds).values({
    ...{
      idHash: sha256(FOREIGN.hold),
      organizationId: FOREIGN.organization,
      region: 'us-east',
      model: 'secret',
      gpus: 1,
    },
    ...{ createdAt: now, claimedAt: now, until: FAR },
  });
  const said = { organizationId: FOREIGN.organization, accountId: 'acc-stranger' };
  await db.sql.insert(chats).values({
    ...said,
    ...{ id: FOREIGN.chat, title: 'secret', model: 'secret', system: '', messages: [], createdAt: now, updatedAt: now },
  });
  await db.sql.insert(collectedFiles).values({
    ...{ id: 'cdf-stranger', organizationId: FOREIGN.organization, deployment: 'dep-stranger', dataset: 'secret' },
    ...{ records: 1, leftOut: 0, sizeBytes: 1, firstAt: now, lastAt: now, storedAt: now },
  });
  await db.sql.insert(tokenUsage).values({
    ...said,
    ...{ id: FOREIGN.request, at: now, modelUid: 'uid', model: 'secret', endpoint: 'chat/completions', prompt: 1 },
    ...{ cached: 0, completion: 1, outcome: 'answered', status: 200, ms: 1, list: ZERO, net: ZERO },
  });
  await db.sql.insert(modelAliases).values({
    ...theirs,
    id: FOREIGN.alias,
    organizationId: FOREIGN.organization,
    name: 'best',
    targets: [{ deployment: 'secret', weight: 1 }],
    updatedAt: now,
  });
  // Named as tests of every route ask for a version.
  await db.sql.insert(modelVersions).values({
    ...theirs,
    id: 'mvr-stranger',
    modelId: FOREIGN.model,
    name: 'ins-00000000',
    state: 'ready',
    source: 'upload',
  });
  await db.sql.insert(files).values({
    ...{ id: 'fil-stranger', ownerKind: 'model', ownerId: 'mvr-stranger', organizationId: FOREIGN.organization },
    ...{ path: 'zzzzzzzz', sizeBytes: 1 },
  });
  await db.sql.insert(datasets).values({
    ...theirs,
    ...{ id: FOREIGN.dataset, organizationId: FOREIGN.organization, name: 'secret', type: 'file', updatedAt: now },
    lastVersion: 1,
  });
  await db.sql.insert(datasetVersions).values({
    ...theirs,
    ...{ id: 'dsv-stranger', datasetId: FOREIGN.dataset, number: 1, state: 'ready', source: 'upload', message: '' },
  });
  await db.sql.insert(sealedCredentials).values({
    ...theirs,
    organizationId: FOREIGN.organization,
    kind: 's3',
    name: FOREIGN['s3-credentials'],
    sealed: '',
  });
  await db.sql.insert(files).values({
    ...{ id: 'fil-dataset', ownerKind: 'dataset', ownerId: 'dsv-stranger', organizationId: FOREIGN.organization },
    ...{ path: 'zzzzzzzz', sizeBytes: 1 },
  });
  await db.sql.insert(alarms).values({
    ...{
      id: FOREIGN.events,
      organizationId: FOREIGN.organization,
      policyUid: 'uid-of-theirs',
      policy: 'alp-stranger',
    },
    ...{ title: 'secret', kind: 'GpuInstance', object: 'ins-stranger', labels: {}, metric: 'GpuTemperature' },
    ...{ level: 'Critical', status: 'firing', value: 90, firstAbnormalAt: now, firedAt: now },
  });
  await db.sql.insert(alertMailboxes).values({
    ...{ organizationId: FOREIGN.organization, address: FOREIGN.mailboxes, creatorId: FOREIGN.account },
    ...{ state: 'confirmed', language: 'en', createdAt: now },
  });
  await db.sql.insert(alertContacts).values({
    ...theirs,
    ...{ organizationId: FOREIGN.organization, name: FOREIGN.contacts, type: 'Webhook', sealed: '', host: 'secret' },
  });
  await db.sql.insert(registries).values({
    organizationId: 'otherorg',
    name: FOREIGN.registry,
    ...{ secretUid: 'uid', server: 'ghcr.io', username: 'theirs', creatorId: 'acc-stranger', createdAt: now },
  });
  const strangers = { accountId: 'acc-stranger', remark: 'theirs', createdAt: now };
  await db.sql
    .insert(pubKeys)
    .values({ ...strangers, id: FOREIGN['pub-key'], publicKey: 'ssh-ed25519 AAAA', fingerprint: 'SHA256:x' });
  await db.sql.insert(apiTokens).values([
    {
      ...strangers,
      id: FOREIGN['api-token'],
      organizationId: 'otherorg',
      tokenHash: sha256('api-token-of-stranger'),
      scopes: ['view'],
    },
    ...(['view', 'use'] as const).map((right) => ({
      id: `tok-to-${right}`,
      accountId: 'acc-administrator',
      remark: right,
      createdAt: now,
      organizationId: 'acmeorgs',
      tokenHash: sha256(`api-token-to-${right}`),
      scopes: [right],
    })),
  ]);
  await db.sql
    .insert(kubeconfigs)
    .values({ ...strangers, id: FOREIGN.kubeconfig, organizationId: 'otherorg', expiresAt: FAR });
  await db.sql.insert(invitations).values({
    id: FOREIGN.invitation,
    organizationId: 'acmeorgs',
    accountId: 'acc-stranger',
    name: 'stranger',
    role: 'viewer',
    invitedBy: 'acc-administrator',
    createdAt: now,
    expiresAt: FAR,
  });
  const words = { en: 'theirs', zh: '', ja: '' };
  await db.sql
    .insert(notices)
    .values({ id: 'ntc-stranger', key: 'theirs', kind: 'event', title: words, content: words, createdAt: now });
  await db.sql.insert(messages).values({ id: FOREIGN.messages, noticeId: 'ntc-stranger', accountId: 'acc-stranger' });
  await db.sql.insert(pictures).values({
    id: FOREIGN.picture,
    accountId: 'acc-stranger',
    mediaType: 'image/png',
    content: Buffer.from('theirs'),
    createdAt: now,
  });
  await db.sql.insert(invoices).values(
    (['stranger', 'own'] as const).map((whose, at) => ({
      id: `inv-${whose}`,
      number: at + 1,
      organizationId: whose === 'own' ? 'acmeorgs' : 'otherorg',
      month: '2026-01',
      zone: 'UTC',
      from: new Date('2026-01-01T00:00:00Z'),
      to: new Date('2026-02-01T00:00:00Z'),
      currency: 'USD',
      lines: [],
      ...{ list: ZERO, discount: ZERO, total: ZERO, creditUsed: ZERO, paid: ZERO },
      recipient: {},
      issuer: {},
      issuedAt: now,
    })),
  );
  await db.sql.insert(creditNotes).values(
    (['stranger', 'own'] as const).map((whose, at) => ({
      id: `crn-${whose}`,
      number: at + 1,
      kind: 'refund' as const,
      organizationId: whose === 'own' ? 'acmeorgs' : 'otherorg',
      refundId: `rfd-${whose}`,
      billId: `pay-${whose}`,
      currency: 'USD',
      amount: parseMoney('20'),
      ...{ paidAt: now, at: now, issuedAt: now },
      recipient: {},
      issuer: {},
    })),
  );
  const paying = { organizationId: 'otherorg', channel: 'card', createdAt: now } as const;
  await db.sql
    .insert(paymentMethods)
    .values({ ...paying, id: FOREIGN['customer-payment'], providerId: 'pm_stranger', isDefault: true });
  await db.sql.insert(payments).values({
    ...paying,
    id: FOREIGN['wallet-balances-paydo'],
    billId: FOREIGN['wallet-balances-paydo'],
    ...{ amount: ZERO, paid: ZERO, refunded: ZERO },
    currency: 'USD',
    state: 'open',
    initiator: 'person',
    next: {},
    changedAt: now,
  });
  return tokensOf();
}

/** Sends streaming calls to the server, and all the rest to memory. */
function wireTo(server: string) {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'test', server, skipTLSVerify: true }, { name: 'test' });
  const credentials = new Credentials(() => config, systemClock);
  const client = new KubeClient(credentials, { fieldManager: 'gantry-gateway' });
  return {
    as(user: string, memory: MemoryClient) {
      const other = client.as(user);
      const stream: KubeClient['stream'] = (...args) => other.stream(...args);
      return { ...memory, stream, socketTarget: (path: string) => other.socketTarget(path) };
    },
    anonymous: () => credentials.connection(),
  };
}

async function memoryCluster(secrets: string[], objects: readonly KubeObject[], apiServer: string | undefined) {
  const namespaces = { 'org-otherorg': 'stranger', 'org-acmeorgs': 'own' };
  const kinds = await memoryKinds([
    ...objects,
    ...Object.entries(namespaces).flatMap(([namespace, whose]) =>
      SERVED.map(([key, facts]) =>
        kindObject(facts, `${facts.idPrefix}-${whose}`, { namespace, ...RESTING[key]({ namespace, whose }) }),
      ),
    ),
  ]);
  const nothing = () => Promise.resolve();
  const wire = apiServer === undefined ? undefined : wireTo(apiServer);
  const cluster = {
    client: Object.assign(kinds.cluster, { as: wire ? (user: string) => wire.as(user, kinds.as(user)) : kinds.as }),
    cache: kinds.cache,
    kinds: kinds.store,
    billed: kinds.billed,
    organizations: new OrganizationResources({ client: kinds.cluster, cache: kinds.cache }),
    instanceKeys: { remove: nothing },
    memberTokens: {
      bind: async () => 'uid-of-a-secret',
      issue: async () => ({ token: 'a-token-of-the-cluster' }),
      revoke: nothing,
    },
    registrySecrets: {
      async create({ namespace, name }: { namespace: string; name: string }, { server }: { server: string }) {
        secrets.push(`creates ${namespace}/${name} for ${server}`);
        return name === 'by-kubectl' ? 'taken' : `uid-${name}`;
      },
      async remove({ namespace, name, uid }: { namespace: string; name: string; uid: string | undefined }) {
        secrets.push(`deletes ${namespace}/${name} ${uid ?? 'by its name'}`);
      },
    },
    anonymous: wire ? wire.anonymous : () => Promise.reject(new Error('there is no API server')),
    // It has begun already.
    start: nothing,
  };
  const { users, evicted } = kinds;
  return { cluster: cluster as unknown as Cluster, users, evicted, end: kinds.stop };
}
