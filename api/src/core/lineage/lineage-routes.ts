// The lineage of one thing over HTTP.
import { LINEAGE_ROUTES as R } from '@gantry/contract/areas/lineage/lineage.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Lineage } from './lineage.ts';

export const lineageRoutes = ({ lineage }: { lineage: Lineage }): Served[] => [
  serve(R.getLineage, ({ caller, query }) => lineage.of(caller, query)),
];
