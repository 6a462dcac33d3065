// A list whose rows open beside it: what a row's page shows, without leaving the list. The page itself is one click further.
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import {
  type Identifier,
  ShowBase,
  useGetRecordRepresentation,
  useRecordContext,
  useResourceContext,
  useShowContext,
} from 'react-admin';
import { Link } from 'react-router';
import { AdminList } from './admin-list.tsx';
import { GenericTable } from './generic-table.tsx';
import { PageLoading } from './page-loading.tsx';
import { useBillingWords } from './use-billing-words.ts';

interface DrawerListProps {
  /** Above the list. */
  children?: ReactNode;
  /** Buttons of the list. */
  actions?: ReactNode;
  /** Buttons of the row. */
  commands?: ReactNode;
  /** The details of the row. */
  body: ReactNode;
}

export function DrawerList({ children, actions, commands, body }: DrawerListProps) {
  const [open, setOpen] = useState<Identifier>();
  const resource = useResourceContext() ?? '';
  const id = useId();
  const close = () => setOpen(undefined);
  return (
    <>
      <AdminList actions={actions}>
        {children}
        <GenericTable
          rowClick={(row) => {
            setOpen(row);
            return false;
          }}
        />
      </AdminList>
      <Drawer
        anchor="right"
        open={open !== undefined}
        onClose={close}
        slotProps={{
          paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: { xs: '100%', sm: 560, lg: 680 }, p: 2 } },
        }}
      >
        {open !== undefined && (
          <ShowBase resource={resource} id={open}>
            <RowBeside titleId={id} commands={commands} onClose={close}>
              {body}
            </RowBeside>
          </ShowBase>
        )}
      </Drawer>
    </>
  );
}

interface RowBesideProps {
  titleId: string;
  commands: ReactNode;
  children: ReactNode;
  onClose(): void;
}

function RowBeside({ titleId, commands, children, onClose }: RowBesideProps) {
  const t = useBillingWords();
  const resource = useResourceContext() ?? '';
  const record = useRecordContext();
  const represent = useGetRecordRepresentation();
  const { isPending } = useShowContext();
  return (
    // A wide table scrolls within itself.
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'flex', alignItems: 'start', gap: 1 }}>
        <Typography id={titleId} variant="h2" sx={{ flex: 1, overflowWrap: 'anywhere' }}>
          {record ? represent(record) : ''}
        </Typography>
        <IconButton aria-label={t('close')} onClick={onClose} autoFocus>
          <Close />
        </IconButton>
      </Box>
      {isPending || !record ? (
        <PageLoading />
      ) : (
        <>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {commands}
            <Button component={Link} to={`/${resource}/${encodeURIComponent(record.id)}/show`}>
              {t('openPage')}
            </Button>
          </Box>
          {children}
        </>
      )}
    </Box>
  );
}
