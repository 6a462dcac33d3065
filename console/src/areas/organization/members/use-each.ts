// A command for each of several members, and what became of it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { eachByItself, type Refusal } from '../../../parts/each-by-itself.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

const OUT_OF_DATE = [
  CALLS.listMembers,
  CALLS.findAccounts,
  CALLS.getSpendCaps,
  CALLS.getMyOrganization,
  CALLS.getMe,
  CALLS.getPermissionNodes,
];

export function useEach<Item>(onDone: () => void) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const toast = useToast();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly Refusal<Item>[]>([]);
  const run = async (items: readonly Item[], call: (item: Item) => Promise<unknown>) => {
    setBusy(true);
    const failures = await eachByItself(items, call);
    setBusy(false);
    setRefused(failures);
    for (const read of OUT_OF_DATE) void client.invalidateQueries({ queryKey: keyOf(read) });
    if (failures.length > 0) return;
    toast.success(items.length === 1 ? ui('toasts.done') : t('batch.done', { smart_count: items.length }));
    onDone();
  };
  return { run, isBusy, refused };
}
