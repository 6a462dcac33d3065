// The current organisation, the person's others, and how many invite them.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Add from '@mui/icons-material/Add';
import Check from '@mui/icons-material/Check';
import ExpandMore from '@mui/icons-material/ExpandMore';
import Groups from '@mui/icons-material/GroupsOutlined';
import Mail from '@mui/icons-material/MailOutlined';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Link } from 'react-router';
import { useOrganization } from '../parts/use-me.ts';
import { pathOf } from './menu.ts';
import { useSwitchOrganization } from './switch-organization.tsx';
import { useMenu } from './use-menu.ts';
import { useOnceOpen } from './use-once-open.ts';
import { useShellWords } from './use-shell-words.ts';

const SIZE = 1000;

export function OrganizationSwitcher() {
  const t = useShellWords();
  const { data: mine } = useOrganization();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = anchor !== null;
  const hasMenu = useOnceOpen(isOpen);
  const { data: all, error } = useCall(CALLS.listOrganizations, { query: { size: SIZE } }, { enabled: isOpen });
  const { data: invitations } = useCall(CALLS.listMyInvitations, { query: { size: 1 } });
  const invited = invitations?.total ?? 0;
  const { switchTo, isSwitching } = useSwitchOrganization();
  const mayCreate = useMenu().some(({ menus }) => menus.includes('manage/organization'));
  const close = () => setAnchor(null);
  const label = t('organization.label', { name: mine?.org_name ?? '' });
  const invites = t('organization.invitations', { count: invited });
  return (
    <>
      <Button
        color="inherit"
        onClick={(event) => setAnchor(event.currentTarget)}
        disabled={isSwitching || !mine}
        startIcon={
          <Badge color="error" variant="dot" overlap="circular" invisible={invited === 0}>
            <Groups />
          </Badge>
        }
        endIcon={<ExpandMore />}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={invited === 0 ? label : t('organization.labelInvited', { label, invites })}
        sx={{ minWidth: 0, maxWidth: { xs: 150, sm: 220 }, px: 1, '& .MuiButton-startIcon': { ml: 0 } }}
      >
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {isSwitching ? t('organization.switching') : mine?.org_name || ' '}
        </Box>
      </Button>
      {hasMenu && (
        <Menu
          anchorEl={anchor}
          open={isOpen}
          onClose={close}
          slotProps={{
            list: { 'aria-label': t('organization.switch'), dense: true },
            paper: { sx: { width: 280, maxHeight: '70vh' } },
          }}
        >
          {all ? (
            all.items.map(({ org_id, org_name, is_personal }) => (
              <MenuItem
                key={org_id}
                selected={org_id === mine?.org_id}
                onClick={() => {
                  close();
                  if (org_id !== mine?.org_id) switchTo(org_id);
                }}
              >
                <ListItemIcon>{org_id === mine?.org_id && <Check fontSize="small" />}</ListItemIcon>
                <ListItemText
                  primary={org_name}
                  {...(is_personal && { secondary: t('organization.personal') })}
                  slotProps={{ primary: { noWrap: true } }}
                />
              </MenuItem>
            ))
          ) : (
            <Box component="li" sx={{ px: 2 }}>
              {error ? error.message : <LoadingRows rows={2} height={32} />}
            </Box>
          )}
          {(mayCreate || invited > 0) && <Divider />}
          {invited > 0 && (
            <MenuItem component={Link} to="/invitations" onClick={close}>
              <ListItemIcon>
                <Mail fontSize="small" />
              </ListItemIcon>
              <ListItemText primary={invites} />
            </MenuItem>
          )}
          {mayCreate && (
            <MenuItem component={Link} to={pathOf('manage/organization')} onClick={close}>
              <ListItemIcon>
                <Add fontSize="small" />
              </ListItemIcon>
              <ListItemText primary={t('organization.create')} />
            </MenuItem>
          )}
        </Menu>
      )}
    </>
  );
}
