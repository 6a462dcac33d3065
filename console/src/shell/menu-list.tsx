// The menus in their groups. A page that is no menu itself shows under the one it belongs to.
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import ListSubheader from '@mui/material/ListSubheader';
import Tooltip from '@mui/material/Tooltip';
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import type { MenuName } from '../area.ts';
import { type MenuGroup, pathOf } from './menu.ts';
import { useMenuName, useMenuRows } from './menu-rows.ts';
import { usePage } from './pages.tsx';
import { useMenu } from './use-menu.ts';
import { useShellWords } from './use-shell-words.ts';

export function MenuList({ isNarrow = false, onPick }: { isNarrow?: boolean; onPick?: () => void }) {
  const t = useShellWords();
  const groups = useMenu();
  return (
    <Box
      component="nav"
      aria-label={t('sidebar.label')}
      sx={{ flex: 1, overflowY: 'auto', overflowX: 'hidden', scrollbarWidth: 'thin', pb: 1 }}
    >
      {groups.map((group, at) => (
        <Group key={group.name} group={group} isNarrow={isNarrow} isFirst={at === 0} {...(onPick && { onPick })} />
      ))}
    </Box>
  );
}

interface GroupProps {
  group: MenuGroup;
  isNarrow: boolean;
  isFirst: boolean;
  onPick?: () => void;
}

function Group({ group: { name, menus }, isNarrow, isFirst, onPick }: GroupProps) {
  const t = useShellWords();
  const id = useId();
  // A group of one that goes by its name needs no heading.
  const isAlone = menus.length === 1 && menus[0] === name;
  const isHeaded = !isAlone && !isNarrow;
  return (
    <>
      {isNarrow && !isFirst && <Divider sx={{ mx: 1.5 }} />}
      <List
        dense
        {...(isHeaded ? { 'aria-labelledby': id } : { 'aria-label': t(`groups.${name}`) })}
        sx={{ py: isNarrow ? 0.75 : 0.25, px: 1 }}
        subheader={
          isHeaded && (
            <ListSubheader id={id} disableSticky sx={{ lineHeight: '28px', px: 1.25, fontSize: 12 }}>
              {t(`groups.${name}`)}
            </ListSubheader>
          )
        }
      >
        {menus.map((menu) => (
          <Item key={menu} menu={menu} isNarrow={isNarrow} {...(onPick && { onPick })} />
        ))}
      </List>
    </>
  );
}

function Item({ menu, isNarrow, onPick }: { menu: MenuName; isNarrow: boolean; onPick?: () => void }) {
  const page = usePage();
  const { pathname } = useLocation();
  const Icon = useMenuRows()[menu]?.icon;
  const label = useMenuName()(menu);
  const isHere = page?.menu === menu;
  return (
    <ListItem disablePadding sx={{ mb: 0.25 }}>
      <Tooltip title={isNarrow ? label : ''} placement="right">
        <ListItemButton
          component={Link}
          to={pathOf(menu)}
          selected={isHere}
          {...(isHere && { 'aria-current': pathname === pathOf(menu) ? ('page' as const) : ('true' as const) })}
          {...(isNarrow && { 'aria-label': label })}
          {...(onPick && { onClick: onPick })}
          sx={{
            borderRadius: 1,
            px: isNarrow ? 0 : 1.25,
            minHeight: 38,
            justifyContent: isNarrow ? 'center' : 'flex-start',
            '&.Mui-selected': { color: 'primary.main', '& .MuiListItemIcon-root': { color: 'inherit' } },
          }}
        >
          <ListItemIcon sx={{ minWidth: isNarrow ? 0 : 34 }}>{Icon && <Icon fontSize="small" />}</ListItemIcon>
          {!isNarrow && (
            <ListItemText
              primary={label}
              slotProps={{ primary: { noWrap: true, sx: { fontSize: 14, fontWeight: isHere ? 600 : 400 } } }}
            />
          )}
        </ListItemButton>
      </Tooltip>
    </ListItem>
  );
}
