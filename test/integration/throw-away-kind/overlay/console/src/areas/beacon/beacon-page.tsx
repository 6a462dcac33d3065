// One beacon.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useParams } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';

export function BeaconPage() {
  const { id = '' } = useParams();
  const { data: beacon, error, refetch } = useCall(CALLS.getBeacon, { params: { id } });
  if (!beacon) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows />;
  return (
    <>
      <PageHeader title={beacon.name}>
        <ActionButtons kind="beacon" target={beacon} size="medium" first={['hold']} />
      </PageHeader>
      <p>{beacon.message}</p>
    </>
  );
}
