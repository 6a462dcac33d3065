import { inArray } from 'drizzle-orm';
import { invitations } from './schema/invitations.ts';

/** The condition for an invitation that waits for an answer, or to be sent. */
export const isOpen = inArray(invitations.state, ['proposed', 'pending']);
