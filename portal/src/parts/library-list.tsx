// Models or datasets to choose from: a search and facets that the address keeps, and pages by their cursor. Forms and links, without scripts.
import { type PageName, type PageQuery, pathOf } from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { PortalWords } from '../page-module.ts';
import { Day } from './day.tsx';
import { FIELDS } from './field-style.ts';
import { languageName } from './library-text.ts';
import { Marked } from './marked.tsx';
import { PageTitle } from './page-title.tsx';
import { usePortalWords } from './use-portal-words.ts';

export interface LibraryItem {
  readonly id: string;
  readonly name: string;
  readonly name_ranges: readonly (readonly [number, number])[];
  readonly summary: string;
  readonly update_time: string;
}

interface FacetValue {
  readonly value: string;
  readonly count: number;
}

interface Props<Item extends LibraryItem> {
  at: { readonly name: PageName; readonly language: Language; readonly query: PageQuery };
  /** The page of one of them. */
  one: PageName;
  answer: {
    readonly items: readonly Item[];
    readonly total: number;
    readonly extra: Readonly<Record<string, unknown>>;
  } | null;
  title: string;
  line: string;
  facets: readonly Facet[];
  orders: readonly Order[];
  says: { found(count: number): string; none: string; noneFound: string };
  /** Short facts of one, in a line. */
  facts(item: Item): readonly ReactNode[];
}

type Facet = 'task' | 'size_class' | 'license' | 'language' | 'structure' | 'type' | 'format';
type Order = 'relevance' | 'downloads' | 'update_time' | 'name' | 'parameters' | 'rows';

export function LibraryList<Item extends LibraryItem>(props: Props<Item>) {
  const { at, one, answer, title, line, facets, orders, says, facts } = props;
  const t = usePortalWords();
  const { query, language } = at;
  const path = pathOf({ name: at.name, language });
  const values = (answer?.extra.facets ?? {}) as Readonly<Record<string, readonly FacetValue[]>>;
  const cursor = answer?.extra.cursor;
  const chosen = facets.filter((facet) => query[facet] !== undefined);
  return (
    <>
      <PageTitle title={title} line={line} />
      <Box component="form" role="search" method="get" action={path} sx={{ ...FIELDS, my: 3 }}>
        <label>
          {t('library.search')}
          <input type="search" name="search" maxLength={100} defaultValue={query.search ?? ''} />
        </label>
        <label>
          {t('library.order')}
          <select name="order_by" defaultValue={query.order_by ?? orders[0]}>
            {orders.map((order) => (
              <option key={order} value={order}>
                {t(`library.orders.${order}`)}
              </option>
            ))}
          </select>
        </label>
        {chosen.map((facet) => (
          <input key={facet} type="hidden" name={facet} value={query[facet]} />
        ))}
        <button type="submit">{t('library.searchButton')}</button>
        {Object.keys(query).length > 0 && <a href={path}>{t('library.clear')}</a>}
      </Box>
      <Box sx={COLUMNS}>
        <Box component="nav" aria-label={t('library.filters')} sx={ASIDE}>
          {facets
            .filter((facet) => (values[facet]?.length ?? 0) > 0)
            .map((facet) => (
              <details key={facet} open>
                <summary>{t(`library.facets.${facet}`)}</summary>
                <ul>
                  {values[facet]?.map(({ value, count }) => (
                    <li key={value}>
                      <a
                        href={pathOf({ ...at, params: {}, query: toggled(query, facet, value) })}
                        aria-current={query[facet] === value ? 'true' : undefined}
                        rel="nofollow"
                      >
                        <bdi>{valueText(t, facet, value, language)}</bdi> <small>{count}</small>
                      </a>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
        </Box>
        <Box component="section" aria-label={title} sx={{ minWidth: 0 }}>
          {!answer && <Typography>{t('library.failed')}</Typography>}
          {answer && (
            <Typography color="text.secondary" sx={{ fontSize: 14 }} role="status">
              {answer.total > 0 ? says.found(answer.total) : Object.keys(query).length > 0 ? says.noneFound : says.none}
            </Typography>
          )}
          <Box component="ul" sx={LIST}>
            {answer?.items.map((item) => (
              <li key={item.id}>
                <Typography variant="h2" sx={{ fontSize: 18, overflowWrap: 'anywhere' }}>
                  <a href={pathOf({ name: one, language, params: { id: item.id } })}>
                    <Marked text={item.name} ranges={item.name_ranges} />
                  </a>
                </Typography>
                {item.summary !== '' && (
                  <Typography sx={{ overflowWrap: 'anywhere' }}>
                    <bdi>{item.summary}</bdi>
                  </Typography>
                )}
                <Box component="ul" sx={FACTS}>
                  {facts(item).map((fact, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order
                    <li key={index}>{fact}</li>
                  ))}
                  <li>
                    {t('library.updated')}: <Day at={item.update_time} />
                  </li>
                </Box>
              </li>
            ))}
          </Box>
          {typeof cursor === 'string' && (
            <a href={pathOf({ ...at, params: {}, query: { ...query, cursor } })} rel="next nofollow">
              {t('library.next')}
            </a>
          )}
        </Box>
      </Box>
    </>
  );
}

/** With the value, or without if it was chosen; from the first page. */
function toggled({ cursor: _, ...query }: PageQuery, facet: string, value: string): PageQuery {
  const { [facet]: before, ...others } = query;
  return before === value ? others : { ...others, [facet]: value };
}

/** What a facet's value is called; values that people wrote are as they are. */
export function valueText(t: PortalWords, facet: Facet, value: string, language: Language): string {
  if (facet === 'task') return t(`library.tasks.${value as 'Generate'}`);
  if (facet === 'size_class') return t(`library.sizes.${value as 'tiny'}`);
  if (facet === 'type') return t(`datasets.types.${value as 'file'}`);
  return facet === 'language' ? languageName(value, language) : value;
}

const COLUMNS = {
  display: 'grid',
  columnGap: 5,
  rowGap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '14rem minmax(0, 1fr)' },
} as const;
const ASIDE = {
  fontSize: 14,
  display: 'flex',
  flexDirection: 'column',
  gap: { xs: 1, md: 2 },
  overflowWrap: 'anywhere',
  '& summary': { fontWeight: 600, cursor: 'pointer' },
  // In lines where the window is narrow, so that what is found is near.
  '& ul': {
    ...{ listStyle: 'none', m: 0, mt: 0.5, p: 0, display: { xs: 'flex', md: 'grid' }, flexWrap: 'wrap' },
    ...{ columnGap: 2, rowGap: 0.25 },
  },
  '& a': { display: 'block', py: 0.25, color: 'text.primary', textDecoration: 'none' },
  '& a:hover': { textDecoration: 'underline' },
  '& a[aria-current]': { fontWeight: 700, color: 'primary.main' },
  '& small': { color: 'text.secondary' },
} as const;
const LIST = {
  listStyle: 'none',
  m: 0,
  my: 2,
  p: 0,
  display: 'grid',
  gap: 2,
  '& > li': { borderTop: 1, borderColor: 'divider', pt: 2 },
  '& h2 a': { color: 'primary.main', textDecoration: 'none' },
} as const;
const FACTS = {
  listStyle: 'none',
  m: 0,
  mt: 0.5,
  p: 0,
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: 2,
  fontSize: 13,
  color: 'text.secondary',
} as const;
