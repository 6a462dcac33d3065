// Somebody new, in the way that everybody comes: a puzzle, a code by mail, a registration, a login.
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';
import type { Mailbox } from './mail-sink.ts';
import { solvePuzzle } from './solve-puzzle.ts';

const READY_WITHIN_MS = 60_000;

export class Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
  /** With the token of the latest login. */
  client: HttpClient;

  constructor(who: { name: string; email: string; password: string; accountId: string }, nobody: HttpClient) {
    this.name = who.name;
    this.email = who.email;
    this.password = who.password;
    this.accountId = who.accountId;
    this.client = nobody;
  }

  /** A token beside whatever tokens there are. */
  async login(): Promise<void> {
    const { name: account, password } = this;
    const { token } = await this.client.must(ACCOUNT_ROUTES.login, { body: { account, password } });
    if (token === undefined) throw new Error(`${account} logged in and got no token`);
    this.client = this.client.with(token);
  }

  /** From here on in that organisation. */
  async enter(org_id: string): Promise<void> {
    const { token } = await this.client.must(ACCOUNT_ROUTES.switchOrganization, { body: { org_id } });
    this.client = this.client.with(token);
  }

  /** Accepts the invitation of that organisation, and goes there. */
  async join(org_id: string): Promise<void> {
    const mine = await this.client.must(ORGANIZATION_ROUTES.listMyInvitations);
    const { id = '' } = mine.find((each) => each.org_id === org_id) ?? {};
    await this.client.must(ORGANIZATION_ROUTES.acceptInvitation, { params: { id } });
    await this.enter(org_id);
  }

  /** The organisation that one is in, once the cluster has it. */
  organizationReady() {
    return eventually(
      `the organisation of ${this.name} is ready`,
      async () => {
        const mine = await this.client.must(ORGANIZATION_ROUTES.getMyOrganization);
        if (mine.phase !== 'ready') throw new Error(`it is ${mine.phase}`);
        return mine;
      },
      READY_WITHIN_MS,
    );
  }
}

/** The administrator whom a new gateway has made, with another password than the first one: that is asked for. */
export async function firstAdministrator(gateway: {
  client: HttpClient;
  administrator(): Promise<{ name: string; password: string }>;
}): Promise<Person> {
  const { client } = gateway;
  const { name, password: first } = await gateway.administrator();
  const { ticket = '' } = await client.must(ACCOUNT_ROUTES.login, { body: { account: name, password: first } });
  const password = 'Correct-horse-8';
  await client.must(ACCOUNT_ROUTES.resetPassword, { body: { ticket, password } });
  const staff = new Person({ name, email: '', password, accountId: '' }, client);
  await staff.login();
  return staff;
}

/** The code in a mail, and no other six digits. */
export async function mailedCode(mailbox: Mailbox, to: string): Promise<string> {
  const { text = '' } = await mailbox.newest(to, /\b\d{6}\b/);
  return /\b(\d{6})\b/.exec(text)?.[1] ?? '';
}

/** Registered, and logged in. `nobody` is a client without a token. */
export async function signUp(nobody: HttpClient, mailbox: Mailbox, name: string): Promise<Person> {
  const email = `${name}@example.test`;
  const password = 'Correct-horse-7';
  const { terms_version } = await nobody.must(PLATFORM_ROUTES.getSettings);
  const { challenge = {} } = await nobody.must(ACCOUNT_ROUTES.captcha, { params: { type: 'challenge' } });
  const captcha = solvePuzzle(challenge);
  await nobody.must(ACCOUNT_ROUTES.captcha, { params: { type: 'email' }, body: { email, captcha } });
  const code = await mailedCode(mailbox, email);
  const { ticket } = await nobody.must(ACCOUNT_ROUTES.verifyRegistration, { body: { email, code } });
  const body = { username: name, password, ticket, terms_version };
  const { account_id: accountId } = await nobody.must(ACCOUNT_ROUTES.register, { body });
  const person = new Person({ name, email, password, accountId }, nobody);
  await person.login();
  return person;
}
