import { RUN_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';

/** Whether a change makes what runs start anew. */
export const restartsBy = (change: object): boolean => RUN_FIELDS.some((field) => Object.hasOwn(change, field));
