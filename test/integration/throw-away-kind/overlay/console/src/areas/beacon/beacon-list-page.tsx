// Beacons of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { BeaconView } from '@gantry/contract/kinds/beacon.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { kindColumns } from '../../parts/kind-columns.tsx';
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
  const columns = useMemo(
    () =>
      kindColumns<BeaconView>(ui, {
        to: ({ id }) => `/develop/beacon/${id}`,
        second: ({ id }) => id,
        own: [{ id: 'port', label: t('port'), width: '6rem', cell: ({ port }) => port }],
        actions: (row) => <ActionButtons kind="beacon" target={row} />,
      }),
    [t, ui],
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
        columns={columns}
      />
      {isAdding && <AddBeaconDialog onClose={() => setAdding(false)} />}
    </>
  );
}
