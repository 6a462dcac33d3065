// Password, second factor, and sessions.
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useMe } from '../../../parts/use-me.ts';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionSection } from './session-section.tsx';

export function SecurityTab() {
  const me = useMe();
  if (me.error && !me.data) return <ErrorState error={me.error} onRetry={() => void me.refetch()} />;
  if (!me.data) return <LoadingRows rows={8} height={48} />;
  return (
    <>
      <PasswordSection account={me.data} />
      <SecondFactorSection account={me.data} />
      <SessionSection />
    </>
  );
}
