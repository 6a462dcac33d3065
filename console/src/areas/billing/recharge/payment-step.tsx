// A payment's next step for the person: enter a card, go to another page, or transfer money.
import { moneyText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import OpenInNew from '@mui/icons-material/OpenInNew';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { QRCodeSVG } from 'qrcode.react';
import { CardStep } from '../cards/card-step.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import type { SeenPayment } from './payment-panel.tsx';
import type { Offered } from './recharge-form.tsx';

interface PaymentStepProps {
  payment: SeenPayment;
  channels: Offered['channels'];
  onAnswered(): void;
}

export function PaymentStep({ payment, channels, onAnswered }: PaymentStepProps) {
  const { next } = payment;
  const offer = channels.find(({ payment_channel: name }) => name === payment.payment_channel);
  if (next?.type === 'card' && next.client_secret !== undefined && offer)
    return <CardStep payment={payment} offer={offer} clientSecret={next.client_secret} onAnswered={onAnswered} />;
  if (next?.type === 'redirect' && next.url !== undefined) return <RedirectStep url={next.url} />;
  if (next?.type === 'transfer')
    return <TransferStep payment={payment} account={next.account} reference={next.reference} />;
  return <Waiting />;
}

function Waiting() {
  const ui = useUiWords();
  return <LinearProgress aria-label={ui('states.loading')} />;
}

const QR_PX = 192;

/** On the same machine by the link, with a telephone by the code. */
function RedirectStep({ url }: { url: string }) {
  const t = useBillingWords();
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Button href={url} variant="contained" endIcon={<OpenInNew />}>
        {t('payment.open')}
      </Button>
      <Typography variant="body2" color="text.secondary">
        {t('payment.scan')}
      </Typography>
      {/* Cameras want dark on light, whatever the scheme. */}
      <Paper variant="outlined" sx={{ p: 2, bgcolor: '#fff', lineHeight: 0 }}>
        <QRCodeSVG value={url} size={QR_PX} bgColor="#fff" fgColor="#000" title={t('payment.code')} />
      </Paper>
    </Box>
  );
}

function TransferStep({
  payment,
  account = '',
  reference = '',
}: {
  payment: SeenPayment;
  account?: string | undefined;
  reference?: string | undefined;
}) {
  const t = useBillingWords();
  const fields = [
    [t('recharge.amount'), moneyText(payment.amount, payment.currency)],
    [t('payment.account'), account],
    [t('payment.reference'), reference],
  ] as const;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {fields.map(([label, text]) => (
        <Box key={label}>
          <Typography variant="body2" color="text.secondary" gutterBottom>
            {label}
          </Typography>
          <CopyField text={text} label={label} />
        </Box>
      ))}
      <Typography variant="body2">{t('payment.transferStays')}</Typography>
    </Box>
  );
}
