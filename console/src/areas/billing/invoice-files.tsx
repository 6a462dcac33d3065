// One invoice as a file.
import { CALLS } from '@gantry/contract/http/calls.ts';
import Download from '@mui/icons-material/Download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useBillingWords } from './use-billing-words.ts';
import { useSave } from './use-save.ts';

const FILES = { PDF: CALLS.getInvoicePdf, CSV: CALLS.getInvoiceCsv } as const;
type FileName = keyof typeof FILES;

export function InvoiceFiles({ id, number }: { id: string; number: string }) {
  const t = useBillingWords();
  const saving = useSave();
  const [busy, setBusy] = useState<FileName>();
  const save = async (name: FileName) => {
    setBusy(name);
    await saving.save(FILES[name], { params: { id } });
    setBusy(undefined);
  };
  return (
    <Box sx={{ display: 'inline-flex', gap: 1 }}>
      {(Object.keys(FILES) as FileName[]).map((name) => (
        <Button
          key={name}
          size="small"
          startIcon={<Download />}
          loading={busy === name}
          loadingPosition="start"
          aria-label={t('invoices.download', { name, number })}
          onClick={() => void save(name)}
        >
          {name}
        </Button>
      ))}
    </Box>
  );
}
