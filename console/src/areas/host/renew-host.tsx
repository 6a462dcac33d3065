// More months for a host, with their price and the new end.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { missingIn } from '../../parts/missing-money.ts';
import { TopUpButton } from '../../parts/top-up-button.tsx';
import { ExpiryText } from './expiry-text.tsx';
import { OrderPrice } from './order-price.tsx';
import { useHostWords } from './use-host-words.ts';

const MOST_MONTHS = 120;

export function RenewHost({ host, onClose }: { host: HostView; onClose(): void }) {
  const t = useHostWords();
  const [text, setText] = useState('1');
  const months = Number(text);
  const isValid = Number.isInteger(months) && months >= 1 && months <= MOST_MONTHS;
  const renew = useCommand(CALLS.actHost, {
    isQuiet: true,
    invalidates: [CALLS.listHosts, CALLS.getHost, CALLS.getWalletBalances],
    onSuccess: onClose,
  });
  const missing = missingIn(renew.error);
  return (
    <ConfirmDialog
      title={t('renew.title', { name: host.name })}
      confirmLabel={t('renew.confirm')}
      isBusy={renew.isPending}
      error={renew.error}
      help={missing !== undefined && <TopUpButton missing={missing} />}
      onConfirm={() => isValid && renew.mutate({ params: { id: host.id }, body: { action: 'renew', months } })}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 2, pt: 1 }}>
        <Box>
          {t('renew.until')} <ExpiryText host={host} />
        </Box>
        <TextField
          type="number"
          label={t('renew.months')}
          value={text}
          autoFocus
          error={!isValid}
          helperText={isValid ? ' ' : t('renew.rule', { most: MOST_MONTHS })}
          onChange={({ target }) => setText(target.value)}
          slotProps={{ htmlInput: { min: 1, max: MOST_MONTHS } }}
        />
        <OrderPrice order={isValid ? { gpu: host.spec.gpu, nodes: host.node_count, months } : undefined} isRenewal />
      </Box>
    </ConfirmDialog>
  );
}
