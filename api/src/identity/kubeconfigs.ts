// Kubeconfigs: a token of the membership's ServiceAccount, with the rights of the role and in the organisation's namespace. It
// ends at its date, with the membership, or when it is revoked; the token itself is kept nowhere.

import type { Page } from '@gantry/contract/http/define-route.ts';
import { LONGEST_KUBECONFIG_DAYS, MOST_KUBECONFIGS } from '@gantry/contract/http/keys.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { KUBECONFIG_PREFIX, organizationNamespace } from '@gantry/contract/names.ts';
import { mayRole, type OrgRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { kubeconfigs } from '../db/schema/keys.ts';
import { accounts, memberships } from '../db/schema/people.ts';
import { newId } from '../ids.ts';
import { ofMember } from './memberships.ts';

export type Kubeconfig = typeof kubeconfigs.$inferSelect & { creator: string };
type Who = { accountId: string; organizationId: string; role: OrgRole };

/** Tokens of the cluster; undefined where the namespace or the account is not there yet. */
export interface MemberTokens {
  bind(secret: { namespace: string; name: string }): Promise<string | undefined>;
  issue(wanted: {
    namespace: string;
    name: string;
    uid: string;
    account: string;
    seconds: number;
  }): Promise<{ token: string; expiresAt: Date } | undefined>;
  revoke(secret: { namespace: string; name: string; uid: string }): Promise<void>;
}

/** Where tenants find the API server. */
export interface ClusterAddress {
  server: string;
  /** PEM; absent where its certificate is one that everybody trusts. */
  certificateAuthority?: string;
}

export interface KubeconfigParts {
  db: Database;
  clock: Clock;
  tokens: MemberTokens;
  leftovers: { wake(): void };
  cluster(): ClusterAddress;
  /** What the context is called. */
  region: string;
}

const DAY_MS = 24 * 3_600_000;

export class Kubeconfigs {
  readonly #parts: KubeconfigParts;

  constructor(parts: KubeconfigParts) {
    this.#parts = parts;
  }

  async list(who: Who, { page, size }: { page: number; size: number }): Promise<Page<Kubeconfig>> {
    const { sql: db } = this.#parts.db;
    const where = and(shownTo(who), isGood(this.#parts.clock.now()));
    const rows = await db
      .select({ kubeconfig: kubeconfigs, creator: accounts.name })
      .from(kubeconfigs)
      .innerJoin(accounts, eq(accounts.id, kubeconfigs.accountId))
      .where(where)
      .orderBy(desc(kubeconfigs.createdAt), desc(kubeconfigs.id))
      .limit(size)
      .offset((page - 1) * size);
    return {
      items: rows.map(({ kubeconfig, creator }) => ({ ...kubeconfig, creator })),
      total: await db.$count(kubeconfigs, where),
    };
  }

  /** The row is written before anything on the cluster is: nothing is left there that nobody knows of. */
  async add(who: Who, wanted: { remark: string; expiresAt: Date }): Promise<Kubeconfig & { text: string }> {
    const { db, clock, tokens, leftovers } = this.#parts;
    const now = clock.now();
    const life = wanted.expiresAt.getTime() - now;
    if (life <= 0) throw problem('expiry_passed', {}, { field: 'expiration_time' });
    if (life > LONGEST_KUBECONFIG_DAYS * DAY_MS)
      throw problem('expiry_too_far', { days: LONGEST_KUBECONFIG_DAYS }, { field: 'expiration_time' });
    const { id, creator } = await this.#reserve(who, wanted, now);
    const place = { namespace: organizationNamespace(who.organizationId), name: id };
    try {
      const uid = await tokens.bind(place);
      if (uid === undefined) throw problem('organization_not_ready');
      // Whoever was removed meanwhile, or revoked it, gets none.
      const [kept] = await db.sql
        .update(kubeconfigs)
        .set({ secretUid: uid })
        .where(eq(kubeconfigs.id, id))
        .returning({ revokedAt: kubeconfigs.revokedAt });
      if (!kept) await tokens.revoke({ ...place, uid });
      if (!kept || kept.revokedAt) throw problem('not_found', { what: id });
      const issued = await tokens.issue({ ...place, uid, account: who.accountId, seconds: life / 1000 });
      if (!issued) throw problem('organization_not_ready');
      const expiresAt = issued.expiresAt < wanted.expiresAt ? issued.expiresAt : wanted.expiresAt;
      const [row] = await db.sql.update(kubeconfigs).set({ expiresAt }).where(eq(kubeconfigs.id, id)).returning();
      if (!row) throw problem('not_found', { what: id });
      return { ...row, creator, text: this.#text(place.namespace, creator, issued.token) };
    } catch (error) {
      await this.#revoke(eq(kubeconfigs.id, id));
      leftovers.wake();
      throw error;
    }
  }

  async remove(who: Who, id: string): Promise<void> {
    const gone = await this.#revoke(and(shownTo(who), isGood(this.#parts.clock.now()), eq(kubeconfigs.id, id)));
    if (!gone) throw problem('not_found', { what: id });
    this.#parts.leftovers.wake();
  }

  #reserve(who: Who, wanted: { remark: string; expiresAt: Date }, now: number) {
    return this.#parts.db.transaction(async (tx) => {
      // The membership's row is the queue: else two at once would both be the last allowed one. The account's is held too, so that
      // whoever disables it sees this one.
      const [member] = await tx
        .select({ name: accounts.name })
        .from(memberships)
        .innerJoin(accounts, eq(accounts.id, memberships.accountId))
        .where(and(ofMember(memberships, who.organizationId, who.accountId), isNull(accounts.disabledAt)))
        .for('no key update', { of: [memberships, accounts] });
      if (!member) throw problem('not_found', { what: who.organizationId });
      const mine = and(ofMember(kubeconfigs, who.organizationId, who.accountId), isGood(now));
      if ((await tx.$count(kubeconfigs, mine)) >= MOST_KUBECONFIGS)
        throw problem('too_many_kubeconfigs', { most: MOST_KUBECONFIGS });
      const id = newId(KUBECONFIG_PREFIX.replace(/-$/, ''));
      await tx.insert(kubeconfigs).values({
        id,
        accountId: who.accountId,
        organizationId: who.organizationId,
        remark: wanted.remark,
        expiresAt: wanted.expiresAt,
        createdAt: new Date(now),
      });
      return { id, creator: member.name };
    });
  }

  async #revoke(which: ReturnType<typeof and>): Promise<boolean> {
    const rows = await this.#parts.db.sql
      .update(kubeconfigs)
      .set({ revokedAt: new Date(this.#parts.clock.now()) })
      .where(and(which, isNull(kubeconfigs.revokedAt)))
      .returning({ id: kubeconfigs.id });
    return rows.length > 0;
  }

  /** YAML, whose strings are JSON's: nothing in a name can break out. */
  #text(namespace: string, user: string, token: string): string {
    const { server, certificateAuthority } = this.#parts.cluster();
    const name = JSON.stringify(`${namespace}.${this.#parts.region}`);
    const ca = certificateAuthority && Buffer.from(certificateAuthority).toString('base64');
    return [
      'apiVersion: v1',
      'kind: Config',
      `current-context: ${name}`,
      'contexts:',
      `- name: ${name}`,
      `  context: { cluster: ${name}, user: ${JSON.stringify(user)}, namespace: ${JSON.stringify(namespace)} }`,
      'clusters:',
      `- name: ${name}`,
      '  cluster:',
      `    server: ${JSON.stringify(server)}`,
      ...(ca ? [`    certificate-authority-data: ${ca}`] : []),
      'users:',
      `- name: ${JSON.stringify(user)}`,
      '  user:',
      `    token: ${JSON.stringify(token)}`,
      '',
    ].join('\n');
  }
}

const isGood = (now: number) => and(isNull(kubeconfigs.revokedAt), gt(kubeconfigs.expiresAt, new Date(now)));

/** One's own; whoever manages the organisation sees all of it. */
const shownTo = ({ accountId, organizationId, role }: Who) =>
  mayRole(role, 'manage')
    ? eq(kubeconfigs.organizationId, organizationId)
    : ofMember(kubeconfigs, organizationId, accountId);
