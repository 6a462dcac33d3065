// A setting that counts without a restart: what it is for, its value, and the way back to the installation's default.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { AuditOf } from '../../parts/part-list.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';

type Setting = AdminRow<'settings'>;

export const Show = () => (
  <AdminShow actions={<Commands />}>
    <SettingPage />
  </AdminShow>
);

function SettingPage() {
  const t = useAreaWords<typeof english>('operation');
  const setting = useRecordContext<Setting>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!setting) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card sx={{ p: 2, display: 'grid', gap: 2 }}>
        <Typography>{t(`setting.help.${setting.id}`)}</Typography>
        <FactList name="settings" fields={['id', 'value', 'installed', 'is_changed', 'changed_by', 'changed_at']} />
      </Card>
      {permissions?.has('manage/audit') && <AuditOf object={`Setting/${setting.id}`} />}
    </Box>
  );
}

function Commands() {
  const t = useAreaWords<typeof english>('operation');
  const setting = useRecordContext<Setting>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<'change' | 'reset'>();
  if (!setting) return null;
  const close = () => setAsked(undefined);
  return (
    <>
      {permissions?.has('adminResetSetting') && setting.is_changed && (
        <Button onClick={() => setAsked('reset')}>{t('setting.reset')}</Button>
      )}
      {permissions?.has('adminEditSetting') && (
        <Button onClick={() => setAsked('change')}>{t('setting.change')}</Button>
      )}
      {asked && <Question setting={setting} isReset={asked === 'reset'} onClose={close} />}
    </>
  );
}

function Question({ setting, isReset, onClose }: { setting: Setting; isReset: boolean; onClose(): void }) {
  const t = useAreaWords<typeof english>('operation');
  const words = useTableWords('settings');
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const [value, setValue] = useState(setting.value);
  const save = async (reason: string) => {
    const resource = resourceOf('settings');
    const { data: answer } = await (isReset
      ? data.delete(resource, { id: setting.id, meta: { reason } })
      : data.update(resource, {
          id: setting.id,
          data: { ...setting, value: value.trim(), reason },
          previousData: setting,
        }));
    given(answer as GivenAnswer, t('setting.saved'));
    refresh();
  };
  const name = words.choice('id', setting.id);
  return (
    <ReasonDialog
      title={t(isReset ? 'setting.resetTitle' : 'setting.changeTitle', { name })}
      confirmLabel={t(isReset ? 'setting.reset' : 'setting.change')}
      onConfirm={save}
      onClose={onClose}
    >
      {isReset ? (
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          {t('setting.resetText', { from: setting.value || t('empty'), to: setting.installed || t('empty') })}
        </Typography>
      ) : (
        <>
          <Typography>{t(`setting.help.${setting.id}`)}</Typography>
          <TextField label={name} value={value} onChange={({ target }) => setValue(target.value)} sx={{ mt: 1 }} />
        </>
      )}
    </ReasonDialog>
  );
}
