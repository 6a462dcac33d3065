// The rights of each role: the contract's own table.
import { ORG_ROLES, RIGHTS, ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import Check from '@mui/icons-material/Check';
import Remove from '@mui/icons-material/Remove';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useOrganizationWords } from './use-organization-words.ts';

export function RolesTab() {
  return (
    <>
      <RoleTable />
      <RoleCards />
    </>
  );
}

/** Five columns do not fit a phone. */
function RoleCards() {
  const t = useOrganizationWords();
  return (
    <Box sx={{ display: { xs: 'grid', md: 'none' }, gap: 2 }}>
      {ORG_ROLES.map((role) => (
        <Paper key={role} variant="outlined" sx={{ p: 2 }}>
          <Typography variant="h2">{t(`roles.${role}`)}</Typography>
          <Typography variant="body2" color="textSecondary">
            {t(`roleHints.${role}`)}
          </Typography>
          <Box component="ul" sx={{ mt: 1, mb: 0, pl: 2.5, fontSize: 14 }}>
            {ROLE_RIGHTS[role].map((right) => (
              <li key={right}>{t(`rightHints.${right}`)}</li>
            ))}
          </Box>
        </Paper>
      ))}
    </Box>
  );
}

function RoleTable() {
  const t = useOrganizationWords();
  return (
    <Paper variant="outlined" sx={{ display: { xs: 'none', md: 'block' } }}>
      <Box
        component="table"
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          '& th, & td': { p: 1.5, borderBottom: '1px solid', borderColor: 'divider', verticalAlign: 'top' },
          '& tbody tr:last-of-type > *': { borderBottom: 0 },
          '& th': { textAlign: 'start' },
          '& td': { textAlign: 'center' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('rolesTable.role')}</th>
            {RIGHTS.map((right) => (
              <Box component="th" scope="col" key={right} sx={{ width: '18%' }}>
                {t(`rights.${right}`)}
                <Typography variant="caption" color="textSecondary" component="p" sx={{ fontWeight: 400 }}>
                  {t(`rightHints.${right}`)}
                </Typography>
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {ORG_ROLES.map((role) => (
            <tr key={role}>
              <th scope="row">
                {t(`roles.${role}`)}
                <Typography variant="body2" color="textSecondary" sx={{ fontWeight: 400, maxWidth: '20rem' }}>
                  {t(`roleHints.${role}`)}
                </Typography>
              </th>
              {RIGHTS.map((right) => (
                <td key={right}>
                  {ROLE_RIGHTS[role].includes(right) ? (
                    <Check color="success" titleAccess={t('rolesTable.may')} />
                  ) : (
                    <Remove color="disabled" titleAccess={t('rolesTable.mayNot')} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Paper>
  );
}
