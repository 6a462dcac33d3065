// One person in one organisation: the role, what ends with it, and who may change it.

import { organizationNamespace } from '@gantry/contract/names.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { and, eq, exists, isNull, ne, not } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../db/open.ts';
import { apiTokens, keyRemovals, kubeconfigs, pubKeys } from '../db/schema/keys.ts';
import { memberships, sessions } from '../db/schema/people.ts';
import { newId } from '../ids.ts';

type Sql = Database['sql'];

/** Whoever manages may change anybody's role but an owner's, and make nobody an owner: that is for owners. */
export const mayChangeRole = (actor: OrgRole, from: OrgRole | undefined, to: OrgRole | undefined): boolean =>
  actor === 'owner' || (actor === 'admin' && from !== 'owner' && to !== 'owner');

export async function roleIn(tx: Sql, organizationId: string, accountId: string): Promise<OrgRole | undefined> {
  const [row] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(ofMember(memberships, organizationId, accountId));
  return row?.role;
}

export const ofMember = (
  table: typeof memberships | typeof sessions | typeof apiTokens | typeof kubeconfigs,
  organizationId: string,
  accountId: string,
) => and(eq(table.organizationId, organizationId), eq(table.accountId, accountId));

interface Ending {
  organizationId: string;
  accountId: string;
  /** The organisation stays: the person's SSH keys are taken off its instances. */
  keysGo: boolean;
  now: number;
}

/** The membership, and with it its sessions, API tokens, kubeconfigs, and the person's SSH keys on instances there. */
export async function endMembership(tx: Sql, { organizationId, accountId, keysGo, now }: Ending): Promise<void> {
  await tx.delete(memberships).where(ofMember(memberships, organizationId, accountId));
  await tx.delete(sessions).where(ofMember(sessions, organizationId, accountId));
  await tx.delete(apiTokens).where(ofMember(apiTokens, organizationId, accountId));
  await tx
    .update(kubeconfigs)
    .set({ revokedAt: new Date(now) })
    .where(and(ofMember(kubeconfigs, organizationId, accountId), isNull(kubeconfigs.revokedAt)));
  if (!keysGo) return;
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
