// How a payment's message looks.
import { expect, test } from '@jest/globals';
import { severityOf } from './payment-state.ts';

test.each([
  ['called off is no error', 'paid_failed', 'given_up', 'info'],
  ['that was declined is one', 'paid_failed', 'card_declined', 'error'],
  ['that has arrived is good', 'paid', null, 'success'],
  ['under way is neither', 'paiding', null, 'info'],
] as const)('a payment %s', (_, status, failure, severity) => expect(severityOf({ status, failure })).toBe(severity));
