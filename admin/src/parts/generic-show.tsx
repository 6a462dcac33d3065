// The page of a row that has none of its own: every field by its label.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useSetPageTitle } from '@gantry/ui/widgets/page-title.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import ArrowBack from '@mui/icons-material/ArrowBack';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import {
  EditButton,
  type HttpError,
  ShowBase,
  TopToolbar,
  useGetRecordRepresentation,
  useNotify,
  useRecordContext,
  useRedirect,
  useResourceContext,
  useResourceDefinition,
  useShowContext,
} from 'react-admin';
import { Link } from 'react-router';
import { problemIn } from '../providers/problem-in.ts';
import { useTableWords } from '../table-words.ts';
import { resourceOf, tableNameOf, tableOf } from '../tables.ts';
import { FactList } from './fact-list.tsx';
import { PageLoading } from './page-loading.tsx';

/** Fields that say least stand last. */
const LAST = ['spec', 'status'];

export function GenericShow() {
  const name = tableNameOf(useResourceContext() ?? '');
  const fields = Object.keys(tableOf(name).fields);
  return (
    <AdminShow>
      <Card sx={{ p: 2 }}>
        <FactList
          name={name}
          fields={[
            ...fields.filter((field) => !LAST.includes(field)),
            ...LAST.filter((field) => fields.includes(field)),
          ]}
        />
      </Card>
    </AdminShow>
  );
}

/** The frame of every row's page: its name, the way back, and its actions. */
export function AdminShow({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const resource = useResourceContext();
  const notify = useNotify();
  const redirect = useRedirect();
  // React-admin says of every failure that the row does not exist, and leaves its page.
  const onError = (error: Error) => {
    if (!isRefused(error)) return;
    notify('ra.notification.item_doesnt_exist', { type: 'error' });
    redirect('list', resource);
  };
  return (
    <ShowBase queryOptions={{ onError }}>
      <ShowFrame actions={actions}>{children}</ShowFrame>
    </ShowBase>
  );
}

/** Otherwise the server or the network failed, and another try may succeed. */
const isRefused = (error: Error): boolean => {
  const { status } = error as Partial<HttpError>;
  return status !== undefined && status >= 400 && status < 500;
};

function ShowFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const name = tableNameOf(useResourceContext() ?? '');
  const { isPending, record, error, refetch } = useShowContext();
  const { hasEdit } = useResourceDefinition();
  if (!record && error && !isRefused(error))
    return <ErrorState error={problemIn(error)} onRetry={() => void refetch()} />;
  if (isPending || !record) return <PageLoading />;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <BackLink name={name} />
          <RowTitle />
        </Box>
        <TopToolbar sx={{ p: 0, minHeight: 0 }}>
          {actions}
          {hasEdit && <EditButton />}
        </TopToolbar>
      </Box>
      {children}
    </Box>
  );
}

function BackLink({ name }: { name: AdminTableName }) {
  const { many } = useTableWords(name);
  return (
    <Button component={Link} to={`/${resourceOf(name)}`} size="small" startIcon={<ArrowBack />} sx={{ ml: -0.5 }}>
      {many}
    </Button>
  );
}

function RowTitle() {
  const record = useRecordContext();
  const represent = useGetRecordRepresentation();
  const name = tableNameOf(useResourceContext() ?? '');
  const words = useTableWords(name);
  const language = useLanguage();
  const { fields } = tableOf(name);
  // Titles are in three languages, and an id that is one of a few has a label.
  const title =
    fields.title?.type === 'phrases' ? (record?.title as Record<string, string> | undefined)?.[language] : '';
  const label = fields.id?.type === 'choice' ? words.choice('id', `${record?.id}`) : '';
  const shown = title || label || represent(record);
  useSetPageTitle(typeof shown === 'string' ? shown : '');
  return (
    <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
      {shown}
    </Typography>
  );
}
