// The id of what a page shows, to be copied.
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { usePartsWords } from './use-parts-words.ts';

export function IdWithCopy({ id }: { id: string }) {
  const t = usePartsWords();
  return (
    <span>
      {id} <CopyButton text={id} label={t('page.id')} />
    </span>
  );
}
