// Amounts of money and their currency on the wire; calculations need no schema and are in money.ts.
import * as z from 'zod';

/** ISO 4217. */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);

/** An amount as the API writes it. */
export const money = z
  .string()
  .regex(/^-?\d{1,13}\.\d{2,6}$/)
  .meta({ description: "Decimal, in the organisation's currency: 12.34" });

/** An amount that a person names: above zero, at most two decimals. */
export const amountToPay = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,2})?$/, 'amount_rule')
  .meta({ description: 'Decimal, above zero, with at most two decimals: 20 or 12.34' });
