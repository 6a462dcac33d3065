// The versions of a dataset, the newest first, and how two of them differ.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { Difference } from './difference.tsx';
import { NoVersion } from './overview-tab.tsx';
import { useDatasetWords } from './use-dataset-words.ts';
import { VersionSection } from './version-section.tsx';

const PAGE_SIZE = 20;

export function VersionsTab({ dataset, onUpload }: { dataset: DatasetDetailView; onUpload(): void }) {
  const t = useDatasetWords();
  const { id, is_own: isOwn } = dataset;
  const { items, isLoading, isEmpty, error, again, hasMore, isLoadingMore, more } = useList(
    CALLS.listDatasetVersions,
    { params: { id } },
    { size: PAGE_SIZE },
  );
  if (error && items.length === 0) return <ErrorState error={error} onRetry={again} />;
  if (isLoading) return <LoadingRows rows={3} height={120} />;
  if (isEmpty) return <NoVersion isOwn={isOwn} onUpload={onUpload} />;
  return (
    <>
      <Difference dataset={dataset} />
      {items.map((version) => (
        <VersionSection key={version.version} dataset={dataset} version={version} />
      ))}
      {hasMore && (
        <Button loading={isLoadingMore} onClick={more}>
          {t('more')}
        </Button>
      )}
    </>
  );
}
