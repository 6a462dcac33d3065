// A code of an authenticator beside the password: on, or off, and the way from one to the other.
import CheckCircle from '@mui/icons-material/CheckCircleOutlined';
import Warning from '@mui/icons-material/WarningAmberOutlined';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useAccountWords } from '../use-account-words.ts';
import { DropSecondFactorDialog } from './drop-second-factor-dialog.tsx';
import { EnrolSecondFactorDialog } from './enrol-second-factor-dialog.tsx';

export interface Proofs {
  username: string;
  has_password: boolean;
  second_factor: boolean;
}

export function SecondFactorSection({ account }: { account: Proofs }) {
  const t = useAccountWords();
  const [open, setOpen] = useState<'enrol' | 'drop'>();
  const isOn = account.second_factor;
  const close = () => setOpen(undefined);
  return (
    <>
      <Section
        title={t('security.factor.title')}
        lead={t('security.factor.lead')}
        beside={
          <Chip
            size="small"
            variant="outlined"
            color={isOn ? 'success' : 'warning'}
            icon={isOn ? <CheckCircle /> : <Warning />}
            label={isOn ? t('security.factor.on') : t('security.factor.off')}
          />
        }
        actions={
          isOn ? (
            <Button color="error" variant="outlined" onClick={() => setOpen('drop')}>
              {t('security.factor.turnOff')}
            </Button>
          ) : (
            <Button variant="contained" onClick={() => setOpen('enrol')}>
              {t('security.factor.turnOn')}
            </Button>
          )
        }
      />
      {open === 'enrol' && <EnrolSecondFactorDialog account={account} onClose={close} />}
      {open === 'drop' && <DropSecondFactorDialog account={account} onClose={close} />}
    </>
  );
}
