// A GPU model on the market: whether it is shown there, its place, and what the platform says of it.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords, useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useDataProvider, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { LanguageTabs, NO_TEXTS, type Texts } from '../../parts/language-texts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';

type Model = AdminRow<'gpu-models'>;
const FIELDS = ['name', 'id', 'is_shown', 'position', 'note', 'nodes', 'gpus', 'free', 'changed_by', 'changed_at'];

export const Show = () => (
  <AdminShow actions={<Change />}>
    <ModelPage />
  </AdminShow>
);

function ModelPage() {
  const t = useAreaWords<typeof english>('operation');
  const model = useRecordContext<Model>();
  if (!model) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {!model.is_shown && <Alert severity="info">{t('model.hidden')}</Alert>}
      <Card sx={{ p: 2 }}>
        <FactList name="gpu-models" fields={FIELDS} />
      </Card>
    </Box>
  );
}

function Change() {
  const t = useAreaWords<typeof english>('operation');
  const model = useRecordContext<Model>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!model || !permissions?.has('adminEditGpuModel')) return null;
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t('model.change')}</Button>
      {isAsked && <Question model={model} onClose={() => setAsked(false)} />}
    </>
  );
}

function Question({ model, onClose }: { model: Model; onClose(): void }) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const [isShown, setShown] = useState(model.is_shown);
  const [position, setPosition] = useState(`${model.position ?? ''}`);
  const [note, setNote] = useState<Texts>(model.note ?? NO_TEXTS);
  const [language, setLanguage] = useState<Language>(useLanguage());
  const isPlace = /^\d{0,5}$/.test(position);
  const save = async (reason: string) => {
    if (!isPlace) throw new Error(t('model.positionRule'));
    const change = { is_shown: isShown, position: position === '' ? null : Number(position), note };
    await data.update(resourceOf('gpu-models'), {
      id: model.id,
      data: { ...model, ...change, reason },
      previousData: model,
    });
    notify(t('setting.saved'), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t('model.changeTitle', { name: model.name })}
      confirmLabel={t('model.change')}
      onConfirm={save}
      onClose={onClose}
    >
      <FormControlLabel
        control={<Switch checked={isShown} onChange={(_, value) => setShown(value)} />}
        label={t('model.isShown')}
      />
      <TextField
        label={t('model.position')}
        helperText={t('model.positionHelp')}
        value={position}
        error={!isPlace}
        onChange={({ target }) => setPosition(target.value)}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
      <LanguageTabs language={language} onLanguage={setLanguage}>
        <TextField
          label={t('model.note')}
          value={note[language]}
          onChange={({ target }) => setNote({ ...note, [language]: target.value })}
          slotProps={{ htmlInput: { maxLength: 500 } }}
          multiline
        />
      </LanguageTabs>
    </ReasonDialog>
  );
}
