// What a tab shows of a version's table; before there is one, how far it is or why there is none.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DatasetProfileView } from '@gantry/contract/areas/datasets/tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { OfVersion } from '../shown-version.tsx';
import { useDatasetWords } from '../use-dataset-words.ts';

const LOOK_MS = 2000;

export interface TableOf {
  readonly id: string;
  readonly version: number;
}

interface OfTableProps {
  dataset: DatasetDetailView;
  /** Where there is a table. */
  actions?: (of: TableOf, profile: DatasetProfileView) => ReactNode;
  children(of: TableOf, profile: DatasetProfileView): ReactNode;
}

export function OfTable({ dataset, actions, children }: OfTableProps) {
  const { id } = dataset;
  return (
    <OfVersion
      dataset={dataset}
      {...(actions && { actions: (version) => <Actions of={{ id, version }}>{actions}</Actions> })}
    >
      {(version) => (
        <LoadedTable key={version} of={{ id, version }} isOwn={dataset.is_own}>
          {children}
        </LoadedTable>
      )}
    </OfVersion>
  );
}

function Actions({ of, children }: { of: TableOf; children: NonNullable<OfTableProps['actions']> }) {
  const { data } = useCall(CALLS.getDatasetVersion, { params: { id: of.id, version: `${of.version}` } });
  return data?.profile?.state === 'ready' && children(of, data.profile);
}

function LoadedTable({ of, isOwn, children }: { of: TableOf; isOwn: boolean; children: OfTableProps['children'] }) {
  const t = useDatasetWords();
  const [isMoving, setMoving] = useState(false);
  const params = { id: of.id, version: `${of.version}` };
  const { data, error, refetch } = useCall(
    CALLS.getDatasetVersion,
    { params },
    isMoving ? { everyMs: LOOK_MS } : undefined,
  );
  const again = useCommand(CALLS.profileDatasetVersion, { invalidates: [CALLS.getDatasetVersion, CALLS.getDataset] });
  const profile = data?.profile;
  const moves = profile?.state === 'waiting' || profile?.state === 'running';
  if (moves !== isMoving) setMoving(moves);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (profile === undefined) return <LoadingRows />;
  if (profile === null) return <EmptyState title={t('table.none')} hint={t('table.noneHint')} />;
  switch (profile.state) {
    case 'ready':
      return children(of, profile);
    case 'failed':
      return (
        <Alert
          severity="error"
          action={
            isOwn && (
              <Guarded node="profileDatasetVersion">
                <Button color="inherit" size="small" loading={again.isPending} onClick={() => again.mutate({ params })}>
                  {t('table.again')}
                </Button>
              </Guarded>
            )
          }
        >
          {profile.problem?.message}
        </Alert>
      );
    case 'waiting':
    case 'running':
      return <Progress profile={profile} />;
  }
}

function Progress({ profile: { step, done, of } }: { profile: DatasetProfileView }) {
  const t = useDatasetWords();
  const isKnown = done !== null && of !== null && of > 0;
  const label = step === null ? t('table.waits') : t(`table.steps.${step}`);
  return (
    <>
      <LinearProgress
        aria-label={label}
        variant={isKnown ? 'determinate' : 'indeterminate'}
        value={isKnown ? Math.min(100, (100 * done) / of) : 0}
      />
      <Typography role="status" variant="body2" color="text.secondary" sx={{ my: 1 }}>
        {label}
      </Typography>
    </>
  );
}
