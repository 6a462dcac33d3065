// Articles of the help centre by their titles.
import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';

interface Article {
  readonly slug: string;
  readonly title: string;
}

export const ArticleList = ({ articles, language }: { articles: readonly Article[]; language: Language }) => (
  <Box component="ul" sx={LIST}>
    {articles.map(({ slug, title }) => (
      <li key={slug}>
        <Link href={pathOf({ name: 'article', language, params: { slug } })} underline="hover">
          <bdi>{title}</bdi>
        </Link>
      </li>
    ))}
  </Box>
);

const LIST = {
  listStyle: 'none',
  m: 0,
  p: 0,
  display: 'grid',
  columnGap: 3,
  rowGap: 1.25,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
} as const;
