// The datasets that staff show to everybody, by search and facets.

import { type PageData, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import type { PageModule, Shown } from '../page-module.ts';
import { Kept } from '../parts/kept.tsx';
import { LibraryList, valueText } from '../parts/library-list.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

type Dataset = NonNullable<PageData<'dataset'>['listPortalDatasets']>['items'][number];

export const page: PageModule<'dataset'> = {
  head: (t, { data: { listPortalDatasets: datasets }, language, site }) => ({
    title: t('tabs.dataset'),
    description: t('datasets.line'),
    linkedData: [
      {
        '@type': 'ItemList',
        itemListElement: (datasets?.items ?? []).map(({ id, name }, index) => ({
          ...{ '@type': 'ListItem', position: index + 1, name },
          url: `${site.portal}${pathOf({ name: 'datasetDetail', language, params: { id } })}`,
        })),
      },
    ],
  }),
  Page: (shown) => <Kept>{typeof window === 'undefined' ? <Datasets {...shown} /> : null}</Kept>,
};

function Datasets({ data: { listPortalDatasets: datasets }, language, query }: Shown<'dataset'>) {
  const t = usePortalWords();
  return (
    <LibraryList<Dataset>
      at={{ name: 'dataset', language, query }}
      one="datasetDetail"
      answer={datasets}
      title={t('tabs.dataset')}
      line={t('datasets.line')}
      facets={['type', 'format', 'license', 'language']}
      orders={['relevance', 'downloads', 'update_time', 'name', 'rows']}
      says={{
        found: (count) => t('datasets.found', { smart_count: count }),
        none: t('datasets.none'),
        noneFound: t('datasets.noneFound'),
      }}
      facts={({ type, format, rows, size_bytes, license, downloads }) => [
        valueText(t, 'type', type, language),
        ...(format === null ? [] : [format]),
        ...(rows === null ? [] : [`${t('datasets.rows')}: ${numberText(rows)}`]),
        bytesText(size_bytes),
        ...(license === null ? [] : [<bdi key="license">{license}</bdi>]),
        `${t('library.downloads')}: ${numberText(downloads)}`,
      ]}
    />
  );
}
