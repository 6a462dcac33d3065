// The frame of a page that edits one object: the object is read first, and its form begins again with the current values on request.
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Fragment, type ReactNode, useState } from 'react';
import { Link } from 'react-router';

interface EditedProps<View> {
  found: { data: View | undefined; error: ApiProblem | null; refetch: () => Promise<unknown> };
  /** Until it is there. */
  title: string;
  children: (view: View, onReload: () => Promise<void>) => ReactNode;
}

export function Edited<View>({ found: { data, error, refetch }, title, children }: EditedProps<View>) {
  // A form starts again with the current values.
  const [round, setRound] = useState(0);
  if (!data) {
    return (
      <>
        <PageHeader title={title} />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} height={140} />}
      </>
    );
  }
  const reload = async () => {
    await refetch();
    setRound((round) => round + 1);
  };
  return <Fragment key={round}>{children(data, reload)}</Fragment>;
}

interface EditFrameProps {
  title: string;
  lead?: string;
  /** The object's page, to which *Cancel* leads. */
  page: string;
  /** Why it cannot be edited now. */
  waiting?: string | undefined;
  children: ReactNode;
}

export function EditFrame({ title, lead, page, waiting, children }: EditFrameProps) {
  const ui = useUiWords();
  return (
    <>
      <PageHeader title={title} {...(lead !== undefined && { lead })}>
        <Button component={Link} to={page}>
          {ui('actions.cancel')}
        </Button>
      </PageHeader>
      {waiting !== undefined && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {waiting}
        </Alert>
      )}
      {children}
    </>
  );
}
