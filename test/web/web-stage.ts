// The stage of browser stories: a stage with its operator, a gateway that serves the built console, mails, an object
// store, the card provider's double, and one Chromium. At the end of each story nobody may have seen an error that it did not name.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright';
import { gatewayFlags } from '../../hack/gateway.ts';
import { TENANT_DOMAIN } from '../../hack/layout.ts';
import { CardDouble, type CardDoubleSettings } from '../../hack/payments/card-double.ts';
import { builtAdmin, builtConsole } from '../../hack/web-apps.ts';
import { type Stage, setStage, type Tenant } from '../stories/stage.ts';
import { CARD_KEYS } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { isWelcomed } from './seed.ts';
import { CHROMIUM, Visitor, type VisitorOptions } from './visitor.ts';

const PATIENCE_MS = 60_000;

export class WebStage {
  readonly stage: Stage;
  readonly gateway: Gateways;
  readonly mailbox: Mailbox;
  readonly double: CardDouble;
  readonly #store: ObjectStore;
  readonly #browser: Browser;
  readonly #visitors: Visitor[] = [];
  #staff: Promise<Person> | undefined;

  private constructor(
    stage: Stage,
    parts: { gateway: Gateways; mailbox: Mailbox; double: CardDouble; store: ObjectStore; browser: Browser },
  ) {
    this.stage = stage;
    this.gateway = parts.gateway;
    this.mailbox = parts.mailbox;
    this.double = parts.double;
    this.#store = parts.store;
    this.#browser = parts.browser;
  }

  static async set(stage: Stage, flags: readonly string[]): Promise<WebStage> {
    // First: what does not build opens nothing that would keep the run from ending.
    const consoleDir = await builtConsole();
    const adminDir = await builtAdmin();
    const card: CardDoubleSettings = { port: 0, ...CARD_KEYS };
    const double = new CardDouble(card);
    await double.listen();
    const mailbox = await openMailbox();
    const store = await startObjectStore();
    const [key, webhookSecret] = [join(stage.folder, 'card-key'), join(stage.folder, 'webhook-secret')];
    await Promise.all([writeFile(key, CARD_KEYS.secretKey), writeFile(webhookSecret, CARD_KEYS.webhookSecret)]);
    try {
      const gateway = await startGateways(stage.admin, {
        consoleDir,
        adminDir,
        flags: [
          ...(await gatewayFlags(stage.cluster)),
          '--billing=on',
          `--smtp-url=${mailbox.url}`,
          `--object-store-url=${store.endpoint}`,
          `--object-store-credentials-file=${store.credentialsFile}`,
          `--stripe-url=${double.url}`,
          `--stripe-js-url=${double.url}/v3/`,
          `--stripe-key-file=${key}`,
          `--stripe-webhook-secret-file=${webhookSecret}`,
          `--stripe-publishable-key=${CARD_KEYS.publishableKey}`,
          '--requests-per-minute=6000',
          `--tenant-domain=${TENANT_DOMAIN}`,
          // The operator writes services' addresses with this one.
          `--tenant-port=${stage.cluster.ports.tenantWeb}`,
          // Prometheus reads there.
          `--metrics-port=${stage.cluster.ports.gatewayMetrics}`,
          ...flags,
        ],
      });
      card.webhookUrl = `${gateway.url}/api/paybill/v1/webhook/card`;
      return new WebStage(stage, { gateway, mailbox, double, store, browser: await chromium.launch(CHROMIUM) });
    } catch (error) {
      await double.close();
      await mailbox.close();
      await store.end();
      throw error;
    }
  }

  /** Somebody new at a browser. */
  async visitor(options?: VisitorOptions): Promise<Visitor> {
    const visitor = await Visitor.come(this.#browser, this.gateway.consoleUrl, options);
    this.#visitors.push(visitor);
    return visitor;
  }

  /** Somebody at the operators' console, in a browser of their own. */
  async staffVisitor(options?: VisitorOptions): Promise<Visitor> {
    const visitor = await Visitor.come(this.#browser, this.gateway.adminUrl, options);
    this.#visitors.push(visitor);
    return visitor;
  }

  /** A person with all rights. */
  staff(): Promise<Person> {
    this.#staff ??= firstAdministrator(this.gateway);
    return this.#staff;
  }

  /** Somebody who signed up before the story begins, with an organisation that is ready. */
  async tenant(name: string): Promise<{ person: Person; org: Tenant }> {
    const person = await signUp(this.gateway.client, this.mailbox, name);
    const org = this.stage.adopt((await person.client.must(ACCOUNT_ROUTES.getMe)).org_id);
    await person.organizationReady();
    await isWelcomed(person, org.id);
    return { person, org };
  }

  /** Staff believes who they are: that brings credits. */
  async verify(person: Person): Promise<void> {
    const who = {
      type: 1,
      name: 'Ann',
      id_card: '11010519491231002X',
      phone: '13800000000',
      commitment: true,
    } as const;
    const { id } = await person.client.must(REAL_AUTH_ROUTES.submitRealAuth, { body: who });
    await this.audit(id);
    await this.isCredited(person);
  }

  async isCredited(person: Person): Promise<void> {
    const credits = async () => (await person.client.must(WALLET_ROUTES.balances)).credits === '100.00';
    await eventually('the credit is there', credits, PATIENCE_MS);
  }

  async audit(id: string): Promise<void> {
    const { client } = await this.staff();
    await client.must(REAL_AUTH_ROUTES.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
  }

  /** Everybody goes home; what went wrong before anybody's eyes, by the order in which they came. */
  async end(story: string, hasFailed: boolean): Promise<readonly string[]> {
    const visitors = this.#visitors.splice(0);
    const faults = visitors.flatMap((visitor) => visitor.faults());
    if (hasFailed || faults.length > 0) {
      for (const [index, visitor] of visitors.entries())
        await visitor.picture(`${story.replaceAll(/\W+/g, '-')}-${index}`).catch(() => {});
    }
    await Promise.all(visitors.map((visitor) => visitor.leave()));
    return faults;
  }

  async clear(): Promise<void> {
    await this.#browser.close();
    await this.gateway.close();
    await this.double.close();
    await this.mailbox.close();
    await this.#store.end();
  }
}

/** For a whole file; flags are the gateway's. */
export function setWebStage(...flags: string[]) {
  const stage = setStage('--probe-every=24h', '--credit-gate=required');
  let web: WebStage | undefined;
  beforeAll(async () => {
    web = await WebStage.set(stage(), flags);
  });
  afterAll(() => web?.clear());

  const current = (): WebStage => {
    if (!web) throw new Error('the stage is set once the stories begin');
    return web;
  };

  /** A test that ends with everybody's page in order; pictures of a failure are in .run/results/web. */
  const story = (name: string, play: (web: WebStage) => Promise<void>): void =>
    test(name, async () => {
      let failure: unknown;
      try {
        await play(current());
      } catch (error) {
        failure = error;
      }
      const faults = await current().end(name, failure !== undefined);
      if (failure !== undefined) throw failure;
      expect(faults).toEqual([]);
    });
  return { story, web: current };
}
