// Leads to paying what is missing, and from there back to this page.
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link, useLocation } from 'react-router';
import { rechargePath } from './missing-money.ts';
import { usePartsWords } from './use-parts-words.ts';
import { keepWayBack } from './way-back.ts';

interface TopUpButtonProps {
  /** Absent: the person chooses how much. */
  missing: string | undefined;
  /** Keeps the page's input. */
  onLeave?: (() => void) | undefined;
}

export function TopUpButton({ missing, onLeave }: TopUpButtonProps) {
  const t = usePartsWords();
  const { pathname, search } = useLocation();
  const leave = () => {
    onLeave?.();
    keepWayBack(pathname + search);
  };
  return (
    <Guarded node="recharge">
      <Button component={Link} to={rechargePath(missing)} onClick={leave} color="inherit" size="small">
        {t('topUp')}
      </Button>
    </Guarded>
  );
}
