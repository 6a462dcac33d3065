// The current place: the group, the menu entry, which links back from its sub-pages, and the name of what such a page shows.
import { usePageTitle } from '@gantry/ui/widgets/page-title.ts';
import Breadcrumbs from '@mui/material/Breadcrumbs';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { groupOf, pathOf } from './menu.ts';
import { useMenuName } from './menu-rows.ts';
import { usePage } from './pages.tsx';
import { useShellWords } from './use-shell-words.ts';

export function Crumbs() {
  const t = useShellWords();
  const nameOf = useMenuName();
  const { pathname } = useLocation();
  const title = usePageTitle();
  const menu = usePage()?.menu;
  if (menu === undefined) return null;
  const group = groupOf(menu);
  const label = nameOf(menu);
  return (
    <Breadcrumbs
      aria-label={t('header.crumbs')}
      sx={{
        fontSize: 13,
        '& ol': { flexWrap: 'nowrap' },
        '& li': { minWidth: 0 },
        '& li:not(:last-of-type)': { flex: 'none' },
      }}
    >
      {group !== undefined && group !== menu && (
        <Typography variant="body2" color="text.secondary" noWrap>
          {t(`groups.${group}`)}
        </Typography>
      )}
      {pathname === pathOf(menu) ? (
        <Typography variant="body2" noWrap>
          {label}
        </Typography>
      ) : (
        <MuiLink component={Link} to={pathOf(menu)} variant="body2" color="text.secondary" underline="hover" noWrap>
          {label}
        </MuiLink>
      )}
      {pathname !== pathOf(menu) && title !== '' && title !== label && (
        <Typography variant="body2" noWrap title={title} aria-current="page">
          {title}
        </Typography>
      )}
    </Breadcrumbs>
  );
}
