// Whether the welcome credit can still be promised: it comes once per person, when their name is approved.
import type { RealAuthState, RealAuthStatus, WelcomeCreditState } from '@gantry/contract/areas/identity/real-auth.ts';

interface OwnRealAuth {
  status: RealAuthStatus;
  personal: { state: RealAuthState } | null;
  welcome_credit: WelcomeCreditState;
}

const CERTIFIED: RealAuthStatus = 1;

export const awaitsWelcomeCredit = ({ status, personal, welcome_credit: credit }: OwnRealAuth): boolean =>
  status !== CERTIFIED && personal?.state !== 'approved' && credit === 'none';
