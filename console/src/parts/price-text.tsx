// A price as a person reads it: the amount, the period, and the discount from the list price.
import type { PriceView } from '@gantry/contract/kind-api.ts';
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Hint } from '@gantry/ui/widgets/hint.tsx';
import { memo } from 'react';
import { usePartsWords } from './use-parts-words.ts';

/** "$0.22 / hour"; a dash for what costs nothing now. */
export const PriceText = memo(function PriceText({ price }: { price: PriceView | null | undefined }) {
  const t = useUiWords();
  const parts = usePartsWords();
  if (!price) return <span>{t('states.unknown')}</span>;
  const amount = rateText(price.amount, price.currency);
  const text = price.per === 'hour' ? t('price.perHour', { amount }) : t('price.perMonth', { amount });
  if (price.discount_percent === 0) return <span>{text}</span>;
  const list = rateText(price.list, price.currency);
  return (
    <Hint title={parts('price.off', { percent: price.discount_percent, amount: list })}>
      <span>
        <s aria-hidden style={{ opacity: 0.7 }}>
          {list}
        </s>{' '}
        {text}
      </span>
    </Hint>
  );
});
