// A write that loses to somebody else's is no fault for whoever looks again: the next look sees what they wrote.
import { isConflict } from '@gantry/kube/api-error.ts';

/** Rejects with every fault of the write but a conflict. */
export async function unlessChanged(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!isConflict(error)) throw error;
  });
}
