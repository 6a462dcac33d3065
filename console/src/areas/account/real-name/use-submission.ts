// Submits for the first time, or again after a rejection: one form, two routes.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { Submission } from './real-name-tab.tsx';

export function useSubmission(former: Submission | null) {
  const t = useAccountWords();
  const options = {
    isQuiet: true,
    success: t('realName.sent'),
    invalidates: [CALLS.getOwnRealAuth],
  };
  const first = useCommand(CALLS.submitRealAuth, options);
  const again = useCommand(CALLS.resubmitRealAuth, options);
  // Both take the same input, which their union would multiply by itself.
  return former ? (again as typeof first) : first;
}
