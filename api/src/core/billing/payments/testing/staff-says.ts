// Staff's statement for tests about something else: nobody else is asked.
import type { Confirmation } from '../payments.ts';

export const STAFF_SAYS: Confirmation = {
  by: 'acc-staff',
  reason: 'on the statement',
  mayAlone: async () => undefined,
};
