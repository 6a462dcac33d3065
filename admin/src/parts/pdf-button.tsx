// A document's PDF, in the reader's language, as a file.
import Download from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useDataProvider, useNotify, usePermissions, useRecordContext } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';
import { saveFile } from './save-file.ts';
import { useBillingWords } from './use-billing-words.ts';

/** `route`: whoever may not call it has no button. */
export function PdfButton({ name, route }: { name: 'invoices' | 'credit-notes'; route: string }) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const record = useRecordContext();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isLoading, setLoading] = useState(false);
  if (!record || !permissions?.has(route)) return null;
  const load = async () => {
    setLoading(true);
    try {
      const response = await data.fetch(`${name}/${encodeURIComponent(record.id)}/pdf`);
      const [, file = `${record.id}.pdf`] =
        /filename="([\w.-]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
      saveFile(file, [await response.blob()], 'application/pdf');
    } catch (error) {
      notify((error as Error).message, { type: 'error' });
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button startIcon={<Download />} loading={isLoading} onClick={() => void load()}>
      {t('pdf')}
    </Button>
  );
}
