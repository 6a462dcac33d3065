// The page of each kind of thing that has a lineage.
import type { LineageKind } from '@gantry/contract/areas/lineage/lineage.ts';

export const LINEAGE_PAGES: Readonly<Record<LineageKind, string>> = {
  model: '/model/space',
  deployment: '/model/deployment',
  dataset: '/data/space',
};
