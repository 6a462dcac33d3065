// Images: official ones, and those of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link } from 'react-router';
import { KindListPage } from '../../parts/kind-list-page.tsx';
import { AddImageDialog } from './add-image-dialog.tsx';
import { RegistriesDialog } from './registries-dialog.tsx';
import { useImageColumns } from './use-image-columns.tsx';
import { useImageWords } from './use-image-words.ts';

export function ImageListPage() {
  const t = useImageWords();
  const [isAdding, setAdding] = useState(false);
  const columns = useImageColumns();
  const [isOpen, setOpen] = useState(false);
  const add = (
    <Guarded node="createImage">
      <Button variant="contained" onClick={() => setAdding(true)}>
        {t('add')}
      </Button>
    </Guarded>
  );
  return (
    <>
      <KindListPage
        kind="image"
        list={CALLS.listImages}
        columns={columns}
        title={t('title')}
        lead={t('lead')}
        search={t('search')}
        choices={[
          {
            name: 'official',
            label: t('origin'),
            any: t('all'),
            options: [
              ['true', t('official')],
              ['false', t('own')],
            ],
          },
          { name: 'llm', label: t('llm'), any: t('all'), options: [['true', t('onlyLlm')]] },
        ]}
        create={
          <>
            <Guarded node="createRegistry">
              <Button onClick={() => setOpen(true)}>{t('registries.title')}</Button>
            </Guarded>
            {add}
          </>
        }
        empty={{
          title: t('emptyTitle'),
          hint: t('emptyHint'),
          actions: (
            <>
              {add}
              <Button component={Link} to="/develop/instance" variant="outlined">
                {t('toInstances')}
              </Button>
            </>
          ),
        }}
      />
      {isAdding && <AddImageDialog onClose={() => setAdding(false)} />}
      {isOpen && <RegistriesDialog onClose={() => setOpen(false)} />}
    </>
  );
}
