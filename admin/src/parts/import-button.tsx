// Accounts from a CSV file: the server says line by line what would happen before anything does.
import type { ImportAnswer } from '@gantry/contract/areas/admin/admin-home.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Upload from '@mui/icons-material/FileUploadOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useDataProvider, usePermissions, useRefresh, useResourceContext } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';
import { tableNameOf } from '../tables.ts';
import type { words as shell } from '../words/en/shell.ts';
import { PlainRows } from './plain-rows.tsx';
import { saveFile } from './save-file.ts';
import { useHomeWords } from './use-home-words.ts';

const MOST_BYTES = 256 * 1024;
const EXAMPLE = 'name,email,phone,organization,role,locale\r\nada-lovelace,ada@example.com,,,,en\r\n';

/** For the list of accounts, and who may make some. */
export function ImportButton() {
  const resource = useResourceContext() ?? '';
  const t = useHomeWords();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isOpen, setOpen] = useState(false);
  if (tableNameOf(resource) !== 'users' || !permissions?.has('adminImportUsers')) return null;
  return (
    <>
      <Button size="small" startIcon={<Upload />} onClick={() => setOpen(true)}>
        {t('import.label')}
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const t = useHomeWords();
  const words = useAreaWords<typeof shell>('shell');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<{ name: string; csv: string }>();
  const [answer, setAnswer] = useState<ImportAnswer>();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const send = async (csv: string, isDry: boolean, why: string) => {
    setBusy(true);
    setError(undefined);
    try {
      const body = { csv, reason: why };
      setAnswer(await data.ask<ImportAnswer>(`users/import?dry_run=${isDry}`, { method: 'POST', body }));
    } catch (thrown) {
      setError((thrown as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setAnswer(undefined);
    if (chosen.size > MOST_BYTES) return setError(t('import.tooLarge'));
    const csv = await chosen.text();
    setFile({ name: chosen.name, csv });
    await send(csv, true, chosen.name.slice(0, 200).trim() || 'CSV');
  };
  const start = async () => {
    if (!file) return;
    if (reason.trim() === '') return setError(words('reason.missing'));
    await send(file.csv, false, reason.trim());
    refresh();
  };
  const isDone = answer?.dry_run === false;
  const canStart = answer?.dry_run === true && answer.counts.new > 0;
  return (
    <Dialog open onClose={isBusy ? undefined : onClose} aria-labelledby={id} fullWidth maxWidth="md">
      <DialogTitle id={id}>{t('import.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography>{t('import.text')}</Typography>
        {!isDone && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
            <Button variant="outlined" loading={isBusy} onClick={() => input.current?.click()}>
              {t('import.choose')}
            </Button>
            <input
              ref={input}
              type="file"
              accept=".csv,text/csv"
              hidden
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                // The same file again, after it was mended, is another one.
                target.value = '';
              }}
            />
            <Button onClick={() => saveFile('accounts.csv', [EXAMPLE], 'text/csv')}>{t('import.example')}</Button>
            {file && <span>{t('import.chosen', { name: file.name })}</span>}
          </Box>
        )}
        {error !== undefined && <Alert severity="error">{error}</Alert>}
        {answer && (
          <>
            <Alert severity={answer.counts.refused > 0 ? 'warning' : 'success'} role="status">
              {t(isDone ? 'import.made' : 'import.counts', answer.counts)} {!isDone && t('import.rule')}
            </Alert>
            <Box sx={{ maxHeight: 320, overflow: 'auto' }}>
              <PlainRows
                label={t('import.title')}
                columns={[
                  { key: 'line', title: t('import.line') },
                  { key: 'name', title: t('import.name') },
                  { key: 'outcome', title: t('import.outcome') },
                ]}
                rows={answer.rows.map(({ line, name, outcome, said }) => ({
                  key: `${line}`,
                  cells: [
                    line,
                    name,
                    said === null ? t(`import.outcomes.${outcome}`) : `${t(`import.outcomes.${outcome}`)}: ${said}`,
                  ],
                }))}
              />
            </Box>
          </>
        )}
        {canStart && (
          <TextField
            label={words('reason.label')}
            helperText={words('reason.help')}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            required
            slotProps={{ htmlInput: { maxLength: 1000 } }}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isBusy}>
          {t('import.close')}
        </Button>
        {canStart && (
          <Button variant="contained" loading={isBusy} onClick={() => void start()}>
            {t('import.start', { smart_count: answer.counts.new })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
