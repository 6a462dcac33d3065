// Ways of giving value outside of finance: a node for one organisation alone, and more credits for whoever is new.
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { Ways } from './billing/giving/gifts.ts';
import type { StaffNodes } from './kinds/staff/staff-nodes.ts';
import type { Settings } from './settings/settings.ts';

export function otherWays(nodes: Pick<StaffNodes, 'row' | 'act'>, settings: Settings): Pick<Ways, 'node' | 'setting'> {
  return {
    node: {
      async facts({ node, organizationId }) {
        nodes.row(node);
        return { organizationId, worth: undefined, detail: node };
      },
      async carryOut({ node, organizationId }, { reason }) {
        const command = { action: 'join' as const, organization_id: organizationId, reason };
        await nodes.act(node, command, async () => undefined);
        return undefined;
      },
    },
    setting: {
      async facts({ id, value }) {
        const { value: before, installed } = settings.setting(id);
        const after = value ?? installed;
        if (id !== 'welcome-credit') return undefined;
        settings.check(id, after);
        const [was, will] = [parseMoney(before), parseMoney(after)];
        if (will <= was) return undefined;
        return { organizationId: '', worth: undefined, detail: `${id}: ${moneyText(was)} → ${moneyText(will)}` };
      },
      async carryOut({ id, value }, giver) {
        if (value === null) await settings.reset(id);
        else await settings.change(id, value, giver.id);
        return undefined;
      },
    },
  };
}
