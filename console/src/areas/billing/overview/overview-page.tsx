// What there is, what is owed, how long it lasts, and the plan. A bank that was asked sends people back here.
import Box from '@mui/material/Box';
import { Navigate, useSearchParams } from 'react-router';
import { BillingFrame } from '../billing-frame.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { WalletPanel } from './wallet-panel.tsx';

export function OverviewPage() {
  const [params] = useSearchParams();
  const payment = params.get('payment');
  // What a provider adds to the address besides is for nobody to keep.
  if (payment !== null)
    return <Navigate to={`/manage/billing/recharge?payment=${encodeURIComponent(payment)}`} replace />;
  return (
    <BillingFrame tab="overview">
      <Box sx={{ display: 'grid', gap: 3 }}>
        <WalletPanel />
        <PlanPanel />
      </Box>
    </BillingFrame>
  );
}
