// The model library: what staff show to everybody, by search and facets.

import { type PageData, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import type { PageModule, Shown } from '../page-module.ts';
import { Kept } from '../parts/kept.tsx';
import { LibraryList, valueText } from '../parts/library-list.tsx';
import { shortNumber } from '../parts/library-text.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';

type Model = NonNullable<PageData<'modelLibrary'>['listPortalModels']>['items'][number];

export const page: PageModule<'modelLibrary'> = {
  head: (t, { data: { listPortalModels: models }, language, site }) => ({
    title: t('library.title'),
    description: t('library.line'),
    linkedData: [
      {
        '@type': 'ItemList',
        itemListElement: (models?.items ?? []).map(({ id, name }, index) => ({
          ...{ '@type': 'ListItem', position: index + 1, name },
          url: `${site.portal}${pathOf({ name: 'model', language, params: { id } })}`,
        })),
      },
    ],
  }),
  Page: (shown) => <Kept>{typeof window === 'undefined' ? <Library {...shown} /> : null}</Kept>,
};

function Library({ data: { listPortalModels: models }, language, query }: Shown<'modelLibrary'>) {
  const t = usePortalWords();
  return (
    <LibraryList<Model>
      at={{ name: 'modelLibrary', language, query }}
      one="model"
      answer={models}
      title={t('library.title')}
      line={t('library.line')}
      facets={['task', 'size_class', 'license', 'language', 'structure']}
      orders={['relevance', 'downloads', 'update_time', 'name', 'parameters']}
      says={{
        found: (count) => t('library.found', { smart_count: count }),
        none: t('library.none'),
        noneFound: t('library.noneFound'),
      }}
      facts={({ task, parameters, context_length, size_bytes, license, downloads }) => [
        ...(task === null ? [] : [valueText(t, 'task', task, language)]),
        ...(parameters === null ? [] : [`${t('library.parameters')}: ${shortNumber(parameters, language)}`]),
        ...(context_length === null ? [] : [`${t('library.context')}: ${numberText(context_length)}`]),
        bytesText(size_bytes),
        ...(license === null ? [] : [<bdi key="license">{license}</bdi>]),
        `${t('library.downloads')}: ${numberText(downloads)}`,
      ]}
    />
  );
}
