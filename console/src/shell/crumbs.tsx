// The current place: the group and the menu entry, which links back from its sub-pages.
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
  const menu = usePage()?.menu;
  if (menu === undefined) return null;
  const group = groupOf(menu);
  const label = nameOf(menu);
  return (
    <Breadcrumbs aria-label={t('header.crumbs')} sx={{ fontSize: 14, '& ol': { flexWrap: 'nowrap' } }}>
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
        <MuiLink component={Link} to={pathOf(menu)} variant="body2" noWrap>
          {label}
        </MuiLink>
      )}
    </Breadcrumbs>
  );
}
