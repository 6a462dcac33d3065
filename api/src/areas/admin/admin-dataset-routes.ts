// The operators' menu "dataset" over HTTP: which datasets everybody is shown.
import { DATASET_COMMANDS as C } from '@gantry/contract/areas/datasets/admin-datasets.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';

/** What staff need of the area of datasets, which is not known here. */
export interface DatasetShelf {
  page(query: AdminQuery): Promise<Page<AdminRow<'datasets'>>>;
  usage(query: AdminQuery): Promise<Page<AdminRow<'dataset-usage'>>>;
  /** Throws not_found, dataset_abnormal, dataset_of_tenant, dataset_of_collected. */
  set(id: string, isShelved: boolean, by: string): Promise<void>;
}

interface AdminDatasetParts {
  shelf: Pick<DatasetShelf, 'set'>;
  one(id: string): Promise<AdminRow<'datasets'>>;
}

type Said = Pick<Call<(typeof C)[keyof typeof C]>, 'caller' | 'params' | 'body' | 'audit'>;

export function adminDatasetRoutes({ shelf, one }: AdminDatasetParts): Served[] {
  const set = async ({ caller, params: { id }, body: { reason }, audit }: Said, isShelved: boolean) => {
    Object.assign(audit, { object: `Dataset/${id}`, reason });
    await shelf.set(id, isShelved, caller.account.id);
    return one(id);
  };
  return [
    serve(C.adminShelveDataset, (call) => set(call, true)),
    serve(C.adminUnshelveDataset, (call) => set(call, false)),
  ];
}
