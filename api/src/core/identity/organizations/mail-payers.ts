// Mails an organisation's payers, and another member if that is asked for, in their language, within the caller's transaction.
import { sentence, type Words } from '@gantry/contract/define-kind.ts';
import { argsIn } from '@gantry/contract/localized.ts';
import { PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { queueMail } from '../../../platform/mail/mail-queue.ts';
import type { Secrets } from '../../../platform/secrets.ts';

interface News {
  title: Words;
  content: Words;
  args: Record<string, string>;
}

export async function mailPayers(
  parts: { secrets: Secrets; clock: Pick<Clock, 'now'>; publicUrl: string },
  tx: Sql,
  organizationId: string,
  { title, content, args }: News,
  { also, page = '/manage/billing' }: { also?: string | undefined; page?: string } = {},
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
    const filled = {
      title: `${organization}: ${sentence(title, language, own)}`,
      content: sentence(content, language, own),
      url: `${parts.publicUrl}${page}`,
    };
    const mail = { channel: 'email', address: address ?? '', template: 'notice', language, args: filled } as const;
    await queueMail(tx, parts.secrets, mail, parts.clock.now());
  }
}
