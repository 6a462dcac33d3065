// The one next step of an object in its state, as the primary button of its page. Beside it no command is primary.
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { createContext, use } from 'react';
import { Link } from 'react-router';

export interface NextStep {
  readonly label: string;
  /** The node that may take it; absent: whoever sees the page. */
  readonly node?: string;
  /** A page of the console. */
  readonly to?: string;
  /** Instead of a page. */
  readonly onPress?: () => void;
}

const HasNextStep = createContext(false);
/** Around the commands of an object that has a next step. */
export const BesideNextStep = HasNextStep;
export const useIsBesideNextStep = (): boolean => use(HasNextStep);

export function NextStepButton({ step: { label, node, to, onPress } }: { step: NextStep }) {
  const button = (
    <Button variant="contained" {...(to === undefined ? { onClick: onPress } : { component: Link, to })}>
      {label}
    </Button>
  );
  return node === undefined ? (
    button
  ) : (
    <Guarded node={node} isHidden>
      {button}
    </Guarded>
  );
}
