// Notifies an organisation's payers, by a message and by mail, once per key.
import type { Words } from '@gantry/contract/define-kind.ts';
import { PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Sql } from '../../../platform/db/open.ts';
import type { MessageStore } from '../../../platform/messages/message-store.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { mailPayers } from './mail-payers.ts';

export interface PayersNotice {
  organizationId: string;
  key: string;
  title: Words;
  content: Words;
  args: Record<string, string>;
}

/** The returned function ends its caller's transaction: messages are numbered in the order of commits. */
export function tellPayers(parts: {
  store: Pick<MessageStore, 'send'>;
  secrets: Secrets;
  clock: Pick<Clock, 'now'>;
  publicUrl: string;
}): (tx: Sql, notice: PayersNotice) => Promise<void> {
  return async (tx, { organizationId, ...notice }) => {
    const isNews = await parts.store.send(notice, { organization: organizationId, roles: PAYERS }, tx);
    if (isNews) await mailPayers(parts, tx, organizationId, notice);
  };
}
