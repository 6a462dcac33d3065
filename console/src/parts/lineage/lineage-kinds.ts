// The page of each kind of thing that has a lineage.
import type { LineageKind, LineageNodeView } from '@gantry/contract/areas/lineage/lineage.ts';

type Thing = Pick<LineageNodeView, 'version'> & { id: string };

const below =
  (path: string) =>
  ({ id }: Thing): string =>
    `${path}/${encodeURIComponent(id)}`;

export const LINEAGE_PAGES: Readonly<Record<LineageKind, (thing: Thing) => string>> = {
  dataset: ({ id, version }) =>
    `${below('/data/space')({ id, version })}/files${version === null ? '' : `?version=${version}`}`,
  process: below('/data/processing'),
  finetune: below('/model/finetune'),
  model: below('/model/space'),
  evaluation: below('/model/evaluation'),
  deployment: below('/model/deployment'),
  // Of deployments that are gone, too.
  collected: () => '/model/collected',
};
