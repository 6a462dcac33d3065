// Leads to the page that creates one, for those who may.
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';

interface CreateButtonProps {
  /** The permission node. */
  node: string;
  to: string;
  children: string;
  variant?: 'contained' | 'outlined';
}

export const CreateButton = ({ node, to, children, variant = 'contained' }: CreateButtonProps) => (
  <Guarded node={node}>
    <Button component={Link} to={to} variant={variant}>
      {children}
    </Button>
  </Guarded>
);
