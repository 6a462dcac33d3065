// The buttons of a policy. Editing leads elsewhere; muting is for half an hour.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { PolicyView } from '@gantry/contract/kinds/alert-policy.ts';
import { useNavigate } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';

interface PolicyActionsProps {
  policy: PolicyView;
  shown: number;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

const FIRST = ['unmute', 'enable', 'edit', 'disable'] as const;
/** Reads that a change of a policy changes. */
export const POLICY_READS = [CALLS.listPolicies, CALLS.getPolicy];

export function PolicyActions({ policy, shown, size = 'small', onDone }: PolicyActionsProps) {
  const go = useNavigate();
  const { id, name } = policy;
  return (
    <ActionButtons
      kind="alertPolicy"
      target={policy}
      first={FIRST}
      shown={shown}
      size={size}
      questions={() => ({ release: { lost: [name], typed: name } })}
      {...(onDone && { onDone })}
      own={{ edit: () => void go(`/monitor/policy/${id}/edit`) }}
    />
  );
}
