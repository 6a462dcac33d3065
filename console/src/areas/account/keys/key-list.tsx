// Keys of one sort: what each is, until when it works, and the ways to make and to delete one. What differs between sorts is data.
import type { Call } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { type LoadedList, useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Add from '@mui/icons-material/Add';
import Delete from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { type ReactNode, useMemo, useState } from 'react';
import type * as z from 'zod';
import type { ListFacts } from '../../../parts/list-rows.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMe } from '../../../parts/use-me.ts';
import { useAccountWords } from '../use-account-words.ts';
import { ExpiryText } from './expiry-text.tsx';

interface Key {
  readonly id: string;
  readonly remark: string;
  readonly expiration_time: string | null;
  readonly create_time: string;
}
interface RemoveFacts extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
}

interface KeyListProps<Row extends Key> {
  list: Call<ListFacts<Row>>;
  remove: Call<RemoveFacts>;
  /** Those that only this sort has. */
  columns: readonly Column<Row>[];
  title: string;
  lead: string;
  emptyTitle: string;
  emptyHint: string;
  /** The button that opens `dialog`. */
  create: string;
  canCreate?: boolean;
  dialog(onClose: () => void): ReactNode;
  /** The consequences of deleting a key, a line each. */
  lost: readonly string[];
  /** Set if a key is not deleted but revoked. */
  revoke?: { label: string; title(name: string): string };
  /** So many at most; `full` is then said instead of the lead. */
  most?: { count: number; full: string };
}

export function KeyList<Row extends Key>(props: KeyListProps<Row>) {
  const { columns: own, title, emptyTitle, emptyHint, canCreate = true, revoke, most, dialog } = props;
  const t = useAccountWords();
  const ui = useUiWords();
  const list: LoadedList<Row> = useList(props.list);
  const [isCreating, setCreating] = useState(false);
  const [doomed, setDoomed] = useState<Row>();
  const isFull = most !== undefined && (list.total ?? 0) >= most.count;
  const deleteLabel = revoke?.label ?? ui('actions.delete');
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { id: 'remark', label: t('keys.remark'), cell: ({ remark }) => remark, width: 'minmax(8rem, 1.4fr)' },
      ...own,
      {
        id: 'expiry',
        label: t('expiry.label'),
        width: 'minmax(10.5rem, 1.2fr)',
        cell: ({ expiration_time }) => <ExpiryText expiresAt={expiration_time} />,
      },
      {
        id: 'created',
        label: ui('fields.createTime'),
        width: 'minmax(10.5rem, 1.2fr)',
        isWideOnly: true,
        cell: ({ create_time }) => timeText(create_time),
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '5rem',
        align: 'end',
        cell: (key) => <DeleteButton name={key.remark} label={deleteLabel} onClick={() => setDoomed(key)} />,
      },
    ],
    [t, ui, own, deleteLabel],
  );
  const create = (
    <Button variant="contained" startIcon={<Add />} onClick={() => setCreating(true)} disabled={isFull || !canCreate}>
      {props.create}
    </Button>
  );
  return (
    <Section title={title} lead={isFull ? most.full : props.lead} actions={list.items.length > 0 && create}>
      <DataTable
        label={title}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ remark }) => remark}
        empty={
          <EmptyState title={emptyTitle} hint={emptyHint}>
            {create}
          </EmptyState>
        }
      />
      {isCreating && dialog(() => setCreating(false))}
      {doomed && (
        <DeleteKey
          {...props}
          id={doomed.id}
          question={revoke?.title(doomed.remark) ?? t('deleteTitle', { name: doomed.remark })}
          label={deleteLabel}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Section>
  );
}

interface DeleteKeyProps {
  list: Call;
  remove: Call<RemoveFacts>;
  id: string;
  question: string;
  lost: readonly string[];
  label: string;
  onClose(): void;
}

function DeleteKey({ list, remove: call, id, question, lost, label, onClose }: DeleteKeyProps) {
  const remove = useCommand(call, { isQuiet: true, invalidates: [list], onSuccess: onClose });
  return (
    <ConfirmDialog
      title={question}
      lost={lost}
      confirmLabel={label}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    />
  );
}

interface Made {
  readonly creator: string;
  readonly creator_id: string;
}

/** The person who made a key of the organisation. */
export function useCreatorColumn(): Column<Made> {
  const t = useAccountWords();
  const ui = useUiWords();
  const me = useMe().data?.account_id;
  return useMemo(
    () => ({
      id: 'creator',
      label: ui('fields.creator'),
      cell: ({ creator, creator_id }) => (creator_id === me ? t('you', { name: creator }) : creator),
    }),
    [t, ui, me],
  );
}

/** Its label names the row's object for screen readers. */
function DeleteButton({ name, label, onClick }: { name: string; label: string; onClick: () => void }) {
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={`${label}: ${name}`} onClick={onClick}>
        <Delete fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}
