// Proofs of the books: who had one made and when, how far it is, and what it found.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useListContext, useRecordContext, useShowContext } from 'react-admin';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { MoneyText } from '../../parts/field-value.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { PlainRows } from '../../parts/plain-rows.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { useTableWords } from '../../table-words.ts';
import { VerifyButton } from './verify-button.tsx';

type Proof = AdminRow<'proofs'>;

const LOOK_MS = 2_000;
const FACTS = [
  'state',
  'started_at',
  'started_by_name',
  'finished_at',
  'reason',
  'transfers',
  'unsealed',
  'fault_count',
];

export const List = () => (
  <DrawerList actions={<VerifyButton />} body={<Body />}>
    <WhileRunning />
  </DrawerList>
);

export const Show = () => (
  <AdminShow>
    <Body />
  </AdminShow>
);

/** Reads the list again as long as one runs, and says how far it is. */
function WhileRunning() {
  const { data = [], refetch } = useListContext<Proof>();
  const running = data.find(({ state }) => state === 'running');
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(timer);
  }, [running, refetch]);
  return running ? <ProofProgress proof={running} /> : null;
}

function Body() {
  const t = useBillingWords();
  const proof = useRecordContext<Proof>();
  const { refetch } = useShowContext<Proof>();
  const isRunning = proof?.state === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  if (!proof) return null;
  return (
    <>
      {isRunning && <ProofProgress proof={proof} />}
      {proof.state === 'held' && <Alert severity="success">{t('proof.noFaults')}</Alert>}
      <Card sx={{ p: 2 }}>
        <FactList name="proofs" fields={FACTS} />
      </Card>
      {proof.faults.length > 0 && <Faults faults={proof.faults} />}
      {proof.balances.length > 0 && <Balances balances={proof.balances} />}
      {proof.head && (
        <Card sx={{ p: 2 }}>
          <Typography variant="h2">{t('proof.head')}</Typography>
          <Typography sx={{ overflowWrap: 'anywhere', fontFamily: 'monospace' }}>
            {proof.head.number} {proof.head.hash}
          </Typography>
        </Card>
      )}
    </>
  );
}

function Faults({ faults }: { faults: readonly string[] }) {
  const t = useBillingWords();
  return (
    <Alert severity="error">
      <Typography variant="h2">{t('proof.faults')}</Typography>
      <Box component="ul" sx={{ pl: 2, m: 0, overflowWrap: 'anywhere' }}>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </Box>
    </Alert>
  );
}

function Balances({ balances }: { balances: Proof['balances'] }) {
  const t = useBillingWords();
  const words = useTableWords('ledger-entries');
  const payments = useTableWords('payments');
  // Each way to pay has a clearing account of its own.
  const accountName = (account: string) => {
    const [family = '', channel] = account.split('.');
    const label = words.choice('account', family);
    return channel === undefined ? label : `${label}: ${payments.choice('payment_channel', channel)}`;
  };
  return (
    <Card sx={{ p: 2 }}>
      <Typography variant="h2">{t('proof.balances')}</Typography>
      <PlainRows
        label={t('proof.balances')}
        columns={[
          { key: 'account', title: words.label('account') },
          { key: 'amount', title: t('amount'), isNumber: true },
        ]}
        rows={balances.map(({ account, currency, amount }) => ({
          key: `${account}/${currency}`,
          cells: [accountName(account), <MoneyText key="amount" amount={amount} currency={currency} />],
        }))}
      />
    </Card>
  );
}

/** How far a proof of the books is. */
function ProofProgress({ proof: { done, total } }: { proof: { done: number; total: number } }) {
  const t = useBillingWords();
  const share = total > 0 ? Math.min(100, (done / total) * 100) : undefined;
  return (
    <Box role="status" sx={{ p: 2 }}>
      <Typography>{t('proof.running')}</Typography>
      <LinearProgress
        aria-label={t('proof.running')}
        sx={{ my: 1 }}
        {...(share === undefined ? {} : { variant: 'determinate', value: share })}
      />
      {total > 0 && <Typography color="text.secondary">{t('proof.progress', { done, total })}</Typography>}
    </Box>
  );
}
