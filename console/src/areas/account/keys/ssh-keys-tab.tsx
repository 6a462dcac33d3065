// The person's SSH keys: at most ten, each until a date or permanently.

import { type KEY_ROUTES, MOST_PUB_KEYS } from '@gantry/contract/areas/identity/keys.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { AddSshKeyDialog } from '../../../parts/add-ssh-key-dialog.tsx';
import { usePartsWords } from '../../../parts/use-parts-words.ts';
import { useAccountWords } from '../use-account-words.ts';
import { KeyList } from './key-list.tsx';

type PubKey = ItemOf<typeof KEY_ROUTES.listPubKeys>;

export function SshKeysTab() {
  const t = useAccountWords();
  const parts = usePartsWords();
  const columns = useMemo(
    (): readonly Column<PubKey>[] => [
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
    ],
    [t, parts],
  );
  return (
    <KeyList
      list={CALLS.listPubKeys}
      remove={CALLS.deletePubKey}
      columns={columns}
      title={t('keys.title')}
      lead={t('keys.lead', { most: MOST_PUB_KEYS })}
      emptyTitle={t('keys.emptyTitle')}
      emptyHint={t('keys.emptyHint')}
      create={parts('sshKey.add')}
      dialog={(onClose) => <AddSshKeyDialog onClose={onClose} />}
      lost={[t('keys.lostInstances'), t('keys.lostSessions')]}
      most={{ count: MOST_PUB_KEYS, full: t('keys.full', { most: MOST_PUB_KEYS }) }}
    />
  );
}
