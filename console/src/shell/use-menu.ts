// The sidebar's groups for this person, and which of their menus is the one that is shown.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { useMemo } from 'react';
import { type MenuGroup, menuOf } from './menu.ts';
import { usePages } from './pages.tsx';

export function useMenu(): readonly MenuGroup[] {
  const pages = usePages();
  const { data: nodes } = useCall(CALLS.getPermissionNodes, nodesInput('tenant'), {
    staleMs: Number.POSITIVE_INFINITY,
  });
  const { data: settings } = useSettings();
  const variant = settings?.console_variant ?? 'full';
  return useMemo(() => menuOf(nodes ?? [], pages, variant), [nodes, pages, variant]);
}
