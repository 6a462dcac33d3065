// The first page: which menus the person's roles open.
import { ADMIN_MENUS } from '@gantry/contract/roles.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { usePermissions } from 'react-admin';
import { Link } from 'react-router';
import { useNames } from '../table-words.ts';

export function HomePage() {
  const names = useNames();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  return (
    <>
      <Typography variant="h1" gutterBottom>
        {names.menu('home')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {ADMIN_MENUS.filter((menu) => permissions?.has(`manage/${menu}`)).map((menu) => (
          <Button key={menu} component={Link} to={`/manage/${menu}`} variant="outlined" size="large">
            {names.menu(menu)}
          </Button>
        ))}
      </Box>
    </>
  );
}
