// Tells an organisation's owners of a person whom staff proposed to them, once for each person.
import { namingRole } from '@gantry/contract/role-names.ts';
import { NOTICES } from '../../core/identity/organizations/notices.ts';
import type { MessageStore } from '../../platform/messages/message-store.ts';
import type { ProposedPerson } from './admin-home-routes.ts';

/** Never throws and is not awaited: the person is proposed, whether or not the owners hear of it now. */
export const ownersTold =
  (messages: Pick<MessageStore, 'send'>, log: { error(facts: object, message: string): void }) =>
  ({ accountId, person, staff, organization, role }: ProposedPerson): void => {
    const args = { person, staff, organization: organization.name, ...namingRole(role) };
    void messages
      .send(
        { key: `imported/${accountId}`, ...NOTICES.personProposed, args },
        { organization: organization.id, roles: ['owner'] },
      )
      .catch((error: unknown) =>
        log.error({ err: error, accountId }, 'the owners could not be told of a proposed person'),
      );
  };
