// One step towards what is wanted of a disk.
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { defineController } from '../../define-controller.ts';

export const dataDiskController = defineController<DataDisk, Record<never, never>, unknown>({
  facts: dataDisk,
  reads: {},
  plan: () => ({}),
});
