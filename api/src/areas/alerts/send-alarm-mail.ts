// Mails or texts a notice about alarms, to each recipient in their language, within the transaction that notes it as sent. A mail has
// a link that mutes the policy; one to a mailbox has another, that unsubscribes.
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Sql } from '../../platform/db/open.ts';
import { queueNotice } from '../../platform/mail/mail-queue.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Mailboxes } from './mailboxes.ts';
import { tell } from './message.ts';
import type { MuteLinks } from './mute-links.ts';
import { type Delivery, NotDelivered } from './notifier.ts';
import { mailRecipients, phoneRecipients } from './recipients.ts';

export interface MailWays {
  secrets: Secrets;
  clock: Pick<Clock, 'now'>;
  publicUrl: string;
  /** Whether this installation sends text messages. */
  canText: boolean;
  links: Pick<MuteLinks, 'issue'>;
  mailboxes: Pick<Mailboxes, 'stateOf' | 'token'>;
}

/** Rejects with NotDelivered. */
export async function sendAlarmMail(
  { links, mailboxes, ...ways }: MailWays,
  tx: Sql,
  { id, policy, organizationId, type, to, what, alarms, leftOut }: Delivery,
): Promise<void> {
  const { spec } = policy;
  const { creator } = spec;
  if (type === 'SMS' && !ways.canText) throw new NotDelivered('notConfigured', {}, true);
  const asked = { organizationId, creator, to };
  const recipients = await (type === 'SMS' ? phoneRecipients(tx, asked) : mailRecipients(tx, asked, mailboxes));
  const page = new URL(`/monitor/alarm/${encodeURIComponent(alarms[0]?.id ?? '')}`, ways.publicUrl).href;
  for (const { address, language, isMailbox } of recipients) {
    const { title, text } = tell(spec, what, alarms, language, leftOut);
    const link = new URL(`/monitor/mute#${links.issue(id)}`, ways.publicUrl).href;
    const mute = sentence(alertWords.notices.mute, language, { link });
    const isBad = what === 'fired' || what === 'repeated';
    const leaving = isMailbox
      ? unsubscribing(ways.publicUrl, mailboxes.token(organizationId, address), address, language)
      : undefined;
    const content = [text, isBad && type === 'Mail' && mute, leaving?.line].filter(Boolean).join('\n\n');
    const said = { title, content, url: page, ...(leaving && { unsubscribe: leaving.unsubscribe }) };
    const channel = type === 'SMS' ? 'phone' : 'email';
    await queueNotice(tx, ways.secrets, { channel, address, language }, said, ways.clock.now());
  }
}

/** A link for people, and an address for mail programs (RFC 8058). */
function unsubscribing(
  publicUrl: string,
  token: string,
  address: string,
  language: Language,
): { line: string; unsubscribe: string } {
  const link = new URL(`/monitor/unsubscribe#${token}`, publicUrl).href;
  return {
    line: sentence(alertWords.notices.unsubscribe, language, { address, link }),
    unsubscribe: new URL(`/api/monitor/v1/alert/unsubscribe/${token}`, publicUrl).href,
  };
}
