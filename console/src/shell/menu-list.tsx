// The menus in their groups, which can be closed; the last group stays in view at the foot. A page that is no menu itself shows
// under the one it belongs to.
import { MenuItem } from '@gantry/ui/widgets/menu-item.tsx';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import List from '@mui/material/List';
import { useId } from 'react';
import { useLocation } from 'react-router';
import type { MenuName } from '../area.ts';
import { useClosedGroups } from './closed-groups.ts';
import { type MenuGroup, pathOf } from './menu.ts';
import { useMenuName, useMenuRows } from './menu-rows.ts';
import { usePage } from './pages.tsx';
import { useMenu } from './use-menu.ts';
import { useShellWords } from './use-shell-words.ts';

/** Billing is in it, which has to be in view. */
const AT_FOOT = 'manage';

export function MenuList({ isNarrow = false, onPick }: { isNarrow?: boolean; onPick?: () => void }) {
  const t = useShellWords();
  const groups = useMenu();
  const closed = useClosedGroups();
  const groupsAt = (isFoot: boolean) =>
    groups
      .filter(({ name }) => (name === AT_FOOT) === isFoot)
      .map((group, at) => (
        <Group
          key={group.name}
          group={group}
          isNarrow={isNarrow}
          isFirst={at === 0}
          isClosed={closed.isClosed(group.name)}
          onToggle={() => closed.toggle(group.name)}
          {...(onPick && { onPick })}
        />
      ));
  const foot = groupsAt(true);
  return (
    <Box
      component="nav"
      aria-label={t('sidebar.label')}
      sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', overflow: 'hidden' }}
    >
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overflowX: 'hidden', scrollbarWidth: 'thin', pb: 1 }}>
        {groupsAt(false)}
      </Box>
      {foot.length > 0 && <Box sx={{ flex: 'none', borderTop: 1, borderColor: 'divider', py: 0.5 }}>{foot}</Box>}
    </Box>
  );
}

interface GroupProps {
  group: MenuGroup;
  isNarrow: boolean;
  isFirst: boolean;
  isClosed: boolean;
  onToggle: () => void;
  onPick?: () => void;
}

function Group({ group: { name, menus }, isNarrow, isFirst, isClosed, onToggle, onPick }: GroupProps) {
  const t = useShellWords();
  const id = useId();
  const here = usePage()?.menu;
  // A group of one that goes by its name needs no heading.
  const isAlone = menus.length === 1 && menus[0] === name;
  const isHeaded = !isAlone && !isNarrow;
  // Where one is, is shown even so.
  const shown = isClosed && isHeaded ? menus.filter((menu) => menu === here) : menus;
  return (
    <>
      {isNarrow && !isFirst && <Divider sx={{ mx: 1.5 }} />}
      {isHeaded && <GroupHeading id={id} label={t(`groups.${name}`)} isClosed={isClosed} onToggle={onToggle} />}
      {shown.length > 0 && (
        <List
          dense
          {...(isHeaded ? { 'aria-labelledby': id } : { 'aria-label': t(`groups.${name}`) })}
          sx={{ py: isNarrow ? 0.5 : 0, px: 1 }}
        >
          {shown.map((menu) => (
            <Item key={menu} menu={menu} isNarrow={isNarrow} {...(onPick && { onPick })} />
          ))}
        </List>
      )}
    </>
  );
}

interface GroupHeadingProps {
  id: string;
  label: string;
  isClosed: boolean;
  onToggle: () => void;
}

const GroupHeading = ({ id, label, isClosed, onToggle }: GroupHeadingProps) => (
  <ButtonBase
    id={id}
    aria-expanded={!isClosed}
    onClick={onToggle}
    sx={{
      display: 'flex',
      gap: 0.5,
      mx: 1,
      mt: 0.75,
      px: 1,
      height: 24,
      width: 'calc(100% - 16px)',
      justifyContent: 'flex-start',
      borderRadius: '6px',
      fontSize: 12,
      fontFamily: 'inherit',
      fontWeight: 500,
      color: 'text.secondary',
      '&:hover': { color: 'text.primary' },
      '&::after': {
        content: '""',
        width: 14,
        height: 14,
        bgcolor: 'currentcolor',
        mask: 'var(--symbol-choose) center / 14px no-repeat',
        transform: isClosed ? 'rotate(-90deg)' : 'none',
        // Closed ones say so; on open ones it shows when somebody comes near.
        opacity: isClosed ? 1 : 0,
      },
      '&:hover::after, &:focus-visible::after': { opacity: 1 },
      '@media (pointer: coarse)': { height: 36, '&::after': { opacity: 1 } },
    }}
  >
    {label}
  </ButtonBase>
);

function Item({ menu, isNarrow, onPick }: { menu: MenuName; isNarrow: boolean; onPick?: () => void }) {
  const page = usePage();
  const { pathname } = useLocation();
  const label = useMenuName()(menu);
  const path = pathOf(menu);
  const here = page?.menu !== menu ? undefined : pathname === path ? 'page' : 'above';
  return (
    <MenuItem
      to={path}
      label={label}
      Icon={useMenuRows()[menu]?.icon}
      here={here}
      isNarrow={isNarrow}
      {...(onPick && { onPick })}
    />
  );
}
