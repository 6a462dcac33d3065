// Beacons of the organisation, and a form of one field for another.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { useBeaconWords } from './use-beacon-words.ts';

export function BeaconListPage() {
  const t = useBeaconWords();
  const ui = useUiWords();
  const { sorting, sort } = useFilters([], { by: 'create_time', type: 'desc' });
  const list = useList(CALLS.listBeacons, { query: { order_by: sorting.by, order_type: sorting.type } });
  const create = useCommand(CALLS.createBeacon, { invalidates: [CALLS.listBeacons] });
  const [port, setPort] = useState('80');
  return (
    <>
      <PageHeader title={t('title')}>
        <TextField label={t('port')} size="small" value={port} onChange={({ target }) => setPort(target.value)} />
        <Button variant="contained" onClick={() => create.mutate({ body: { port: Number(port) } })}>
          {t('add')}
        </Button>
      </PageHeader>
      <DataTable
        label={t('title')}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={sort}
        empty={<EmptyState title={t('emptyTitle')} hint={t('emptyHint')} />}
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
          { id: 'port', label: t('port'), width: '6rem', cell: ({ port: of }) => of },
          {
            id: 'actions',
            label: ui('fields.actions'),
            width: '12rem',
            cell: (row) => <ActionButtons kind="beacon" target={row} first={['hold']} />,
          },
        ]}
      />
    </>
  );
}
