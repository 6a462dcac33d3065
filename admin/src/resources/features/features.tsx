// Features that staff close for a while: what stops by it, and the sentence that tenants read meanwhile.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords, useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { DataTable, useDataProvider, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { AdminList } from '../../parts/admin-list.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { LanguageTabs, NO_TEXTS, type Texts } from '../../parts/language-texts.tsx';
import { AuditOf } from '../../parts/part-list.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';

type Feature = AdminRow<'features'>;

export function List() {
  const t = useAreaWords<typeof english>('operation');
  return (
    <AdminList>
      <GenericTable columns={['id', 'note', 'changed_by', 'changed_at']}>
        <DataTable.Col source="is_open" label={t('feature.state')} disableSort>
          <State />
        </DataTable.Col>
      </GenericTable>
    </AdminList>
  );
}

function State() {
  const t = useAreaWords<typeof english>('operation');
  const feature = useRecordContext<Feature>();
  if (!feature) return null;
  return (
    <PhaseChip
      label={t(feature.is_open ? 'feature.isOpen' : 'feature.isClosed')}
      tone={feature.is_open ? 'good' : 'warning'}
    />
  );
}

export const Show = () => (
  <AdminShow actions={<Switch />}>
    <FeaturePage />
  </AdminShow>
);

function FeaturePage() {
  const t = useAreaWords<typeof english>('operation');
  const feature = useRecordContext<Feature>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!feature) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card sx={{ p: 2, display: 'grid', gap: 2 }}>
        <Box>
          <State />
        </Box>
        <Typography>{t(`feature.help.${feature.id}`)}</Typography>
        <FactList name="features" fields={['id', 'note', 'changed_by', 'changed_at']} />
      </Card>
      {permissions?.has('manage/audit') && <AuditOf object={`Feature/${feature.id}`} />}
    </Box>
  );
}

function Switch() {
  const t = useAreaWords<typeof english>('operation');
  const feature = useRecordContext<Feature>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!feature || !permissions?.has('adminSwitchFeature')) return null;
  return (
    <>
      <Button color={feature.is_open ? 'error' : 'primary'} onClick={() => setAsked(true)}>
        {t(feature.is_open ? 'feature.close' : 'feature.open')}
      </Button>
      {isAsked && <Question feature={feature} onClose={() => setAsked(false)} />}
    </>
  );
}

function Question({ feature, onClose }: { feature: Feature; onClose(): void }) {
  const t = useAreaWords<typeof english>('operation');
  const words = useTableWords('features');
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [note, setNote] = useState<Texts>(feature.note ?? NO_TEXTS);
  const isClosing = feature.is_open;
  const save = async (reason: string) => {
    const change = isClosing ? { is_open: false, note } : { is_open: true, note: null };
    await data.update(resourceOf('features'), {
      id: feature.id,
      data: { ...feature, ...change, reason },
      previousData: feature,
    });
    notify(t('setting.saved'), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t(isClosing ? 'feature.closeTitle' : 'feature.openTitle', { name: words.choice('id', feature.id) })}
      confirmLabel={t(isClosing ? 'feature.close' : 'feature.open')}
      isDangerous={isClosing}
      onConfirm={save}
      onClose={onClose}
    >
      {isClosing && (
        <>
          <Typography>{t(`feature.help.${feature.id}`)}</Typography>
          <LanguageTabs language={language} onLanguage={setLanguage}>
            <TextField
              label={t('feature.note')}
              helperText={t('feature.noteHelp')}
              value={note[language]}
              onChange={({ target }) => setNote({ ...note, [language]: target.value })}
              slotProps={{ htmlInput: { maxLength: 500 } }}
              multiline
            />
          </LanguageTabs>
        </>
      )}
    </ReasonDialog>
  );
}
