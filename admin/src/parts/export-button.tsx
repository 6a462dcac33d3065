// The list as a CSV file, with its filter and order: how far it is, and a way to stop. A file that broke off is not kept.
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Download from '@mui/icons-material/FileDownloadOutlined';
import MuiButton from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { useDataProvider, useListContext } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';
import { useTableWords } from '../table-words.ts';
import { tableNameOf, tableOf } from '../tables.ts';
import { readCsvStream } from './read-csv-stream.ts';
import { saveFile } from './save-file.ts';
import { useHomeWords } from './use-home-words.ts';

export function ExportButton() {
  const { resource, total } = useListContext();
  const t = useHomeWords();
  const [isOpen, setOpen] = useState(false);
  const name = tableNameOf(resource);
  if (tableOf(name).isSealed) return null;
  return (
    <>
      <MuiButton
        size="small"
        startIcon={<Download />}
        onClick={() => setOpen(true)}
        disabled={!total}
        sx={{ transition: 'none' }}
      >
        {t('export.label')}
      </MuiButton>
      {isOpen && <ExportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ onClose }: { onClose: () => void }) {
  const { resource, filterValues, filter, sort, total = 0 } = useListContext();
  const data = useDataProvider<AdminData>();
  const t = useHomeWords();
  const toast = useToast();
  const id = useId();
  const name = tableNameOf(resource);
  const { many } = useTableWords(name);
  const [progress, setProgress] = useState<{ rows: number; total: number }>();
  const ender = useRef<AbortController>(undefined);
  useEffect(() => () => ender.current?.abort(), []);

  const start = async () => {
    const end = new AbortController();
    ender.current = end;
    setProgress({ rows: 0, total });
    try {
      const query = new URLSearchParams({
        filter: JSON.stringify({ ...filterValues, ...filter }),
        sort: JSON.stringify([sort.field, sort.order]),
      });
      const response = await data.fetch(`${name}/export?${query}`, { signal: end.signal });
      const all = Number(response.headers.get('X-Total-Count') ?? total);
      if (!response.body) throw new Error(t('export.broken'));
      const { parts, rows } = await readCsvStream(response.body, (read) => setProgress({ rows: read, total: all }));
      saveFile(`${name}.csv`, parts, 'text/csv');
      toast.success(t('export.done', { smart_count: rows }));
      onClose();
    } catch (error) {
      if (end.signal.aborted) toast.info(t('export.cancelled'));
      // A refusal has the server's sentence; an answer that broke off has only the browser's.
      else toast.error(error instanceof TypeError ? t('export.broken') : (error as Error).message);
      onClose();
    }
  };
  const cancel = () => (progress ? ender.current?.abort() : onClose());
  return (
    <Dialog open onClose={cancel} aria-labelledby={id} fullWidth maxWidth="xs">
      <DialogTitle id={id}>{t('export.title', { rows: total, what: many })}</DialogTitle>
      <DialogContent>
        <Typography>{t('export.text')}</Typography>
        {progress && (
          <div role="status">
            <LinearProgress
              variant="determinate"
              value={progress.total > 0 ? Math.min(100, (progress.rows / progress.total) * 100) : 0}
              aria-label={t('export.label')}
              sx={{ mt: 2, mb: 1 }}
            />
            {t('export.progress', progress)}
          </div>
        )}
      </DialogContent>
      <DialogActions>
        <MuiButton onClick={cancel}>{t('export.cancel')}</MuiButton>
        {!progress && (
          <MuiButton variant="contained" autoFocus onClick={() => void start()}>
            {t('export.start')}
          </MuiButton>
        )}
      </DialogActions>
    </Dialog>
  );
}
