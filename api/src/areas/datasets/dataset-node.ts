// A version of a dataset in the lineage.
import type { MadeNode } from '../../core/lineage/lineage-rows.ts';
import type { DatasetRow, VersionRow } from './dataset-rows.ts';

export const lineageOf = ({ organizationId, id }: Pick<DatasetRow, 'organizationId' | 'id'>) =>
  ({ organizationId, kind: 'dataset', ref: id }) as const;

export const versionNode = (
  dataset: Pick<DatasetRow, 'organizationId' | 'id' | 'name' | 'managersOnly'>,
  { id, number }: Pick<VersionRow, 'id' | 'number'>,
  digest: string,
): MadeNode => ({
  ...lineageOf(dataset),
  version: `${number}`,
  uid: id,
  digest,
  name: dataset.name,
  managersOnly: dataset.managersOnly,
});
