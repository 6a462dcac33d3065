// Before a command: what the object costs once it is carried out.
import type { PriceView } from '@gantry/contract/kind-api.ts';
import { PriceText } from './price-text.tsx';
import { usePartsWords } from './use-parts-words.ts';

export function PriceThen({ price }: { price: PriceView }) {
  const t = usePartsWords();
  return (
    <span>
      {t('price.after')} <PriceText price={price} />
    </span>
  );
}
