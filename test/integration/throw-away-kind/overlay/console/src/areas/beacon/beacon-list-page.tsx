// Beacons of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { KindListPage } from '../../parts/kind-list-page.tsx';
import { AddBeaconDialog } from './add-beacon-dialog.tsx';
import { useBeaconWords } from './use-beacon-words.ts';

export function BeaconListPage() {
  const t = useBeaconWords();
  const ui = useUiWords();
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button variant="contained" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <KindListPage
        kind="beacon"
        list={CALLS.listBeacons}
        title={t('title')}
        lead={t('emptyHint')}
        search={ui('actions.search')}
        create={add}
        empty={{ title: t('emptyTitle'), hint: t('emptyHint'), actions: add }}
        columns={[
          {
            id: 'name',
            label: ui('fields.name'),
            width: '1fr',
            cell: ({ id, name }) => (
              <Link component={RouterLink} to={`/deploy/job/${id}`}>
                {name}
              </Link>
            ),
          },
          {
            id: 'status',
            label: ui('fields.status'),
            width: '1fr',
            cell: ({ phase_label: label, tone, message }) => <PhaseChip label={label} tone={tone} message={message} />,
          },
          { id: 'port', label: t('port'), width: '6rem', cell: ({ port }) => port },
          {
            id: 'actions',
            label: ui('fields.actions'),
            width: '12rem',
            cell: (row) => <ActionButtons kind="beacon" target={row} first={['hold']} />,
          },
        ]}
      />
      {isAdding && <AddBeaconDialog onClose={() => setAdding(false)} />}
    </>
  );
}
