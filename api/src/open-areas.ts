// The gateway's stores, joined: who each of them has to know of the others, and the routes they answer. They start in the order
// in which they need each other, and stop in reverse.

import { VIEW_ROUTES } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { type ModelDeploymentSpec, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { adminComputingRoutes } from './areas/admin/admin-computing-routes.ts';
import { adminHomeRoutes } from './areas/admin/admin-home-routes.ts';
import { adminRoutes } from './areas/admin/admin-routes.ts';
import { openAdmin } from './areas/admin/open.ts';
import { openAdminHome } from './areas/admin/open-home.ts';
import { openAlerts } from './areas/alerts/open.ts';
import { openBackups } from './areas/backups/open.ts';
import { CHECKS } from './areas/doctor/checks.ts';
import { ClusterChecks } from './areas/doctor/cluster-checks.ts';
import { databaseOf, surroundingsOf } from './areas/doctor/surroundings.ts';
import { startGpuFaults } from './areas/gpu-faults/open.ts';
import { type OpenIdle, openIdle } from './areas/idle/open.ts';
import type { CompletionsParts } from './areas/inference/completions.ts';
import { collectedRoutes } from './areas/models/collected-routes.ts';
import { modelRoutes } from './areas/models/model-routes.ts';
import { openModelArea } from './areas/models/open.ts';
import { Articles } from './areas/portal/articles.ts';
import { onMarket } from './areas/portal/market-models.ts';
import { portalRoutes } from './areas/portal/portal-routes.ts';
import { documentRoutes } from './core/billing/document-routes.ts';
import { type Billing, openBilling } from './core/billing/open.ts';
import { paymentRoutes } from './core/billing/payment-routes.ts';
import { priceRoutes } from './core/billing/price-routes.ts';
import { walletRoutes } from './core/billing/wallet-routes.ts';
import { accountRoutes } from './core/identity/account-routes.ts';
import { keyRoutes } from './core/identity/key-routes.ts';
import { Registries } from './core/identity/keys/registries.ts';
import { type OpenOrganizations, openOrganizations } from './core/identity/open-organizations.ts';
import { openPeople } from './core/identity/open-people.ts';
import { organizationRoutes } from './core/identity/organization-routes.ts';
import { NOTICES } from './core/identity/organizations/notices.ts';
import { realNameChecker } from './core/identity/people/check-real-name.ts';
import { realAuthRoutes } from './core/identity/real-auth-routes.ts';
import { registryRoutes } from './core/identity/registry-routes.ts';
import { LiveSessions } from './core/identity/sessions/live-sessions.ts';
import type { Sessions } from './core/identity/sessions/sessions.ts';
import { ViewSessions } from './core/identity/sessions/view-sessions.ts';
import { tellAdministrator } from './core/identity/tell-administrator.ts';
import { viewRoutes } from './core/identity/view-routes.ts';
import { kindRoutes } from './core/kinds/kind-routes.ts';
import type { Cluster } from './core/kinds/open-cluster.ts';
import { EventReader } from './core/kinds/staff/events.ts';
import { StaffNodes } from './core/kinds/staff/staff-nodes.ts';
import { openOtherClusters } from './core/open-other-clusters.ts';
import { otherWays } from './core/other-ways.ts';
import { type ClusterOf, clusterOf, keysEverywhere, placeElsewhere, placesOf } from './core/place-elsewhere.ts';
import { type Operation, openOperation } from './core/settings/open.ts';
import { documentsOf } from './core/settings/settings-of.ts';
import { AuditChecks } from './platform/audit/checks.ts';
import { type Config, readText } from './platform/config.ts';
import type { Database } from './platform/db/open.ts';
import type { Caller } from './platform/http/caller.ts';
import { type AuditEntry, demandOpen } from './platform/http/run-route.ts';
import type { Served } from './platform/http/serve.ts';
import { type Messages, startMessages } from './platform/messages/open.ts';
import { openPrometheus } from './platform/prometheus/open-prometheus.ts';

export interface Areas {
  routes: readonly Served[];
  idle: OpenIdle;
  operation: Operation;
  /** The ways to pay. */
  paymentChannels: readonly string[];
  authenticate(token: string): Promise<Caller | undefined>;
  /** For /v1, which is beside the routes. */
  money: Pick<Billing, 'wallets' | 'tariffs'>;
  collector: CompletionsParts['collector'];
  /** For the paths into instances, and to the API server. */
  cluster: Pick<Cluster, 'billed' | 'client' | 'cache' | 'kinds' | 'memberTokens' | 'anonymous'>;
  clusterOf: ClusterOf;
  places: ReturnType<typeof placesOf>;
  kubeconfigs: OpenOrganizations['kubeconfigs'];
  /** False while anything that calls need is missing. */
  isReady(): boolean;
  /** Streams never end on their own: end them before waiting for calls to finish. */
  endStreams(): void;
  stop(): Promise<void>;
}

/** Resolves once every call can be answered. */
export async function openAreas(
  config: Config,
  {
    db,
    log,
    clock,
    cluster,
    registry,
    audit,
  }: {
    db: Database;
    log: Logger;
    clock: Clock;
    cluster: Cluster;
    registry: Registry;
    audit(entry: AuditEntry): Promise<void>;
  },
): Promise<Areas> {
  const ender = new AbortController();
  const operation = await openOperation(config, { db, log, clock });
  const others = openOtherClusters(config, { clock, log }, ender.signal);
  // People and their organisations know each other: the ways go through here.
  let organizations: OpenOrganizations | undefined;
  let messages: Messages | undefined;
  let views: ViewSessions | undefined;
  const people = openPeople({
    db,
    clock,
    log,
    projection: { wake: (id) => organizations?.projection.wake(id) },
    leftovers: { wake: () => organizations?.leftovers.wake() },
    apiToken: async (hash) => (await organizations?.apiTokens.authenticate(hash)) ?? views?.authenticate(hash),
    platformKey: Buffer.from(config.keyed('identity'), 'hex'),
    publicUrl: config.publicUrl,
    currency: config.currency,
    termsVersion: config.termsVersion,
    registerType: config.registerType,
    smtpUrl: config.smtpUrl,
    mailFrom: config.mailFrom,
    texts: config.smsUrl
      ? { url: config.smsUrl, key: readText(config.smsKeyFile), allowInner: config.smsAllowInner }
      : undefined,
    providers: providersOf(config),
    open: {
      registration: (language) => demandOpen('registration', operation.state.closed('registration'), language),
      providerLogin: (language) => demandOpen('providerLogin', operation.state.closed('providerLogin'), language),
    },
  });
  organizations = openOrganizations({
    db,
    clock,
    log,
    currency: config.currency,
    region: config.region,
    ownedOrganizations: config.ownedOrganizations,
    resources: cluster.organizations,
    instanceKeys: keysEverywhere(cluster, others, config.region),
    memberTokens: cluster.memberTokens,
    cluster: {
      server: config.kubernetesUrl,
      ...(config.kubernetesCaFile && { certificateAuthority: readText(config.kubernetesCaFile) }),
    },
    sessions: people.sessions,
    secrets: people.secrets,
    invite: (...args) => people.invite(...args),
    notify: (notice) => messages?.notify(notice),
    checkRealName: config.realNameUrl
      ? realNameChecker(
          { url: config.realNameUrl, key: readText(config.realNameKeyFile), allowInner: config.realNameAllowInner },
          { now: () => clock.now(), log },
        )
      : undefined,
    documents: documentsOf(config),
    get isWelcoming() {
      return operation.config().welcomeCredit > 0n;
    },
    reviewers: config.realNameReviewers === '2' ? 2 : 1,
  });
  views = openViews({ db, clock, log, sessions: people.sessions, audit, messages: () => messages });
  const live = new LiveSessions({ db, clock });
  const rolesOfViews = views.rolesOf.bind(views);
  const checks = new AuditChecks({ db, clock, log });
  const holding = clusterOf(cluster, others);
  placeElsewhere(others, { db, clock, log, cluster, region: config.region }, ender.signal);
  await cluster.start(ender.signal);
  messages = await startMessages(
    {
      db,
      clock,
      log,
      sessions: { rolesOf: async (ids) => new Map([...(await live.rolesOf(ids)), ...(await rolesOfViews(ids))]) },
      resources: cluster.cache,
      onShown: (listener) => cluster.kinds.reads.on(listener),
      view: (facts, object, language, role) => cluster.kinds.reads.view(facts, object, { language, role }),
    },
    ender.signal,
  );
  await organizations.start();
  people.start();
  views.startSweeping();
  const billing = await openBilling(config, {
    now: operation.config,
    isOpen: (feature) => operation.state.closed(feature) === undefined,
    otherWays: otherWays(new StaffNodes({ ...cluster, events: new EventReader(cluster.client) }), operation.settings),
    db,
    log,
    clock,
    cluster,
    registry,
    messages: messages.store,
    secrets: people.secrets,
  });
  billing.start();
  const idle = openIdle({
    ...{ db, clock, log, cluster, audit },
    tariffs: billing.tariffs,
    messages: messages.store,
    secrets: people.secrets,
    publicUrl: config.publicUrl,
  });
  const metrics = openPrometheus(config);
  const alerts = openAlerts({
    ...{ db, clock, log, cluster },
    metrics,
    wallets: billing.wallets,
    tariffs: billing.tariffs,
    messages: messages.store,
    secrets: people.secrets,
    mails: people.mails,
    publicUrl: config.publicUrl,
    linkKey: config.keyed('alert-links'),
    canText: config.smsUrl !== '',
    allowInner: config.alertsAllowInner,
  });
  alerts.start();
  const stopGpuFaults = startGpuFaults({
    ...{ db, clock, log, cluster, tariffs: billing.tariffs, wallets: billing.wallets },
    messages: messages.store,
    secrets: people.secrets,
    publicUrl: config.publicUrl,
    metrics,
    drain: config.gpuFaultsDrain,
    audit,
  });
  const home = openAdminHome({
    db,
    clock,
    log,
    currency: config.currency,
    dataDir: config.databaseUrl ? '' : config.dataDir,
    databaseSizeGi: config.databaseSizeGi,
    people,
    cluster,
    audit,
    messages: messages.store,
    secrets: people.secrets,
    adminUrl: config.adminUrl,
    alarmAddresses: () => operation.config().alarmAddresses,
    metrics,
  });
  const clusterChecks = new ClusterChecks({
    ...{ db, clock, log, checks: CHECKS },
    surroundings: () =>
      surroundingsOf(config, { client: cluster.client, clock, isInstalled: true, database: databaseOf(db, clock) }),
  });
  const models = await openModelArea(config, { db, log, clock, cluster, secrets: people.secrets, money: billing });
  const registries = new Registries({ db, clock, log, secrets: cluster.registrySecrets });
  const chosen = readText(config.administratorPasswordFile);
  await people.bootstrap(async (administrator) => {
    // Whoever chose the password knows it.
    if (chosen === '') await tellAdministrator(administrator, config.administratorFile);
  }, chosen || undefined);
  const backups = openBackups(config, { db, clock, log, client: cluster.client });
  const articles = new Articles({ db, clock });
  const admin = openAdmin({
    articles,
    db,
    clock,
    people,
    organizations,
    messages,
    cluster,
    clusterOf: holding,
    audit,
    billing,
    payments: billing.payments,
    gate: billing.gate,
    plans: billing.prices.plans,
    views,
    checks,
    clusterChecks,
    notify: (notice) => messages?.notify(notice),
    publicUrl: people.publicUrl,
    operation,
    registryUrl: config.registryUrl,
    backups,
    shelf: models.shelf,
    currencyOf: (organizationId) => billing.tariffs.of(organizationId).currency,
  });
  models.start();
  return {
    idle,
    routes: [
      ...idle.routes,
      ...alerts.routes,
      ...accountRoutes({ people }),
      ...organizationRoutes({
        ...organizations,
        phase: (id) => cluster.organizations.phase(id),
        money: async (id) => ({
          balance: moneyText((await billing.wallets.balances(id)).balance),
          card_info: await billing.payments.methods.cardInfo(id),
        }),
      }),
      ...viewRoutes({ views }),
      ...keyRoutes({ ...organizations, clock }),
      ...realAuthRoutes({ ...organizations, staffSecondFactor: config.staffSecondFactor }),
      ...registryRoutes({ registries }),
      ...modelRoutes(models),
      ...collectedRoutes(models),
      ...kindRoutes(cluster.kinds, {
        clock,
        market: (specs, language) =>
          onMarket(specs, operation.state.models).map((spec) => ({ ...spec, note: spec.note?.[language] || null })),
        demands: {
          [modelDeployment.kind]: ({ caller, body, language }) =>
            models.deployments.demandFit(caller, body as unknown as ModelDeploymentSpec, language),
        },
      }),
      ...portalRoutes({ articles }),
      ...messages.routes,
      ...priceRoutes(billing.prices),
      ...paymentRoutes({ ...billing.payments, approvals: billing.approvals }),
      ...walletRoutes(
        billing.gate,
        (region) => cluster.kinds.mustBeRegion(region),
        (channel) => void billing.payments.payments.channel(channel),
      ),
      ...documentRoutes({ documents: billing.documents, clock }),
      ...adminHomeRoutes(home),
      ...adminRoutes(admin),
      ...adminComputingRoutes(admin.computing),
    ],
    operation,
    paymentChannels: billing.payments.payments.channels.map(({ name }) => name),
    authenticate: (token) => people.sessions.authenticate(token),
    money: billing,
    collector: models.collector,
    cluster,
    clusterOf: holding,
    places: placesOf(others, config.region),
    kubeconfigs: organizations.kubeconfigs,
    isReady: () => cluster.cache.synced,
    endStreams: () => messages.hub.close(),
    async stop() {
      // First: it takes away what it made on the cluster.
      await clusterChecks.stop();
      ender.abort();
      await backups.stop();
      await models.stop();
      await idle.stop();
      await alerts.stop();
      await stopGpuFaults();
      await home.stop();
      await checks.stop();
      await views.stop();
      await billing.stop();
      await organizations.stop();
      await people.stop();
      await operation.stop();
    },
  };
}

/** Tenants' consoles opened by staff. The owners are told when one is opened. */
function openViews(parts: {
  db: Database;
  clock: Clock;
  log: Logger;
  sessions: Pick<Sessions, 'forget'>;
  audit(entry: AuditEntry): Promise<void>;
  messages: () => Messages | undefined;
}): ViewSessions {
  const { db, clock, log, sessions, audit, messages } = parts;
  return new ViewSessions({
    db,
    clock,
    log,
    forget: (changed) => sessions.forget(changed),
    tellOwners({ id, account, organization, reason, startedAt }) {
      const args = {
        staff: account.name,
        organization: organization.name,
        reason,
        time: `${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      };
      void messages()
        ?.store.send(
          { key: `view/${id}`, ...NOTICES.viewed, args },
          { organization: organization.id, roles: ['owner'] },
        )
        .catch((error: unknown) => log.error({ err: error, view: id }, 'the owners could not be told of a view'));
    },
    recordEnd: ({ id, organizationId, accountName }) =>
      audit({
        requestId: id,
        action: VIEW_ROUTES.endView.id,
        decision: 'allowed',
        status: 200,
        caller: undefined,
        object: `Organization/${organizationId}`,
        reason: `the time of ${accountName} was over`,
        ip: '',
        userAgent: undefined,
      }),
  });
}

const providersOf = (config: Config) =>
  config.oidcIssuer
    ? [
        {
          id: 'oidc',
          name: config.oidcName,
          issuer: config.oidcIssuer,
          clientId: config.oidcClientId,
          clientSecret: readText(config.oidcClientSecretFile),
        },
      ]
    : [];
