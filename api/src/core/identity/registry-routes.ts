// Private registries over HTTP. What logs in goes to the cluster and never comes back.
import { REGISTRY_ROUTES as R } from '@gantry/contract/areas/identity/registries.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Registries, Registry } from './keys/registries.ts';

const viewOf = ({ name, server, username, creatorId, createdAt }: Registry) => ({
  id: name,
  server,
  user: username,
  creator: creatorId,
  create_time: createdAt.toISOString(),
});

export const registryRoutes = ({ registries }: { registries: Registries }): Served[] => [
  serve(R.listRegistries, async ({ caller, query }) => {
    const { items, total, ...extra } = await registries.list(caller.organization.id, query);
    return { items: items.map(viewOf), total, extra };
  }),
  serve(R.createRegistry, async ({ caller, body: { id, ...login }, audit }) => {
    audit.object = `Registry/${id}`;
    return viewOf(await registries.add(caller, id, login));
  }),
  serve(R.deleteRegistry, async ({ caller, params: { id }, audit }) => {
    audit.object = `Registry/${id}`;
    await registries.remove(caller, id);
  }),
];
