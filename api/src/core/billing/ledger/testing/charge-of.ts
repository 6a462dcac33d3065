// A charge as tests post it.
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { Charge } from '../wallet-rules.ts';

export const chargeOf = (key: string, organizationId: string, price: Micros): Charge => ({
  key,
  organizationId,
  list: price,
  net: price,
  at: new Date('2026-01-01T00:00:00Z'),
  bill: { id: `bill-${organizationId}`, type: 'consumption', source: 'container_rent', reference: 'GpuInstance/ins-1' },
  subject: `subject-${organizationId}`,
});
