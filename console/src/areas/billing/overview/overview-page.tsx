// Balance, debt, how long the balance lasts, the plan, and discount codes. A bank's page sends people back here.
import Box from '@mui/material/Box';
import { Navigate, useSearchParams } from 'react-router';
import { BillingFrame } from '../billing-frame.tsx';
import { CodePanel } from './code-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { WalletPanel } from './wallet-panel.tsx';

export function OverviewPage() {
  const [params] = useSearchParams();
  const payment = params.get('payment');
  // Drops other parameters that a provider adds to the address.
  if (payment !== null)
    return <Navigate to={`/manage/billing/recharge?payment=${encodeURIComponent(payment)}`} replace />;
  return (
    <BillingFrame tab="overview">
      <Box sx={{ display: 'grid', gap: 3 }}>
        <WalletPanel />
        <PlanPanel />
        <CodePanel />
      </Box>
    </BillingFrame>
  );
}
