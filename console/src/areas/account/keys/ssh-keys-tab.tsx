// The keys one logs into instances with: at most ten, each until a date or for ever.
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type KEY_ROUTES, MOST_PUB_KEYS } from '@gantry/contract/http/keys.ts';
import { useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Add from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { AddSshKeyDialog } from '../../../parts/add-ssh-key-dialog.tsx';
import { Section } from '../../../parts/section.tsx';
import { usePartsWords } from '../../../parts/use-parts-words.ts';
import { useAccountWords } from '../use-account-words.ts';
import { DeleteButton } from './delete-button.tsx';
import { ExpiryText } from './expiry-text.tsx';

type PubKey = ItemOf<typeof KEY_ROUTES.listPubKeys>;

export function SshKeysTab() {
  const t = useAccountWords();
  const parts = usePartsWords();
  const list = useList(CALLS.listPubKeys);
  const [isAdding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<PubKey>();
  const columns = useColumns(setDoomed);
  const isFull = (list.total ?? 0) >= MOST_PUB_KEYS;
  const add = (
    <Button variant="contained" startIcon={<Add />} onClick={() => setAdding(true)} disabled={isFull}>
      {parts('sshKey.add')}
    </Button>
  );
  return (
    <Section
      title={t('keys.title')}
      lead={isFull ? t('keys.full', { most: MOST_PUB_KEYS }) : t('keys.lead', { most: MOST_PUB_KEYS })}
      actions={list.items.length > 0 && add}
    >
      <DataTable
        label={t('keys.title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ remark }) => remark}
        empty={
          <EmptyState title={t('keys.emptyTitle')} hint={t('keys.emptyHint')}>
            {add}
          </EmptyState>
        }
      />
      {isAdding && <AddSshKeyDialog onClose={() => setAdding(false)} />}
      {doomed && <DeleteKey pubKey={doomed} onClose={() => setDoomed(undefined)} />}
    </Section>
  );
}

function useColumns(onDelete: (pubKey: PubKey) => void): readonly Column<PubKey>[] {
  const t = useAccountWords();
  const ui = useUiWords();
  const parts = usePartsWords();
  return useMemo(
    () => [
      { id: 'remark', label: t('keys.remark'), cell: ({ remark }) => remark, width: 'minmax(8rem, 1.2fr)' },
      {
        id: 'fingerprint',
        label: t('keys.fingerprint'),
        width: 'minmax(14rem, 2.4fr)',
        cell: ({ fingerprint, public_key }) => (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
            <Box
              component="span"
              title={fingerprint}
              sx={{ fontFamily: MONO, fontSize: 13, overflow: 'hidden', textOverflow: 'ellipsis' }}
            >
              {fingerprint}
            </Box>
            <CopyButton text={public_key} label={parts('sshKey.publicKey')} />
          </Box>
        ),
      },
      {
        id: 'expiry',
        label: t('expiry.label'),
        width: 'minmax(11rem, 1.2fr)',
        cell: ({ expiration_time }) => <ExpiryText expiresAt={expiration_time} />,
      },
      {
        id: 'created',
        label: ui('fields.createTime'),
        width: 'minmax(11rem, 1.2fr)',
        cell: ({ create_time }) => timeText(create_time),
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '5rem',
        align: 'end',
        cell: (pubKey) => <DeleteButton name={pubKey.remark} onClick={() => onDelete(pubKey)} />,
      },
    ],
    [t, ui, parts, onDelete],
  );
}

function DeleteKey({ pubKey, onClose }: { pubKey: PubKey; onClose: () => void }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const remove = useCommand(CALLS.deletePubKey, {
    isQuiet: true,
    invalidates: [CALLS.listPubKeys],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: pubKey.remark })}
      lost={[t('keys.lostInstances'), t('keys.lostSessions')]}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id: pubKey.id } })}
      onClose={onClose}
    />
  );
}
