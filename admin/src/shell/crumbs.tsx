// The current place: the menu, the list that a row is of, and the row's name.
import { useAllWords, useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { usePageTitle } from '@gantry/ui/widgets/page-title.ts';
import Breadcrumbs from '@mui/material/Breadcrumbs';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { resourceWords, useNames } from '../table-words.ts';
import { menuOf, resourceOf, TABLE_NAMES } from '../tables.ts';
import type { words as english } from '../words/en/shell.ts';

export function Crumbs() {
  const t = useAreaWords<typeof english>('shell');
  const words = useAllWords();
  const names = useNames();
  const title = usePageTitle();
  const { pathname } = useLocation();
  const menu = menuOf(pathname);
  if (menu === undefined) return null;
  const [, , , segment, row] = pathname.split('/');
  const table = TABLE_NAMES.find((name) => name === segment);
  return (
    <Breadcrumbs
      aria-label={t('crumbs')}
      sx={{ fontSize: 13, '& ol': { flexWrap: 'nowrap' }, '& li:not(:last-of-type)': { flex: 'none' } }}
    >
      <Typography variant="body2" color="text.secondary" noWrap>
        {names.menu(menu)}
      </Typography>
      {table && row === undefined && (
        <Typography variant="body2" noWrap aria-current="page">
          {resourceWords(words, table).many}
        </Typography>
      )}
      {table && row !== undefined && (
        <MuiLink
          component={Link}
          to={`/${resourceOf(table)}`}
          variant="body2"
          color="text.secondary"
          underline="hover"
          noWrap
        >
          {resourceWords(words, table).many}
        </MuiLink>
      )}
      {row !== undefined && title !== '' && (
        <Typography variant="body2" noWrap aria-current="page">
          {title}
        </Typography>
      )}
    </Breadcrumbs>
  );
}
