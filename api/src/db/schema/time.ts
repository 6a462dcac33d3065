// A moment in a table: with its zone, and a Date in our hands.
import { timestamp } from 'drizzle-orm/pg-core';

export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
