// The buttons of an instance. Exporting opens a dialog.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { type ComponentProps, Suspense, useState } from 'react';
import { lazyPart } from '../../parts/lazy-part.ts';
import { workloadActions } from '../../parts/workload/workload-actions.tsx';
import { useQuestions } from './use-questions.tsx';

// It has a form with its rules: no row of a list waits for them.
const ExportDialog = lazyPart(() => import('./export-dialog.tsx'), 'ExportDialog');

const Actions = workloadActions({
  kind: 'gpuInstance',
  first: ['login', 'start', 'resume', 'restore', 'stop', 'edit', 'hibernate', 'shutdown'],
  leads: {
    login: (id) => `/develop/instance/console/${id}`,
    edit: (id) => `/develop/instance/${id}/edit`,
  },
  useQuestions,
});

export function InstanceActions(props: Omit<ComponentProps<typeof Actions>, 'dialogs'> & { target: InstanceView }) {
  const [isExporting, setExporting] = useState(false);
  return (
    <>
      <Actions {...props} dialogs={{ exportTemplate: () => setExporting(true) }} />
      {isExporting && (
        <Suspense>
          <ExportDialog instance={props.target} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  );
}
