// Commands for one member. Impossible ones are shown with the reason.
import type { OrgRole } from '@gantry/contract/roles.ts';
import { useMay } from '@gantry/ui/session/permission.tsx';
import MoreVert from '@mui/icons-material/MoreVert';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { mayRemove, rolesToGive } from './may-touch.ts';
import type { Asked } from './members-tab.tsx';

interface MemberMenuProps {
  member: Member;
  isMe: boolean;
  /** The viewer's role. */
  role: OrgRole;
  isPersonal: boolean;
  onAsk(asked: Asked): void;
}

export function MemberMenu({ member, isMe, role, isPersonal, onAsk }: MemberMenuProps) {
  const t = useOrganizationWords();
  const may = useMay();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isManager = may('editMember');
  const mayTouch = isManager && !isMe && mayRemove(role, member.role);
  const reason = isMe ? t('members.yourself') : mayTouch ? undefined : t('members.onlyOwners');
  const ask = (what: Asked['what']) => () => {
    setAnchor(null);
    onAsk({ what, members: [member] });
  };
  return (
    <>
      <IconButton
        size="small"
        aria-label={t('members.actionsOf', { name: member.name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <MoreVert fontSize="small" />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {may('setSpendCaps') && <MenuItem onClick={ask('cap')}>{t('members.setCap')}</MenuItem>}
        {isManager && (
          <MenuItem disabled={!mayTouch || rolesToGive(role, [member.role]).length === 0} onClick={ask('role')}>
            {t('members.changeRole')}
          </MenuItem>
        )}
        {role === 'owner' && !isPersonal && !isMe && (
          <MenuItem onClick={ask('handOver')}>{t('members.handOver')}</MenuItem>
        )}
        {isManager && (
          <MenuItem disabled={!mayTouch} onClick={ask('remove')} sx={{ color: 'error.main' }}>
            {t('members.remove')}
          </MenuItem>
        )}
        {isManager && reason !== undefined && (
          <Typography component="li" variant="caption" color="textSecondary" sx={{ px: 2, py: 1, maxWidth: '16rem' }}>
            {reason}
          </Typography>
        )}
      </Menu>
    </>
  );
}
