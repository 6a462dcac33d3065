// What is in a version's table: how it is as a whole, and each column with its distribution, whose bars lead to their rows.

import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DatasetColumnStatistics, DatasetStatisticsView } from '@gantry/contract/areas/datasets/tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { cellText } from '../../../parts/cell-text.ts';
import { FactList } from '../../../parts/fact-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { useDatasetWords } from '../use-dataset-words.ts';
import { type Bar, Bars } from './bars.tsx';
import { barsOf, lengthBarsOf, valueBarsOf } from './bars-of.ts';
import { OfTable, type TableOf } from './of-table.tsx';

export const StatisticsTab = ({ dataset }: { dataset: DatasetDetailView }) => (
  <OfTable dataset={dataset}>{(of) => <Statistics of={of} />}</OfTable>
);

function Statistics({ of }: { of: TableOf }) {
  const t = useDatasetWords();
  const { data, error, refetch } = useCall(CALLS.getDatasetStatistics, {
    params: { id: of.id, version: `${of.version}` },
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={4} height={120} />;
  return (
    <>
      <Whole of={of} statistics={data} />
      {data.is_cut && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('statistics.isCut')}
        </Alert>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(22rem, 100%), 1fr))' }}>
        {data.columns.map((column) => (
          <Column key={column.name} of={of} column={column} rows={data.rows} />
        ))}
      </Box>
    </>
  );
}

function Whole({ of, statistics }: { of: TableOf; statistics: DatasetStatisticsView }) {
  const t = useDatasetWords();
  const countText = numberText;
  const languageName = useLanguageName();
  const { rows, rejected, duplicates, languages, columns, problems } = statistics;
  const sampled = languages.reduce((all, each) => all + each.rows, 0);
  return (
    <Section title={t('statistics.whole')}>
      <FactList
        facts={[
          { label: t('fields.rows'), value: countText(rows) },
          { label: t('statistics.columns'), value: countText(columns.length) },
          { label: t('statistics.duplicates'), value: countText(duplicates) },
          {
            label: t('tabs.rejected'),
            value:
              rejected === 0 ? (
                countText(0)
              ) : (
                <Link component={RouterLink} to={`/data/space/${of.id}/rejected?version=${of.version}`}>
                  {countText(rejected)}
                </Link>
              ),
          },
          ...(sampled === 0
            ? []
            : [
                {
                  label: t('statistics.languages'),
                  value: languages
                    .map(({ language, rows: own }) => `${languageName(language)} ${Math.round((100 * own) / sampled)}%`)
                    .join(' · '),
                },
              ]),
        ]}
      />
      {problems.length > 0 && (
        <Alert severity="warning" sx={{ mt: 1 }}>
          {t('statistics.problems', { smart_count: problems.length })}
          <Box component="ul" sx={{ m: 0, pl: 2.5, maxHeight: '12rem', overflow: 'auto', overflowWrap: 'anywhere' }}>
            {problems.map(({ path, code, message }) => (
              <li key={path}>
                {path}: {code ? t(`statistics.reasons.${code}`) : message}
              </li>
            ))}
          </Box>
        </Alert>
      )}
    </Section>
  );
}

/** `und` and what no browser knows stay as they are. */
function useLanguageName(): (code: string) => string {
  const t = useDatasetWords();
  const names = new Intl.DisplayNames(useLanguage(), { type: 'language' });
  return (code) => {
    if (code === 'und') return t('statistics.noLanguage');
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  };
}

function Column({ of, column, rows }: { of: TableOf; column: DatasetColumnStatistics; rows: number }) {
  const t = useDatasetWords();
  const countText = numberText;
  const { name, type, nulls, distinct, min, max, mean } = column;
  const facts = [
    ...(nulls > 0
      ? [
          t('statistics.nulls', {
            count: countText(nulls),
            percent: `${Math.round((100 * nulls) / Math.max(1, rows))}`,
          }),
        ]
      : []),
    ...(distinct === null ? [] : [t('statistics.distinct', { count: countText(distinct) })]),
    ...(min === null || max === null ? [] : [`${short(min)} – ${short(max)}`]),
    ...(mean === null ? [] : [t('statistics.mean', { mean: short(mean) })]),
    ...(column.mean_length === null ? [] : [t('statistics.meanLength', { length: short(column.mean_length) })]),
  ];
  const lengths = lengthBarsOf(column);
  const bars: readonly Bar[] = [...valueBarsOf(column), ...barsOf(column), ...lengths];
  return (
    <Section title={name} beside={<code>{type}</code>} lead={facts.join(' · ')} inGrid>
      {lengths.length > 0 && (
        <Typography variant="caption" color="text.secondary">
          {t('statistics.byLength')}
        </Typography>
      )}
      {bars.length === 0 ? (
        <Typography color="text.secondary">{t('statistics.noBars')}</Typography>
      ) : (
        <Bars of={of} column={name} bars={bars} />
      )}
      {column.values_more !== null && column.values_more > 0 && (
        <Typography variant="body2" color="text.secondary">
          {t('statistics.others', { count: countText(column.values_more) })}
        </Typography>
      )}
    </Section>
  );
}

const MOST_SHOWN = 40;
const short = (value: number | string): string =>
  typeof value === 'number' ? `${Number(value.toPrecision(4))}` : cellText(value).slice(0, MOST_SHOWN);
