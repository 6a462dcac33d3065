// Turning on a second factor, step by step: the password, the secret for an authenticator, a code from it, and the recovery
// codes, which the person must confirm.
import { useState } from 'react';
import { ConfirmCodeStep } from './confirm-code-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import type { Proofs } from './second-factor-section.tsx';

export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

export function EnrolSecondFactorDialog({ account, onClose }: { account: Proofs; onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodesDialog account={account} codes={codes} onClose={onClose} />;
  if (enrolment) return <ConfirmCodeStep enrolment={enrolment} onConfirmed={setCodes} onClose={onClose} />;
  return <PasswordStep account={account} onEnrolled={setEnrolment} onClose={onClose} />;
}
