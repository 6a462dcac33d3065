// The wallet over HTTP. Whose it is, the token says.

import { WALLET_ROUTES as R } from '@gantry/contract/areas/billing/wallet.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { parse } from '../../platform/http/parse.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { OpenGate } from './gate/open-gate.ts';

/** `mustBeRegion` throws region_closed, `mustBeOffered` payment_channel_missing. */
export function walletRoutes(
  gate: Pick<OpenGate, 'checks' | 'caps' | 'setCaps'>,
  mustBeRegion: (region: string) => void,
  mustBeOffered: (channel: string) => void,
): Served[] {
  return [
    serve(R.balances, ({ caller, query: { payment_channel: channel } }) => {
      if (channel !== undefined) mustBeOffered(channel);
      return gate.checks.walletOf(caller.organization.id);
    }),
    serve(R.estimate, ({ caller, body, language }) => {
      const facts = (Object.values(KINDS) as readonly KindFacts[]).find(({ kind }) => kind === body.kind);
      const { cost } = facts ?? {};
      if (!facts || !cost) throw problem('no_such_reference', { what: 'kind', name: body.kind }, { field: 'kind' });
      if (body.region !== undefined) mustBeRegion(body.region);
      const spec = parse(facts.spec, body.spec, language);
      const object = {
        apiVersion: API_VERSION,
        kind: facts.kind,
        metadata: { name: 'estimate', namespace: caller.organization.namespace },
        spec,
      } as KubeObject;
      const wisher = { organizationId: caller.organization.id, accountId: caller.account.id };
      return gate.checks.estimate(wisher, {
        ...{ facts: { ...facts, cost }, object },
        ...(body.region !== undefined && { region: body.region }),
      });
    }),
    serve(R.caps, ({ caller }) => gate.caps(caller.organization.id)),
    serve(R.setCaps, ({ caller, body, audit }) => {
      const { id } = caller.organization;
      audit.object = `Caps/${id}`;
      const amountOf = (text: string | null) => (text === null ? null : parseMoney(text));
      return gate.setCaps(id, {
        ...(body.organization !== undefined && { organization: amountOf(body.organization) }),
        members: Object.fromEntries((body.members ?? []).map((one) => [one.account_id, amountOf(one.cap)])),
      });
    }),
  ];
}
