// The buttons of a deployment. Editing and cloning lead elsewhere; the rest are commands.
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { useNavigate } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

interface DeploymentActionsProps {
  deployment: ModelDeploymentView;
  shown: number;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

const FIRST = ['start', 'edit', 'stop', 'restart', 'rollback', 'clone'] as const;

export function DeploymentActions({ deployment, shown, size = 'small', onDone }: DeploymentActionsProps) {
  const t = useDeploymentWords();
  const go = useNavigate();
  const { id, name } = deployment;
  return (
    <ActionButtons
      kind="modelDeployment"
      target={deployment}
      first={FIRST}
      shown={shown}
      size={size}
      questions={() => ({
        stop: { brief: t('ask.stopBrief'), text: t('ask.stop'), lost: [t('ask.requests')], kept: [t('ask.model')] },
        restart: { text: t('ask.restart'), lost: [], kept: [t('ask.model')] },
        rollback: { text: t('revisions.rollback'), lost: [t('revisions.lost')], kept: [t('ask.model')] },
        release: { lost: [t('ask.deployment', { name })], kept: [t('ask.model'), t('ask.collected')], typed: name },
      })}
      {...(onDone && { onDone })}
      own={{
        edit: () => void go(`/model/deployment/${id}/edit`),
        clone: () => void go(`/model/deployment/create?${new URLSearchParams({ from: id })}`),
      }}
    />
  );
}
