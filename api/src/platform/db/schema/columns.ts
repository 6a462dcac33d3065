// Columns that tables of every schema have.
import type { Micros } from '@gantry/contract/fields/money.ts';
import { bigint, timestamp } from 'drizzle-orm/pg-core';

/** Money: micro-units as a bigint, branded on the way out. */
export const amount = (name: string) => bigint(name, { mode: 'bigint' }).$type<Micros>();

/** A moment: with its zone, and a Date in our hands. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
