// How a column of money looks: micro-units as a bigint, branded on the way out.
import type { Micros } from '@gantry/contract/fields/money.ts';
import { bigint } from 'drizzle-orm/pg-core';

export const amount = (name: string) => bigint(name, { mode: 'bigint' }).$type<Micros>();
