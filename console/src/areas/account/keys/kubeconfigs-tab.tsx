// Files for kubectl: each has the rights of one's role in this organisation's namespace, until its date or until it is revoked.
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
import { CreateKubeconfigDialog } from './create-kubeconfig-dialog.tsx';
import { DeleteButton } from './delete-button.tsx';
import { ExpiryText } from './expiry-text.tsx';

type Kubeconfig = ItemOf<typeof KEY_ROUTES.listKubeconfigs>;

export function KubeconfigsTab() {
  const t = useAccountWords();
  const me = useMe();
  const list = useList(CALLS.listKubeconfigs);
  const [isCreating, setCreating] = useState(false);
  const [doomed, setDoomed] = useState<Kubeconfig>();
  const columns = useColumns(me.data?.account_id, setDoomed);
  const create = (
    <Button variant="contained" startIcon={<Add />} onClick={() => setCreating(true)}>
      {t('kubeconfigs.create')}
    </Button>
  );
  return (
    <Section title={t('kubeconfigs.title')} lead={t('kubeconfigs.lead')} actions={list.items.length > 0 && create}>
      <DataTable
        label={t('kubeconfigs.title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ remark }) => remark}
        empty={
          <EmptyState title={t('kubeconfigs.emptyTitle')} hint={t('kubeconfigs.emptyHint')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating && <CreateKubeconfigDialog onClose={() => setCreating(false)} />}
      {doomed && <RevokeKubeconfig kubeconfig={doomed} onClose={() => setDoomed(undefined)} />}
    </Section>
  );
}

function useColumns(me: string | undefined, onRevoke: (kubeconfig: Kubeconfig) => void): readonly Column<Kubeconfig>[] {
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
        id: 'expiry',
        label: t('expiry.label'),
        width: 'minmax(10.5rem, 1.2fr)',
        cell: ({ expiration_time }) => <ExpiryText expiresAt={expiration_time} />,
      },
      {
        id: 'created',
        label: ui('fields.createTime'),
        width: 'minmax(10.5rem, 1.2fr)',
        cell: ({ create_time }) => timeText(create_time),
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '5rem',
        align: 'end',
        cell: (kubeconfig) => (
          <DeleteButton name={kubeconfig.remark} label={t('kubeconfigs.revoke')} onClick={() => onRevoke(kubeconfig)} />
        ),
      },
    ],
    [t, ui, me, onRevoke],
  );
}

function RevokeKubeconfig({ kubeconfig, onClose }: { kubeconfig: Kubeconfig; onClose: () => void }) {
  const t = useAccountWords();
  const revoke = useCommand(CALLS.deleteKubeconfig, {
    isQuiet: true,
    invalidates: [CALLS.listKubeconfigs],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={t('kubeconfigs.revokeTitle', { name: kubeconfig.remark })}
      lost={[t('kubeconfigs.lost')]}
      confirmLabel={t('kubeconfigs.revoke')}
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ params: { id: kubeconfig.id } })}
      onClose={onClose}
    />
  );
}
