// The buttons of a service. Logging in, editing and cloning lead elsewhere; the rest are commands.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { useNavigate } from 'react-router';
import { ActionButtons } from '../../../parts/action-buttons.tsx';
import { useServiceQuestions } from './use-service-questions.tsx';

interface ServiceActionsProps {
  service: ServiceView;
  shown: number;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

const FIRST = ['start', 'edit', 'stop', 'restart', 'rollback', 'clone', 'login'] as const;

export function ServiceActions({ service, shown, size = 'small', onDone }: ServiceActionsProps) {
  const go = useNavigate();
  const { id } = service;
  return (
    <ActionButtons
      kind="containerService"
      target={service}
      first={FIRST}
      shown={shown}
      size={size}
      questions={useServiceQuestions(service)}
      {...(onDone && { onDone })}
      own={{
        login: () => void go(`/deploy/service/${id}/replicas`),
        edit: () => void go(`/deploy/service/${id}/edit`),
        clone: () => void go(`/deploy/service/create?${new URLSearchParams({ from: id })}`),
      }}
    />
  );
}
