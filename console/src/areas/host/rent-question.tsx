// The question before a host is rented: the sum, and until when it is refunded.
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { moneyText } from '@gantry/ui/format/money.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Skeleton from '@mui/material/Skeleton';
import { type Order, useOrderPrice } from './order-price.tsx';
import { useHostWords } from './use-host-words.ts';

interface RentQuestionProps {
  name: string;
  order: Order;
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function RentQuestion({ name, order, isBusy, ...dialog }: RentQuestionProps) {
  const t = useHostWords();
  const { data, error, refetch } = useOrderPrice(order);
  const cards = t('rent.cards', { count: order.gpu.count, model: gpuName(order.gpu.model) });
  const amount = data?.order == null ? undefined : moneyText(data.order, data.currency);
  return (
    // Nobody agrees to a sum that is not shown.
    <ConfirmDialog
      title={t('rent.ask', { name })}
      confirmLabel={t('rent.confirm')}
      {...dialog}
      isBusy={isBusy || amount === undefined}
    >
      <p>{t('rent.what', { nodes: order.nodes, cards, months: order.months })}</p>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      <p>{amount === undefined ? <Skeleton width="16rem" /> : t('rent.sum', { amount })}</p>
      <p>{t('rent.refund')}</p>
    </ConfirmDialog>
  );
}
