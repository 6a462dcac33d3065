// Posts a notice about alarms to a receiver outside: a webhook or a robot. Redirects are not followed, and what a name resolves to is
// where the connection goes.
import { signedPost } from '../../platform/mail/signed-post.ts';
import type { Platform } from '../../platform/open.ts';
import type { Contacts } from './contacts.ts';
import { outgoing, refusalIn } from './formats.ts';
import { tell } from './message.ts';
import { type Delivery, NotDelivered } from './notifier.ts';
import { languageOf } from './recipients.ts';

/** Rejects with NotDelivered. */
export async function postAlarm(
  { clock, db, config }: Pick<Platform, 'clock' | 'db' | 'config'>,
  contacts: Contacts,
  { id, organizationId, to = '', type, what, alarms, leftOut, policy }: Delivery,
): Promise<void> {
  const contact = await contacts.read(organizationId, to);
  if (!contact || contact.type !== type) throw new NotDelivered('noContact', { name: to }, true);
  const now = clock.now();
  const { creator, language = await languageOf(db.sql, { organizationId, creator }) } = policy.spec;
  const told = tell(policy.spec, what, alarms, language, leftOut);
  const { url, body } = outgoing(contact, { id, what, told, alarms, now });
  const answer = await signedPost({ url, key: contact.key, allowInner: config.alertsAllowInner }, body, now).catch(
    (error: unknown) => {
      const { code = '' } = error as { code?: string };
      if (code === 'EINNER') throw new NotDelivered('innerAddress', { host: new URL(url).hostname }, true);
      const [, status] = /^HTTP (\d+)$/.exec(code) ?? [];
      if (status === undefined) throw new NotDelivered('unreachable');
      throw status.startsWith('3') ? new NotDelivered('redirected') : new NotDelivered('answered', { status });
    },
  );
  const refusal = refusalIn(type, answer);
  if (refusal !== undefined) throw new NotDelivered('refused', { detail: refusal });
}
