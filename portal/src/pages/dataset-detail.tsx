// One dataset: its facts, statistics, first rows and card, and its Croissant metadata.

import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { LinkedData, PageModule, Shown } from '../page-module.ts';
import { ArticleText } from '../parts/article-text.tsx';
import { Day } from '../parts/day.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Kept } from '../parts/kept.tsx';
import { valueText } from '../parts/library-list.tsx';
import { cellText, languageName } from '../parts/library-text.ts';
import { LinkButton } from '../parts/link-button.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { WideTable } from '../parts/wide-table.tsx';

const MOST_COLUMNS = 20;
const MOST_FREQUENT = 3;
/** In the page's metadata; all of them are behind its link. */
const MOST_FILES = 100;

export const page: PageModule<'datasetDetail'> = {
  head: (t, { data: { readPortalDataset: dataset, readPortalDatasetCroissant: croissant } }) => ({
    title: dataset.name,
    description: dataset.summary || t('datasets.describe', { name: dataset.name }),
    linkedData: croissant
      ? [
          {
            ...croissant,
            '@type': 'sc:Dataset',
            distribution: ((croissant.distribution ?? []) as readonly unknown[]).slice(0, MOST_FILES),
          } as LinkedData,
        ]
      : [],
  }),
  Page: (shown) => <Kept>{typeof window === 'undefined' ? <Described {...shown} /> : null}</Kept>,
};

function Described({ data, language, site }: Shown<'datasetDetail'>) {
  const t = usePortalWords();
  const { readPortalDataset: dataset, readPortalDatasetRows: rows } = data;
  const { statistics } = dataset;
  const number = numberText;
  const facts: readonly Fact[] = [
    [t('datasets.rows'), number(dataset.rows)],
    [t('library.size'), bytesText(dataset.size_bytes)],
    [t('datasets.files'), number(dataset.file_count)],
    [t('library.facets.type'), valueText(t, 'type', dataset.type, language)],
    [t('library.facets.format'), dataset.format ?? '–'],
    [t('library.facets.license'), <bdi key="">{dataset.license ?? '–'}</bdi>],
    [
      t('library.facets.language'),
      <bdi key="">{dataset.language.map((code) => languageName(code, language)).join(', ') || '–'}</bdi>,
    ],
    [t('datasets.source'), dataset.source === null ? '–' : t(`datasets.sources.${dataset.source}`)],
    [t('library.version'), number(dataset.version)],
    [t('library.downloads'), number(dataset.downloads)],
    [t('library.updated'), <Day key="" at={dataset.update_time} />],
    ...(statistics ? ([[t('datasets.duplicates'), number(statistics.duplicates)]] as const) : []),
    ...(dataset.tags.length === 0 ? [] : ([[t('library.tags'), <bdi key="">{dataset.tags.join(', ')}</bdi>]] as const)),
    ...(dataset.digest === null ? [] : ([['SHA-256', <code key="">{dataset.digest}</code>]] as const)),
  ];
  return (
    <>
      <Link href={pathOf({ name: 'dataset', language })} underline="hover" sx={{ fontSize: 14 }}>
        {t('datasets.all')}
      </Link>
      <PageTitle title={dataset.name} />
      <Box sx={{ my: 3 }}>
        <LinkButton href={`${site.console}/data/space/${encodeURIComponent(dataset.id)}`} isMain isLarge>
          {t('datasets.use')}
        </LinkButton>
      </Box>
      <Facts facts={facts} />
      {dataset.card.trim() !== '' && (
        <Box component="section" aria-label={t('datasets.card')} sx={{ mt: 4, maxWidth: '46rem' }}>
          <Typography variant="h2" sx={{ mb: 1 }}>
            {t('datasets.card')}
          </Typography>
          <ArticleText text={dataset.card} />
        </Box>
      )}
      <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
        {t('datasets.preview')}
      </Typography>
      {rows ? <FirstRows {...rows} /> : <Typography>{t('datasets.noPreview')}</Typography>}
      <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
        {t('datasets.statistics')}
      </Typography>
      {statistics ? (
        <WideTable
          label={t('datasets.statistics')}
          head={[
            ...[t('datasets.column'), t('datasets.type'), t('datasets.nulls'), t('datasets.distinct')],
            ...[t('datasets.range'), t('datasets.frequent')],
          ]}
        >
          {statistics.columns.map(({ name, type, nulls, distinct, min, max, values }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{type}</td>
              <td>{number(nulls)}</td>
              <td>{number(distinct)}</td>
              <td>
                <bdi>{min === null && max === null ? '–' : `${cellText(min)} – ${cellText(max)}`}</bdi>
              </td>
              <td>
                {(values ?? []).slice(0, MOST_FREQUENT).map(({ value, count }) => (
                  <div key={value}>
                    <bdi>{cellText(value)}</bdi> ({number(count)})
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </WideTable>
      ) : (
        <Typography>{t('datasets.noStatistics')}</Typography>
      )}
      <Typography sx={{ mt: 3 }}>
        <Link href={`${site.console}/api/portal/v1/datasets/${encodeURIComponent(dataset.id)}/croissant`}>
          {t('datasets.croissant')}
        </Link>
      </Typography>
    </>
  );
}

function FirstRows({ columns, rows }: NonNullable<Shown<'datasetDetail'>['data']['readPortalDatasetRows']>) {
  const t = usePortalWords();
  const shown = columns.slice(0, MOST_COLUMNS);
  return (
    <>
      <WideTable label={t('datasets.preview')} head={shown.map(({ name }) => name)}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
          <tr key={index}>
            {shown.map(({ name }, column) => (
              <td key={name}>
                <bdi>{cellText(row[column])}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </WideTable>
      {columns.length > MOST_COLUMNS && (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
          {t('datasets.columnsShown', { shown: MOST_COLUMNS, all: columns.length })}
        </Typography>
      )}
    </>
  );
}
