// The operators' menu "model" over HTTP: which models the library shows.

import { MODEL_COMMANDS as C } from '@gantry/contract/areas/models/admin-models.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import type { Shelf } from './shelf.ts';

export interface AdminModelParts {
  shelf: Pick<Shelf, 'set'>;
  one(id: string): Promise<AdminRow<'models'>>;
}

type Said = Pick<Call<(typeof C)[keyof typeof C]>, 'caller' | 'params' | 'body' | 'audit'>;

export function adminModelRoutes({ shelf, one }: AdminModelParts): Served[] {
  const set = async ({ caller, params: { id }, body: { reason }, audit }: Said, isShelved: boolean) => {
    Object.assign(audit, { object: `Model/${id}`, reason });
    await shelf.set(id, isShelved, caller.account.id);
    return one(id);
  };
  return [
    serve(C.adminShelveModel, (call) => set(call, true)),
    serve(C.adminUnshelveModel, (call) => set(call, false)),
  ];
}
