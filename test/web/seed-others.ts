// One object of each kind that the seed does not make by hand, like its sound one: pages of a new kind have something to show.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES, type ServedKind } from '@gantry/contract/http/kind-routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import type * as z from 'zod';
import type { HttpClient } from '../support/http-client.ts';
import { SOUND } from '../support/sound-objects.ts';

const BY_HAND: ReadonlySet<string> = new Set<ServedKind>([
  ...(['gpuInstance', 'dataDisk', 'gpuHost', 'image', 'job'] as const),
  ...(['containerService', 'modelDeployment', 'alertPolicy', 'dataProcess', 'fineTune', 'evaluation'] as const),
]);

type Creation = RouteFacts & { body: z.ZodObject };

/** Ids by the plural name of the kind. */
export async function seedOthers(client: HttpClient): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  for (const [key, { plural, api }] of Object.entries(KINDS) as [ServedKind, KindFacts][]) {
    if (!api?.writes || BY_HAND.has(key)) continue;
    const { create } = (KIND_ROUTES as Readonly<Record<string, Partial<Record<'create', RouteFacts>>>>)[key] ?? {};
    const { shape } = api.writes.create as z.ZodObject;
    const said = Object.entries(SOUND[key].spec).filter(([field]) => field in shape);
    const made: unknown = await client.must<Creation>(create as Creation, { body: Object.fromEntries(said) });
    ids[plural] = (made as { id: string }).id;
  }
  return ids;
}
