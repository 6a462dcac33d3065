// How the map and the lists name a thing.
import { type LineageNodeView, MOST_COUNTED } from '@gantry/contract/areas/lineage/lineage.ts';
import type { usePartsWords } from '../use-parts-words.ts';
import type { Way } from './lineage-graph.ts';
import { LINEAGE_PAGES } from './lineage-kinds.ts';

type Words = ReturnType<typeof usePartsWords>;

/** With its version, which tells it from others of its name. */
export const nameOf = (t: Words, { name, version, is_own: isOwn }: LineageNodeView): string => {
  if (!isOwn) return t('lineage.ofLibrary', { name });
  return version === null ? name : `${name} ${version}`;
};

/** Undefined for what is gone, and for others' things. */
export const pageOf = ({ kind, id, version, gone_time: gone }: LineageNodeView): string | undefined =>
  id === null || gone !== null ? undefined : LINEAGE_PAGES[kind]({ id, version });

export const countText = (count: number): string => (count >= MOST_COUNTED ? `${MOST_COUNTED}+` : `${count}`);

export const MORE = { up: 'lineage.showSources', down: 'lineage.showUses' } as const satisfies Record<Way, string>;
