// An entry of the sidebar, 32 px high: its picture and its name, or the picture alone.
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Tooltip from '@mui/material/Tooltip';
import { type ComponentType, useEffect, useRef } from 'react';
import { Link } from 'react-router';

interface MenuItemProps {
  to: string;
  label: string;
  Icon: ComponentType<{ fontSize?: 'small' }> | undefined;
  /** The page that is open, or one above it. */
  here: 'page' | 'above' | undefined;
  isNarrow: boolean;
  onPick?: (() => void) | undefined;
}

export function MenuItem({ to, label, Icon, here, isNarrow, onPick }: MenuItemProps) {
  const place = useRef<HTMLLIElement>(null);
  // Where the sidebar is longer than the window, it shows where one is.
  useEffect(() => {
    if (here !== undefined) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [here]);
  return (
    <ListItem disablePadding ref={place}>
      <Tooltip title={isNarrow ? label : ''} placement="right">
        <ListItemButton
          component={Link}
          to={to}
          selected={here !== undefined}
          {...(here !== undefined && { 'aria-current': here === 'page' ? ('page' as const) : ('true' as const) })}
          {...(isNarrow && { 'aria-label': label })}
          {...(onPick && { onClick: onPick })}
          sx={{
            borderRadius: '6px',
            px: isNarrow ? 0 : 1,
            py: 0,
            minHeight: 32,
            justifyContent: isNarrow ? 'center' : 'flex-start',
            color: 'neutral.8',
            '& .MuiListItemIcon-root': { color: 'neutral.6' },
            '&:hover': { bgcolor: 'neutral.3' },
            '&.Mui-selected, &.Mui-selected:hover': { bgcolor: 'neutral.3', color: 'text.primary' },
            '&.Mui-selected .MuiListItemIcon-root': { color: 'primary.main' },
            '@media (pointer: coarse)': { minHeight: 44 },
          }}
        >
          <ListItemIcon sx={{ minWidth: isNarrow ? 0 : 28, '& svg': { fontSize: 18 } }}>
            {Icon && <Icon fontSize="small" />}
          </ListItemIcon>
          {!isNarrow && (
            <ListItemText
              primary={label}
              sx={{ my: 0 }}
              slotProps={{ primary: { noWrap: true, sx: { fontSize: 13, fontWeight: here ? 500 : 400 } } }}
            />
          )}
        </ListItemButton>
      </Tooltip>
    </ListItem>
  );
}
