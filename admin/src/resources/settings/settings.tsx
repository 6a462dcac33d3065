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
          {setting.id === 'portal-logo'
            ? t('setting.resetPicture')
            : t('setting.resetText', { from: setting.value || t('empty'), to: setting.installed || t('empty') })}
        </Typography>
      ) : (
        <>
          <Typography>{t(`setting.help.${setting.id}`)}</Typography>
          {setting.id === 'portal-logo' ? (
            <PictureField value={value} onPicture={setValue} />
          ) : (
            <TextField label={name} value={value} onChange={({ target }) => setValue(target.value)} sx={{ mt: 1 }} />
          )}
        </>
      )}
    </ReasonDialog>
  );
}

/** A picture as a data URL; empty for none. What may be taken is for the server to say. */
function PictureField({ value, onPicture }: { value: string; onPicture(value: string): void }) {
  const t = useAreaWords<typeof english>('operation');
  const take = (file: File | undefined) => {
    if (!file) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => onPicture(`${reader.result}`));
    reader.readAsDataURL(file.slice(0, MOST_READ, file.type));
  };
  return (
    <Box sx={{ mt: 1, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      {value !== '' && <Box component="img" src={value} alt={t('setting.picture')} sx={PICTURE} />}
      <Button component="label" variant="outlined">
        {t('setting.choosePicture')}
        <input
          hidden
          type="file"
          accept="image/png"
          aria-label={t('setting.choosePicture')}
          onChange={({ target }) => take(target.files?.[0])}
        />
      </Button>
      {value !== '' && <Button onClick={() => onPicture('')}>{t('setting.noPicture')}</Button>}
    </Box>
  );
}

/** A larger one is refused anyway. */
const MOST_READ = 40 * 1024;
const PICTURE = { maxWidth: 200, maxHeight: 60 } as const;
