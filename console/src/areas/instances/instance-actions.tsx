// The buttons of an instance. Logging in, editing and exporting lead elsewhere; the rest are commands.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { useQuestions } from './use-questions.tsx';

// It has a form with its rules: no row of a list waits for them.
const ExportDialog = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })));

interface InstanceActionsProps {
  instance: InstanceView;
  shown: number;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

const FIRST = ['login', 'start', 'resume', 'restore', 'stop', 'edit', 'hibernate', 'shutdown'] as const;

export function InstanceActions({ instance, shown, size = 'small', onDone }: InstanceActionsProps) {
  const go = useNavigate();
  const questions = useQuestions(instance);
  const [isExporting, setExporting] = useState(false);
  const { id } = instance;
  return (
    <>
      <ActionButtons
        kind="gpuInstance"
        target={instance}
        first={FIRST}
        shown={shown}
        size={size}
        questions={questions}
        {...(onDone && { onDone })}
        own={{
          login: () => void go(`/develop/instance/console/${id}`),
          edit: () => void go(`/develop/instance/${id}/edit`),
          exportTemplate: () => setExporting(true),
        }}
      />
      {isExporting && (
        <Suspense>
          <ExportDialog instance={instance} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  );
}
