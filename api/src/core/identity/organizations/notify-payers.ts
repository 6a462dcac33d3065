// Notifies an organisation's payers, and another member if that is asked for, once per key: in the bell, and by mail in their language.
import { sentence, type Words } from '@gantry/contract/define-kind.ts';
import { argsIn } from '@gantry/contract/localized.ts';
import { PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { queueNotice } from '../../../platform/mail/mail-queue.ts';
import type { MessageStore } from '../../../platform/messages/message-store.ts';
import type { Secrets } from '../../../platform/secrets.ts';

export interface PayersNotice {
  organizationId: string;
  /** A notice with the same key is sent once. */
  key: string;
  title: Words;
  content: Words;
  args: Record<string, string>;
  /** The subject: the plural name of its kind, and its name. */
  object?: { kind: string; id: string } | undefined;
  /** The account of a member who hears of it, too. */
  also?: string | undefined;
  /** The page of the console to which the mail leads; billing if absent. */
  page?: string;
}

/** Ends its caller's transaction: messages are numbered in the order of commits. */
export type Notify = (tx: Sql, notice: PayersNotice) => Promise<void>;

interface Ways {
  messages: Pick<MessageStore, 'send'>;
  secrets: Secrets;
  clock: Pick<Clock, 'now'>;
  publicUrl: string;
}

export const notifyPayers =
  (ways: Ways): Notify =>
  async (tx, notice) => {
    const { organizationId, key, title, content, args, object, also } = notice;
    const audience = { organization: organizationId, roles: PAYERS, ...(also !== undefined && { also }) };
    const isNews = await ways.messages.send({ key, title, content, args, ...(object && { object }) }, audience, tx);
    if (isNews) await mailPayers(ways, tx, notice);
  };

async function mailPayers(
  { secrets, clock, publicUrl }: Ways,
  tx: Sql,
  { organizationId, title, content, args, also, page = '/manage/billing' }: PayersNotice,
): Promise<void> {
  const people = await tx
    .select({ address: accounts.email, language: accounts.locale, organization: organizations.name })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        or(inArray(memberships.role, [...PAYERS]), ...(also === undefined ? [] : [eq(memberships.accountId, also)])),
        isNotNull(accounts.email),
        isNull(accounts.disabledAt),
      ),
    );
  for (const { address, language, organization } of people) {
    const own = argsIn(language, args);
    const said = {
      title: `${organization}: ${sentence(title, language, own)}`,
      content: sentence(content, language, own),
      url: `${publicUrl}${page}`,
    };
    await queueNotice(tx, secrets, { address: address ?? '', language }, said, clock.now());
  }
}
