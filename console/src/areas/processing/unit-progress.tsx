// How far a run is, as its units say.
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { UsedBar } from '../../parts/used-bar.tsx';
import { useProcessingWords } from './use-processing-words.ts';

export function UnitProgress({ progress }: { progress: DataProcessView['progress'] }) {
  const t = useProcessingWords();
  if (progress === null || progress.of === 0) return <span>{t('progress.none')}</span>;
  const { done, failed, skipped, of } = progress;
  return (
    <div style={{ minWidth: 0 }}>
      <span>{t('progress.of', { done, of })}</span>
      <UsedBar used={done + failed + skipped} total={of} label={t('progress.bar')} />
    </div>
  );
}
