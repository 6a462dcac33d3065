// The core, joined: who somebody is, what there is on the cluster, what it costs, and what staff change meanwhile. Its parts know each
// other through here, and none of them knows an area.
import { moneyText } from '@gantry/contract/fields/money.ts';
import { readText } from '../platform/config.ts';
import type { Caller } from '../platform/http/caller.ts';
import { demandOpen } from '../platform/http/run-route.ts';
import type { Served } from '../platform/http/serve.ts';
import { type Messages, startMessages } from '../platform/messages/open.ts';
import type { Platform } from '../platform/open.ts';
import { documentRoutes } from './billing/document-routes.ts';
import { type Billing, openBilling } from './billing/open.ts';
import { paymentRoutes } from './billing/payment-routes.ts';
import { priceRoutes } from './billing/price-routes.ts';
import { walletRoutes } from './billing/wallet-routes.ts';
import { accountRoutes } from './identity/account-routes.ts';
import { keyRoutes } from './identity/key-routes.ts';
import { Registries } from './identity/keys/registries.ts';
import { type OpenOrganizations, openOrganizations } from './identity/open-organizations.ts';
import type { People } from './identity/open-people.ts';
import { openPeople } from './identity/open-people.ts';
import { organizationRoutes } from './identity/organization-routes.ts';
import { type Notify, notifyPayers } from './identity/organizations/notify-payers.ts';
import { realNameChecker } from './identity/people/check-real-name.ts';
import { providersOf } from './identity/providers-of.ts';
import { realAuthRoutes } from './identity/real-auth-routes.ts';
import { registryRoutes } from './identity/registry-routes.ts';
import { LiveSessions } from './identity/sessions/live-sessions.ts';
import { ViewSessions } from './identity/sessions/view-sessions.ts';
import { tellAdministrator } from './identity/tell-administrator.ts';
import { viewRoutes } from './identity/view-routes.ts';
import type { Cluster } from './kinds/open-cluster.ts';
import { EventReader } from './kinds/staff/events.ts';
import { StaffNodes } from './kinds/staff/staff-nodes.ts';
import { openOtherClusters } from './open-other-clusters.ts';
import { otherWays } from './other-ways.ts';
import { type ClusterOf, clusterOf, keysEverywhere, placeElsewhere, placesOf } from './place-elsewhere.ts';
import { type Operation, openOperation } from './settings/open.ts';
import { documentsOf } from './settings/settings-of.ts';

export interface Core {
  people: People;
  organizations: OpenOrganizations;
  views: ViewSessions;
  messages: Messages;
  operation: Operation;
  /** Its caches are filled. */
  cluster: Cluster;
  /** The cluster that has an object. */
  clusterOf: ClusterOf;
  /** Other clusters in which objects of ours are. */
  places: ReturnType<typeof placesOf>;
  billing: Billing;
  /** Tells those who pay, and whoever is named, in the bell and by mail. */
  notify: Notify;
  routes: readonly Served[];
  authenticate(token: string): Promise<Caller | undefined>;
}

/** Resolves once caches are filled and prices are known; its background work has begun. It is closed with the platform. */
export async function openCore(platform: Platform, cluster: Cluster): Promise<Core> {
  const { config, db, log, clock, closing } = platform;
  const ender = new AbortController();
  const operation = await openOperation(config, { db, log, clock });
  closing.add(() => operation.stop());
  closing.add(() => ender.abort());
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
  closing.add(() => people.stop());
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
  closing.add(() => organizations?.stop());
  views = new ViewSessions(platform, people.sessions, () => messages);
  closing.add(() => views?.stop());
  const live = new LiveSessions({ db, clock });
  const rolesOfViews = views.rolesOf.bind(views);
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
  const notify = notifyPayers({
    messages: messages.store,
    secrets: people.secrets,
    clock,
    publicUrl: config.publicUrl,
  });
  const billing = await openBilling(platform, {
    ...{ cluster, messages, notify, operation },
    otherWays: otherWays(new StaffNodes({ ...cluster, events: new EventReader(cluster.client) }), operation.settings),
  });
  closing.add(() => billing.stop());
  billing.start();
  const registries = new Registries({ db, clock, log, secrets: cluster.registrySecrets });
  const chosen = readText(config.administratorPasswordFile);
  await people.bootstrap(async (administrator) => {
    // Whoever chose the password knows it.
    if (chosen === '') await tellAdministrator(administrator, config.administratorFile);
  }, chosen || undefined);
  return {
    ...{ people, organizations, views, messages, operation, cluster, billing, notify },
    clusterOf: clusterOf(cluster, others),
    places: placesOf(others, config.region),
    authenticate: (token) => people.sessions.authenticate(token),
    routes: [
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
      ...messages.routes,
      ...priceRoutes(billing.prices),
      ...paymentRoutes({ ...billing.payments, approvals: billing.approvals }),
      ...walletRoutes(
        billing.gate,
        (region) => cluster.kinds.mustBeRegion(region),
        (channel) => void billing.payments.payments.channel(channel),
      ),
      ...documentRoutes({ documents: billing.documents, clock }),
    ],
  };
}
