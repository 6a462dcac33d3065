// One person in one organisation: the role, what ends with it or with a disabled account, and who may change it.

import { problem } from '@gantry/contract/http/problem.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { mayRole, type OrgRole } from '@gantry/contract/roles.ts';
import { and, asc, eq, exists, inArray, isNull, ne, not, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../../../platform/db/open.ts';
import { apiTokens, keyRemovals, kubeconfigs, pubKeys } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations, sessions } from '../../../platform/db/schema/people.ts';
import { chats } from '../../../platform/db/schema/tokens.ts';
import { newId } from '../../../platform/ids.ts';
import { forgetCap } from './payers.ts';

type Sql = Database['sql'];

export async function roleIn(tx: Sql, organizationId: string, accountId: string): Promise<OrgRole | undefined> {
  const [row] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(ofMember(memberships, organizationId, accountId));
  return row?.role;
}

/** The person who acts on an organisation. */
export interface Actor {
  id: string;
  name: string;
}

/** The actor's role as it is now: what the token says may be a second old. */
export async function rankOf(tx: Sql, organizationId: string, actor: Actor): Promise<OrgRole> {
  const rank = await roleIn(tx, organizationId, actor.id);
  if (!rank) throw problem('not_found', { what: organizationId });
  return rank;
}

export const ofMember = (
  table: typeof memberships | typeof sessions | typeof apiTokens | typeof kubeconfigs | typeof chats,
  organizationId: string,
  accountId: string,
): SQL => and(eq(table.organizationId, organizationId), eq(table.accountId, accountId)) as SQL;

/** Members see their own; owners and admins see all of the organisation. */
export const shownTo = (
  table: typeof apiTokens | typeof kubeconfigs,
  { accountId, organizationId, role }: { accountId: string; organizationId: string; role: OrgRole },
): SQL =>
  mayRole(role, 'manage') ? eq(table.organizationId, organizationId) : ofMember(table, organizationId, accountId);

interface Ending {
  organizationId: string;
  accountId: string;
  /** The organisation stays: the person's SSH keys are taken off its instances. */
  keysGo: boolean;
  now: number;
}

/**
 * The membership, and with it its sessions, API tokens, kubeconfigs, conversations with models, spending cap, and the person's SSH
 * keys on instances there.
 */
export async function endMembership(tx: Sql, { organizationId, accountId, keysGo, now }: Ending): Promise<void> {
  await tx.delete(memberships).where(ofMember(memberships, organizationId, accountId));
  await tx.delete(sessions).where(ofMember(sessions, organizationId, accountId));
  await tx.delete(apiTokens).where(ofMember(apiTokens, organizationId, accountId));
  await tx.delete(chats).where(ofMember(chats, organizationId, accountId));
  await tx
    .update(kubeconfigs)
    .set({ revokedAt: new Date(now) })
    .where(and(ofMember(kubeconfigs, organizationId, accountId), isNull(kubeconfigs.revokedAt)));
  await forgetCap(tx, organizationId, accountId);
  if (keysGo) await takeKeysOff(tx, { organizationId, accountId, now });
}

/**
 * Credentials that a person created besides sessions, in every organisation: anyone with the old password may have created or
 * read them.
 */
export async function revokeCredentials(
  tx: Sql,
  accountId: string,
  now: number,
): Promise<{ apiTokens: number; kubeconfigs: number }> {
  const tokens = await tx.delete(apiTokens).where(eq(apiTokens.accountId, accountId)).returning({ id: apiTokens.id });
  const revoked = await tx
    .update(kubeconfigs)
    .set({ revokedAt: new Date(now) })
    .where(and(eq(kubeconfigs.accountId, accountId), isNull(kubeconfigs.revokedAt)))
    .returning({ id: kubeconfigs.id });
  return { apiTokens: tokens.length, kubeconfigs: revoked.length };
}

/**
 * Closes the cluster access of a disabled account in every organisation: its kubeconfigs, and its SSH keys on instances. The
 * memberships stay, for when it is enabled again. Returns the organisations.
 */
export async function closeAccess(tx: Sql, accountId: string, now: number): Promise<string[]> {
  await tx
    .update(kubeconfigs)
    .set({ revokedAt: new Date(now) })
    .where(and(eq(kubeconfigs.accountId, accountId), isNull(kubeconfigs.revokedAt)));
  const shown = await showAgain(tx, accountId);
  for (const organizationId of shown) await takeKeysOff(tx, { organizationId, accountId, now });
  return shown;
}

/** An account was disabled or let in again: the resources of its organisations follow. Returns the organisations. */
export async function showAgain(tx: Sql, accountId: string): Promise<string[]> {
  const living = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .innerJoin(memberships, eq(memberships.organizationId, organizations.id))
    .where(and(eq(memberships.accountId, accountId), isNull(organizations.deletedAt)))
    // One order for all, or two who come at once could wait for each other.
    .orderBy(asc(organizations.id))
    .for('update', { of: organizations });
  const ids = living.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .update(organizations)
      .set({ revision: sql`${organizations.revision} + 1` })
      .where(inArray(organizations.id, ids));
  return ids;
}

async function takeKeysOff(tx: Sql, { organizationId, accountId, now }: Omit<Ending, 'keysGo'>): Promise<void> {
  const others = alias(pubKeys, 'others');
  const left = await tx
    .select({ publicKey: pubKeys.publicKey })
    .from(pubKeys)
    .where(
      and(
        eq(pubKeys.accountId, accountId),
        // A key that two people share stays for the one who stays.
        not(
          exists(
            tx
              .select({ id: others.id })
              .from(others)
              .innerJoin(memberships, eq(memberships.accountId, others.accountId))
              .innerJoin(accounts, and(eq(accounts.id, others.accountId), isNull(accounts.disabledAt)))
              .where(
                and(
                  eq(others.publicKey, pubKeys.publicKey),
                  eq(memberships.organizationId, organizationId),
                  ne(others.accountId, accountId),
                ),
              ),
          ),
        ),
      ),
    );
  if (left.length > 0)
    await tx.insert(keyRemovals).values(
      left.map(({ publicKey }) => ({
        id: newId('rem'),
        namespace: organizationNamespace(organizationId),
        publicKey,
        accountId,
        createdAt: new Date(now),
      })),
    );
}
