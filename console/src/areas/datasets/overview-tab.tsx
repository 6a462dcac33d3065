// What a dataset is: its facts, and its card.

import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { FactList } from '../../parts/fact-list.tsx';
import { useFilesWords } from '../../parts/files/use-files-words.ts';
import { Section } from '../../parts/section.tsx';
import { DatasetInPrograms } from './dataset-in-programs.tsx';
import { Terms } from './terms.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function OverviewTab({ dataset, onUpload }: { dataset: DatasetDetailView; onUpload(): void }) {
  const t = useDatasetWords();
  return (
    <>
      {dataset.version_count === 0 && <NoVersion isOwn={dataset.is_own} onUpload={onUpload} />}
      <About dataset={dataset} />
      <Section title={t('fields.card')}>
        {dataset.card === '' ? (
          <Typography color="text.secondary">{t('noCard')}</Typography>
        ) : (
          <Markdown text={dataset.card} />
        )}
      </Section>
      <DatasetInPrograms dataset={dataset} />
    </>
  );
}

export function NoVersion({ isOwn, onUpload }: { isOwn: boolean; onUpload(): void }) {
  const t = useDatasetWords();
  return (
    <Paper variant="outlined" sx={{ mb: 3 }}>
      <EmptyState title={t('noVersion')} hint={t('noVersionHint')}>
        {isOwn && (
          <Guarded node="createDatasetVersion">
            <Button variant="contained" onClick={onUpload}>
              {t('uploadFiles')}
            </Button>
          </Guarded>
        )}
      </EmptyState>
    </Paper>
  );
}

function About({ dataset }: { dataset: DatasetDetailView }) {
  const t = useDatasetWords();
  const files = useFilesWords();
  const ui = useUiWords();
  const countText = numberText;
  const unknown = ui('states.unknown');
  const list = (words: readonly string[]) => (words.length === 0 ? unknown : words.join(', '));
  const { format, source, latest_version: latest } = dataset;
  return (
    <Section title={t('about')} lead={dataset.is_own && <Terms />}>
      <FactList
        isDense
        facts={[
          { label: t('fields.type'), value: t(`types.${dataset.type}`) },
          { label: t('fields.format'), value: format === null ? unknown : t(`formats.${format}`) },
          { label: t('fields.rows'), value: countText(dataset.rows) },
          { label: ui('fields.size'), value: bytesText(dataset.size_bytes) },
          { label: t('fields.latest'), value: latest === null ? unknown : t('version', { version: latest }) },
          { label: t('fields.versions'), value: dataset.version_count },
          { label: t('fields.source'), value: source === null ? unknown : t(`sources.${source}`) },
          { label: files('license'), value: dataset.license ?? unknown },
          { label: files('languages'), value: list(dataset.language) },
          { label: files('tags'), value: list(dataset.tags) },
          { label: t('fields.library'), value: t(dataset.shelved ? 'yes' : 'no') },
          { label: t('fields.downloads'), value: dataset.downloads },
          { label: t('fields.created'), value: timeText(dataset.create_time) },
          { label: t('fields.updated'), value: timeText(dataset.update_time) },
        ]}
      />
    </Section>
  );
}
