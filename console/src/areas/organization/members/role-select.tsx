// A choice of roles, each with its rights.
import type { OrgRole } from '@gantry/contract/roles.ts';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useOrganizationWords } from '../use-organization-words.ts';

interface RoleSelectProps {
  roles: readonly OrgRole[];
  value: OrgRole;
  onChange(role: OrgRole): void;
}

export function RoleSelect({ roles, value, onChange }: RoleSelectProps) {
  const t = useOrganizationWords();
  return (
    <TextField
      select
      label={t('invite.role')}
      value={value}
      onChange={({ target }) => onChange(target.value as OrgRole)}
      helperText={t(`roleHints.${value}`)}
      slotProps={{ select: { renderValue: (role) => t(`roles.${role as OrgRole}`) } }}
    >
      {roles.map((role) => (
        <MenuItem key={role} value={role}>
          <Box sx={{ whiteSpace: 'normal' }}>
            {t(`roles.${role}`)}
            <Typography variant="caption" color="textSecondary" component="p">
              {t(`roleHints.${role}`)}
            </Typography>
          </Box>
        </MenuItem>
      ))}
    </TextField>
  );
}
