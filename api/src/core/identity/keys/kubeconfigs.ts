// Kubeconfigs: a token for the gateway's Kubernetes address, with the rights of the role in the organisation's namespace. It ends
// at its date, with the membership, or when it is revoked; only its SHA-256 is stored.

import { LONGEST_KUBECONFIG_DAYS, MOST_KUBECONFIGS } from '@gantry/contract/areas/identity/keys.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { KUBECONFIG_PREFIX, organizationNamespace } from '@gantry/contract/names.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, gt, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage, newestFirst } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { kubeconfigs } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import { ofMember, shownTo } from '../organizations/memberships.ts';

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
  }): Promise<object | undefined>;
  revoke(secret: { namespace: string; name: string; uid: string }): Promise<void>;
}

/** The address at which kubectl finds the gateway. */
export interface ClusterAddress {
  server: string;
  /** PEM; absent where its certificate is one that everybody trusts. */
  certificateAuthority?: string;
}

/** The owner of a token, and the Secret that its access is bound to. */
export interface KubeconfigGrant {
  id: string;
  secretUid: string;
  accountId: string;
  namespace: string;
  role: OrgRole;
}

export interface KubeconfigParts {
  db: Database;
  clock: Clock;
  tokens: MemberTokens;
  leftovers: { wake(): void };
  cluster: ClusterAddress;
  /** The context's name. */
  region: string;
}

const DAY_MS = 24 * 3_600_000;

export class Kubeconfigs {
  readonly #parts: KubeconfigParts;

  constructor(parts: KubeconfigParts) {
    this.#parts = parts;
  }

  async list(who: Who, asked: CursorPage): Promise<CursorRows<Kubeconfig>> {
    const { sql: db } = this.#parts.db;
    const own = shownTo(kubeconfigs, who);
    const { items, ...rest } = await cursorPage(
      db,
      newestFirst(kubeconfigs, own, and(own, isGood(this.#parts.clock.now()))),
      asked,
      db
        .select({ kubeconfig: kubeconfigs, creator: accounts.name })
        .from(kubeconfigs)
        .innerJoin(accounts, eq(accounts.id, kubeconfigs.accountId))
        .$dynamic(),
      ({ kubeconfig }) => kubeconfig.id,
    );
    return { items: items.map(({ kubeconfig, creator }) => ({ ...kubeconfig, creator })), ...rest };
  }

  /** The row is written before anything on the cluster, so that nothing is left there without a row. */
  async add(who: Who, wanted: { remark: string; expiresAt: Date }): Promise<Kubeconfig & { text: string }> {
    const { db, clock, tokens, leftovers } = this.#parts;
    const now = clock.now();
    const life = wanted.expiresAt.getTime() - now;
    if (life <= 0) throw problem('expiry_passed', {}, { field: 'expiration_time' });
    if (life > LONGEST_KUBECONFIG_DAYS * DAY_MS)
      throw problem('expiry_too_far', { days: LONGEST_KUBECONFIG_DAYS }, { field: 'expiration_time' });
    const token = newToken();
    const { id, creator } = await this.#reserve(who, { ...wanted, tokenHash: sha256(token) }, now);
    const place = { namespace: organizationNamespace(who.organizationId), name: id };
    try {
      const uid = await tokens.bind(place);
      if (uid === undefined) throw problem('organization_not_ready');
      // A member who was removed meanwhile, or who revoked it, gets none.
      const [kept] = await db.sql.update(kubeconfigs).set({ secretUid: uid }).where(eq(kubeconfigs.id, id)).returning();
      if (!kept) await tokens.revoke({ ...place, uid });
      if (!kept || kept.revokedAt) throw problem('not_found', { what: id });
      // Nobody gets it: this asks whether the cluster knows the member, so that the file works from the start.
      if (!(await tokens.issue({ ...place, uid, account: who.accountId, seconds: 0 })))
        throw problem('organization_not_ready');
      return { ...kept, creator, text: this.#text(place.namespace, creator, token) };
    } catch (error) {
      await this.#revoke(eq(kubeconfigs.id, id));
      leftovers.wake();
      throw error;
    }
  }

  async remove(who: Who, id: string): Promise<void> {
    const gone = await this.#revoke(
      and(shownTo(kubeconfigs, who), isGood(this.#parts.clock.now()), eq(kubeconfigs.id, id)),
    );
    if (!gone) throw problem('not_found', { what: id });
    this.#parts.leftovers.wake();
  }

  /** Undefined for a token that is unknown or over, or whose membership, account or organisation is. */
  async grantOf(token: string): Promise<KubeconfigGrant | undefined> {
    const [grant] = await this.#good(eq(kubeconfigs.tokenHash, sha256(token)));
    return grant;
  }

  /** Ids of those that are still good, by the role that they began with: the API server asks nobody again about an open exec. */
  async stillGood(grants: readonly Pick<KubeconfigGrant, 'id' | 'role'>[]): Promise<ReadonlySet<string>> {
    const now = await this.#good(
      inArray(
        kubeconfigs.id,
        grants.map(({ id }) => id),
      ),
    );
    const roles = new Map(now.map(({ id, role }) => [id, role]));
    return new Set(grants.filter(({ id, role }) => roles.get(id) === role).map(({ id }) => id));
  }

  async #good(which: SQL): Promise<KubeconfigGrant[]> {
    const rows = await this.#parts.db.sql
      .select({
        id: kubeconfigs.id,
        secretUid: kubeconfigs.secretUid,
        accountId: kubeconfigs.accountId,
        organizationId: kubeconfigs.organizationId,
        role: memberships.role,
      })
      .from(kubeconfigs)
      .innerJoin(accounts, eq(accounts.id, kubeconfigs.accountId))
      .innerJoin(organizations, eq(organizations.id, kubeconfigs.organizationId))
      .innerJoin(
        memberships,
        and(
          eq(memberships.organizationId, kubeconfigs.organizationId),
          eq(memberships.accountId, kubeconfigs.accountId),
        ),
      )
      .where(
        and(
          which,
          isGood(this.#parts.clock.now()),
          isNotNull(kubeconfigs.secretUid),
          isNull(accounts.disabledAt),
          isNull(organizations.deletedAt),
        ),
      );
    return rows.map(({ organizationId, secretUid, ...row }) => ({
      ...row,
      secretUid: secretUid ?? '',
      namespace: organizationNamespace(organizationId),
    }));
  }

  #reserve(who: Who, wanted: { remark: string; expiresAt: Date; tokenHash: string }, now: number) {
    return this.#parts.db.transaction(async (tx) => {
      // The membership's row is the queue: otherwise two concurrent calls would both be the last allowed one. The account's row
      // is locked too, so that disabling it sees this kubeconfig.
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
        ...wanted,
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
    const { server, certificateAuthority } = this.#parts.cluster;
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
