// A Snapshot has no children: the node agent, or the registry, carries it out and writes its status.
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { defineController } from '../../define-controller.ts';

export const snapshotController = defineController<Snapshot, Record<never, never>, unknown>({
  facts: snapshot,
  reads: {},
  plan: () => ({}),
});
