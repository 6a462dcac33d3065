// The tables of every area, and which of them may only grow.
import type { PgTable } from 'drizzle-orm/pg-core';
import * as events from './schema/events.ts';
import * as identity from './schema/identity.ts';
import * as invitations from './schema/invitations.ts';
import * as keys from './schema/keys.ts';
import * as messages from './schema/messages.ts';
import * as people from './schema/people.ts';
import * as realAuth from './schema/real-auth.ts';
import * as terminal from './schema/terminal.ts';

export const SCHEMA = {
  ...people,
  ...messages,
  ...identity,
  ...invitations,
  ...keys,
  ...realAuth,
  ...events,
  ...terminal,
};

/** Neither the gateway nor a person at a prompt changes or removes a row of these: a trigger refuses it (see generate.ts). */
export const APPEND_ONLY: readonly PgTable[] = [];
