// A paper in each of its file formats.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import Download from '@mui/icons-material/Download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useBillingWords } from '../use-billing-words.ts';
import { useSave } from '../use-save.ts';

const FILES = {
  invoices: { PDF: CALLS.getInvoicePdf, CSV: CALLS.getInvoiceCsv },
  creditNotes: { PDF: CALLS.getCreditNotePdf },
} as const satisfies Record<string, Record<string, Call>>;

export function PaperFiles({ of, id, number }: { of: keyof typeof FILES; id: string; number: string }) {
  const t = useBillingWords();
  const saving = useSave();
  const [busy, setBusy] = useState<string>();
  const save = async (name: string, call: Call) => {
    setBusy(name);
    await saving.save(call, { params: { id } });
    setBusy(undefined);
  };
  return (
    <Box sx={{ display: 'inline-flex', gap: 1 }}>
      {Object.entries(FILES[of]).map(([name, call]) => (
        <Button
          key={name}
          size="small"
          startIcon={<Download />}
          loading={busy === name}
          loadingPosition="start"
          aria-label={t(`${of}.download`, { name, number })}
          onClick={() => void save(name, call)}
        >
          {name}
        </Button>
      ))}
    </Box>
  );
}
