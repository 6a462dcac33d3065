// The use of objects of any measured kind.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Served } from '../../../platform/http/serve.ts';
import type { MeasuredKind, ObjectUsage } from './usage.ts';

type Routes = Readonly<Record<string, RouteFacts>>;

export const objectUsageRoutes = ({ usage }: { usage: Pick<ObjectUsage, 'read'> }): Served[] =>
  Object.entries<Routes>(KIND_ROUTES).flatMap(([key, { usage: route }]) => {
    const facts = (KINDS as Readonly<Record<string, KindFacts>>)[key] as MeasuredKind;
    if (!route) return [];
    return [
      {
        route,
        handler: async ({ caller, params, query }) =>
          usage.read(caller as Caller, facts, (params as { id: string }).id, (query as { part?: string }).part),
      },
    ];
  });
