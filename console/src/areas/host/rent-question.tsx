// The question before a host is rented: the sum, and until when it is refunded.
import { moneyText } from '@gantry/ui/format/money.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
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

export function RentQuestion({ name, order, ...dialog }: RentQuestionProps) {
  const t = useHostWords();
  const { data } = useOrderPrice(order);
  const cards = t('rent.cards', { count: order.gpu.count, model: order.gpu.model });
  const amount = data?.order == null ? undefined : moneyText(data.order, data.currency);
  return (
    <ConfirmDialog title={t('rent.ask', { name })} confirmLabel={t('rent.confirm')} {...dialog}>
      <p>{t('rent.what', { nodes: order.nodes, cards, months: order.months })}</p>
      <p>{amount === undefined ? <Skeleton width="16rem" /> : t('rent.sum', { amount })}</p>
      <p>{t('rent.refund')}</p>
    </ConfirmDialog>
  );
}
