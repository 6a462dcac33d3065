// Tokens for programs: each has some of one's rights in this organisation. Its secret is shown once.

import type { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { useMe } from '../../../parts/use-me.ts';
import { useAccountWords } from '../use-account-words.ts';
import { CreateApiTokenDialog } from './create-api-token-dialog.tsx';
import { KeyList, useCreatorColumn } from './key-list.tsx';
import { limitTexts } from './typed-limits.ts';

const USAGE_DAYS = 30;
const DAY_MS = 86_400_000;

type ApiToken = ItemOf<typeof KEY_ROUTES.listApiTokens>;

export function ApiTokensTab() {
  const t = useAccountWords();
  const ui = useUiWords();
  const { data: me } = useMe();
  const creator = useCreatorColumn();
  const from = useMemo(() => new Date(Date.now() - (USAGE_DAYS - 1) * DAY_MS).toISOString().slice(0, 10), []);
  const { data: usage } = useCall(CALLS.getTokenUsage, { query: { from, by: 'token' } });
  const columns = useMemo(
    (): readonly Column<ApiToken>[] => [
      creator,
      {
        id: 'scopes',
        label: t('tokens.scopes'),
        width: 'minmax(9rem, 1.4fr)',
        cell: ({ scopes }) => scopes.map((scope) => t(`rights.${scope}.name`)).join(', '),
      },
      {
        id: 'limits',
        label: t('tokens.limits'),
        width: 'minmax(9rem, 1.4fr)',
        isWideOnly: true,
        cell: ({ limits }) => limitTexts(limits, t).join(' · ') || t('tokens.limitsNone'),
      },
      {
        id: 'usage',
        label: t('tokens.usage'),
        width: 'minmax(9rem, 1.2fr)',
        isWideOnly: true,
        cell: ({ id }) => {
          const sum = usage?.sums.find(({ key }) => key === id);
          if (!usage || !sum) return '–';
          const count = numberText(sum.prompt_tokens + sum.completion_tokens);
          return t('tokens.usageOf', { count, amount: rateText(sum.amount, usage.currency) });
        },
      },
      {
        id: 'used',
        label: t('tokens.lastUsed'),
        width: 'minmax(10.5rem, 1.2fr)',
        cell: ({ last_used_time }) => (last_used_time === null ? ui('states.never') : timeText(last_used_time)),
      },
    ],
    [t, ui, creator, usage],
  );
  return (
    <KeyList
      list={CALLS.listApiTokens}
      remove={CALLS.deleteApiToken}
      columns={columns}
      title={t('tokens.title')}
      lead={t('tokens.lead')}
      emptyTitle={t('tokens.emptyTitle')}
      emptyHint={t('tokens.emptyHint')}
      create={t('tokens.create')}
      canCreate={me !== undefined}
      dialog={(onClose) => me && <CreateApiTokenDialog role={me.role} onClose={onClose} />}
      lost={[t('tokens.lost')]}
    />
  );
}
