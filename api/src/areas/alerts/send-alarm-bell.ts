// Puts a notice about alarms into the bell of an organisation's members, within the transaction that notes it as sent.
import type { Words } from '@gantry/contract/define-kind.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { mayRole, ORG_ROLES } from '@gantry/contract/roles.ts';
import type { Sql } from '../../platform/db/open.ts';
import type { MessageStore } from '../../platform/messages/message-store.ts';
import { tell } from './message.ts';
import type { Delivery } from './notifier.ts';

export async function sendAlarmBell(
  messages: Pick<MessageStore, 'send'>,
  tx: Sql,
  { id, policy, organizationId, what, alarms, leftOut }: Delivery,
): Promise<void> {
  const { spec } = policy;
  const { creator } = spec;
  const inEach = (of: 'title' | 'text'): Words =>
    Object.fromEntries(
      LANGUAGES.map((language) => [language, tell(spec, what, alarms, language, leftOut)[of]]),
    ) as unknown as Words;
  const object = { kind: 'alarms', id: alarms[0]?.id ?? '' };
  const roles = ORG_ROLES.filter((role) => mayRole(role, 'use'));
  await messages.send(
    { key: `alarm/${id}`, title: inEach('title'), content: inEach('text'), object },
    { organization: organizationId, roles, ...(creator && { also: creator }) },
    tx,
  );
}
