// Begins a proof of the books.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, usePermissions, useRefresh } from 'react-admin';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import type { AdminData } from '../../providers/data-provider.ts';

export function VerifyButton({ onStart }: { onStart?: () => void }) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!permissions?.has('adminVerifyBooks')) return null;
  const start = async (reason: string) => {
    await data.ask('books/verify', { method: 'POST', body: { reason } });
    refresh();
    onStart?.();
  };
  return (
    <>
      <Button variant="contained" size="small" onClick={() => setAsked(true)}>
        {t('proof.start')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={t('proof.title')}
          confirmLabel={t('proof.start')}
          onConfirm={start}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('proof.text')}</Typography>
        </ReasonDialog>
      )}
    </>
  );
}
