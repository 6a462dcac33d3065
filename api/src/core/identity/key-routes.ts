// SSH keys, API tokens and kubeconfigs over HTTP. An API token sees them and makes none: it could make one that may more.
import { KEY_ROUTES as R } from '@gantry/contract/areas/identity/keys.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { demandSession } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { ApiToken, ApiTokens } from './keys/api-tokens.ts';
import type { Kubeconfig, Kubeconfigs } from './keys/kubeconfigs.ts';
import type { PubKey, PubKeys } from './keys/pub-keys.ts';

export interface KeyRouteParts {
  clock: Clock;
  pubKeys: PubKeys;
  apiTokens: ApiTokens;
  kubeconfigs: Kubeconfigs;
}

/** An API token that may not manage sees its person's own, whatever that one's role. */
const whoOf = ({ account, organization, session }: Caller) => ({
  accountId: account.id,
  organizationId: organization.id,
  role: session.kind === 'session' || session.scopes.includes('manage') ? organization.role : ('viewer' as const),
});
const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

export function keyRoutes({ clock, pubKeys, apiTokens, kubeconfigs }: KeyRouteParts): Served[] {
  const expiryOf = (expiresAt: Date | null) => ({
    expiration_time: expiresAt?.toISOString() ?? null,
    status:
      expiresAt === null
        ? ('permanent' as const)
        : expiresAt.getTime() > clock.now()
          ? ('active' as const)
          : ('expired' as const),
  });
  const pubKeyOf = (key: PubKey) => ({
    id: key.id,
    remark: key.remark,
    public_key: key.publicKey,
    fingerprint: key.fingerprint,
    ...expiryOf(key.expiresAt),
    create_time: key.createdAt.toISOString(),
  });
  const apiTokenOf = (token: ApiToken) => ({
    id: token.id,
    remark: token.remark,
    creator: token.creator,
    creator_id: token.accountId,
    scopes: token.scopes,
    ...expiryOf(token.expiresAt),
    create_time: token.createdAt.toISOString(),
    last_used_time: token.lastUsedAt?.toISOString() ?? null,
    limits: token.limits,
  });
  const kubeconfigOf = (kubeconfig: Kubeconfig) => ({
    id: kubeconfig.id,
    remark: kubeconfig.remark,
    creator: kubeconfig.creator,
    creator_id: kubeconfig.accountId,
    expiration_time: kubeconfig.expiresAt.toISOString(),
    create_time: kubeconfig.createdAt.toISOString(),
  });

  return [
    serve(R.listPubKeys, async ({ caller, query }) => {
      const { items, total, ...extra } = await pubKeys.list(caller.account.id, query);
      return { items: items.map(pubKeyOf), total, extra };
    }),
    serve(R.createPubKey, async ({ caller, body, audit, idempotencyKey }) => {
      demandSession(caller);
      const { remark, public_key: publicKey, expiration_time: expires } = body;
      const wanted = { remark, publicKey, expiresAt: dateOf(expires) };
      const made = await pubKeys.add(caller.account.id, wanted, idempotencyKey);
      audit.object = `PubKey/${made.id}`;
      return pubKeyOf(made);
    }),
    serve(R.deletePubKey, async ({ caller, params, audit }) => {
      demandSession(caller);
      audit.object = `PubKey/${params.id}`;
      await pubKeys.remove(caller.account.id, params.id);
    }),

    serve(R.listApiTokens, async ({ caller, query }) => {
      const { items, total, ...extra } = await apiTokens.list(whoOf(caller), query);
      return { items: items.map(apiTokenOf), total, extra };
    }),
    serve(R.createApiToken, async ({ caller, body, audit }) => {
      demandSession(caller);
      const { remark, scopes, expiration_time: expires, limits } = body;
      const made = await apiTokens.add(whoOf(caller), { remark, scopes, expiresAt: dateOf(expires), limits });
      audit.object = `ApiToken/${made.id}`;
      return { ...apiTokenOf(made), token: made.secret };
    }),
    serve(R.getApiToken, async ({ caller, params }) => apiTokenOf(await apiTokens.get(whoOf(caller), params.id))),
    serve(R.deleteApiToken, async ({ caller, params, audit }) => {
      demandSession(caller);
      audit.object = `ApiToken/${params.id}`;
      await apiTokens.remove(whoOf(caller), params.id);
    }),

    serve(R.listKubeconfigs, async ({ caller, query }) => {
      const { items, total, ...extra } = await kubeconfigs.list(whoOf(caller), query);
      return { items: items.map(kubeconfigOf), total, extra };
    }),
    serve(R.createKubeconfig, async ({ caller, body, audit }) => {
      demandSession(caller);
      const expiresAt = new Date(body.expiration_time);
      const made = await kubeconfigs.add(whoOf(caller), { remark: body.remark, expiresAt });
      audit.object = `Kubeconfig/${made.id}`;
      return { ...kubeconfigOf(made), kubeconfig: made.text };
    }),
    serve(R.deleteKubeconfig, async ({ caller, params, audit }) => {
      demandSession(caller);
      audit.object = `Kubeconfig/${params.id}`;
      await kubeconfigs.remove(whoOf(caller), params.id);
    }),
  ];
}
