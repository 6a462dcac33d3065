// Objects in clusters besides our own: which kinds may be there, and whose organisations are whose. A name alone says nothing: another
// gateway may have an organisation of the same name.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ANNOTATION, organizationOf } from '@gantry/contract/names.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';

const PLACED = new Set(
  Object.values<KindFacts>(KINDS)
    .filter(({ api }) => api?.writes && 'region' in (api.writes.create as unknown as { shape: object }).shape)
    .map(({ kind }) => kind),
);

/** Whether objects of this kind may be in other clusters: those whose creation body names a region. */
export const isPlaced = ({ kind }: { kind: string }): boolean => PLACED.has(kind);

type Organizations = Pick<WatchCache, 'get'>;

/** The region of the gateway that made this organisation in another cluster than its own; undefined for what is at home there. */
export const homeOf = (cache: Organizations, id: string): string | undefined =>
  cache.get<Organization>(organization, undefined, id)?.metadata.annotations?.[ANNOTATION.home];

/** Whether the organisation of a namespace was made there by the gateway of this region. */
export const isMadeBy =
  (region: string, cache: Organizations) =>
  (namespace: string): boolean =>
    homeOf(cache, organizationOf(namespace) ?? '') === region;
