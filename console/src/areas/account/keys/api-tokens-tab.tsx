// Tokens for programs: each has some of one's rights in this organisation. Its secret is shown once.
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { KEY_ROUTES } from '@gantry/contract/http/keys.ts';
import { useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useMe } from '../../../parts/use-me.ts';
import { useAccountWords } from '../use-account-words.ts';
import { CreateApiTokenDialog } from './create-api-token-dialog.tsx';
import { DeleteButton } from './delete-button.tsx';
import { ExpiryText } from './expiry-text.tsx';

type ApiToken = ItemOf<typeof KEY_ROUTES.listApiTokens>;

export function ApiTokensTab() {
  const t = useAccountWords();
  const me = useMe();
  const list = useList(CALLS.listApiTokens);
  const [isCreating, setCreating] = useState(false);
  const [doomed, setDoomed] = useState<ApiToken>();
  const columns = useColumns(me.data?.account_id, setDoomed);
  const create = (
    <Button variant="contained" startIcon={<Add />} onClick={() => setCreating(true)} disabled={!me.data}>
      {t('tokens.create')}
    </Button>
  );
  return (
    <Section title={t('tokens.title')} lead={t('tokens.lead')} actions={list.items.length > 0 && create}>
      <DataTable
        label={t('tokens.title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ remark }) => remark}
        empty={
          <EmptyState title={t('tokens.emptyTitle')} hint={t('tokens.emptyHint')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating && me.data && <CreateApiTokenDialog role={me.data.role} onClose={() => setCreating(false)} />}
      {doomed && <DeleteToken token={doomed} onClose={() => setDoomed(undefined)} />}
    </Section>
  );
}

function useColumns(me: string | undefined, onDelete: (token: ApiToken) => void): readonly Column<ApiToken>[] {
  const t = useAccountWords();
  const ui = useUiWords();
  return useMemo(
    () => [
      { id: 'remark', label: t('keys.remark'), cell: ({ remark }) => remark, width: 'minmax(8rem, 1.4fr)' },
      {
        id: 'creator',
        label: ui('fields.creator'),
        cell: ({ creator, creator_id }) => (creator_id === me ? t('you', { name: creator }) : creator),
      },
      {
        id: 'scopes',
        label: t('tokens.scopes'),
        width: 'minmax(9rem, 1.4fr)',
        cell: ({ scopes }) => scopes.map((scope) => t(`rights.${scope}.name`)).join(', '),
      },
      {
        id: 'expiry',
        label: t('expiry.label'),
        width: 'minmax(10.5rem, 1.2fr)',
        cell: ({ expiration_time }) => <ExpiryText expiresAt={expiration_time} />,
      },
      {
        id: 'used',
        label: t('tokens.lastUsed'),
        width: 'minmax(10.5rem, 1.2fr)',
        cell: ({ last_used_time }) => (last_used_time === null ? ui('states.never') : timeText(last_used_time)),
      },
      {
        id: 'created',
        label: ui('fields.createTime'),
        width: 'minmax(10.5rem, 1.2fr)',
        isWideOnly: true,
        cell: ({ create_time }) => timeText(create_time),
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '5rem',
        align: 'end',
        cell: (token) => <DeleteButton name={token.remark} onClick={() => onDelete(token)} />,
      },
    ],
    [t, ui, me, onDelete],
  );
}

function DeleteToken({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const remove = useCommand(CALLS.deleteApiToken, {
    isQuiet: true,
    invalidates: [CALLS.listApiTokens],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: token.remark })}
      lost={[t('tokens.lost')]}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id: token.id } })}
      onClose={onClose}
    />
  );
}
