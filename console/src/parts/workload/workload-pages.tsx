// The page that creates a workload and the page that edits one, for every kind: what differs stands in the kind's table.
import type { Call } from '@gantry/contract/http/call.ts';
import { KIND_CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { CommonView } from '@gantry/contract/kind-api.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import type { ServerForm } from '@gantry/ui/form/use-server-form.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useParams, useSearchParams } from 'react-router';
import type * as z from 'zod';
import type { ActedKind } from '../action-calls.ts';
import { Edited, EditFrame } from '../edit-frame.tsx';
import { DraftNotice, useDraft } from '../use-draft.tsx';
import { type ChangeFacts, type FormRules, useSavedEdit } from '../use-saved-edit.tsx';
import type { WorkloadFormProps } from './form-frame.tsx';
import { useSendNew } from './use-send-new.tsx';
import { useWorkloadWords } from './use-workload-words.ts';

type AllCalls = typeof KIND_CALLS;
/** Kinds that people create, change and command. */
type WorkloadKind = {
  [K in ActedKind]: AllCalls[K] extends { create: Call; change: Call } ? K : never;
}[ActedKind];

type Workload = Pick<CommonView, 'id' | 'name' | 'phase_label' | 'actions'> & { generation: number };

interface FormTable<View, Values extends FieldValues> {
  /** The path of its list; the objects are below. */
  list: string;
  /** Its form's name in the tab's storage: a draft outlives a new version of the console. */
  draft: string;
  useTexts(): (key: 'createTitle' | 'createLead' | 'editLead' | 'submit') => string;
  rules: Record<'create' | 'change', z.ZodType>;
  /** A new one's values; links may fill in some. */
  firstOf(query: URLSearchParams): Values;
  /** `isCopy`: for a new one like it. */
  valuesOf(view: View, isCopy?: boolean): Values;
  bodyOf(values: Values): object;
  /** Only what differs. */
  changeOf(before: Values, after: Values): object;
  useForm(options: FormRules<NoInfer<Values>>): ServerForm<NoInfer<Values>>;
  Form(props: WorkloadFormProps<NoInfer<Values>>): ReactNode;
  /** Without the values that must not outlive the page. */
  keptOf(values: NoInfer<Values>): NoInfer<Values>;
  /** The key of the words for what restored input lacks. */
  lackOf(begun: NoInfer<Values>): 'env' | 'secrets' | undefined;
}

interface NewFacts extends RouteFacts {
  body: z.ZodType<unknown, object>;
  answer: { result: z.ZodObject<{ id: z.ZodString }> };
}
interface ReadFacts extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
  answer: { result: z.ZodType<Workload> };
}
interface FormCalls {
  list: Call;
  read: Call<ReadFacts>;
  create: Call<NewFacts>;
  change: Call<ChangeFacts>;
}

type AnyTable<Values extends FieldValues> = FormTable<Workload, Values> & { kind: WorkloadKind; calls: FormCalls };

/** A kind's two pages. Each kind has a table in its own folder, and no page. */
export function workloadPages<View, Values extends FieldValues>({
  kind,
  ...rows
}: FormTable<View, Values> & { kind: WorkloadKind }) {
  // A kind's calls read and write what its table says.
  const table = { ...rows, kind, calls: KIND_CALLS[kind] } as unknown as AnyTable<Values>;
  return { CreatePage: () => <CreatePage table={table} />, EditPage: () => <EditPage table={table} /> };
}

interface TableProps<Values extends FieldValues> {
  table: AnyTable<Values>;
}

function CreatePage<Values extends FieldValues>({ table }: TableProps<Values>) {
  const t = table.useTexts();
  const [query] = useSearchParams();
  const from = query.get('from') ?? '';
  const { data, error, refetch } = useCall(table.calls.read, { params: { id: from } }, { enabled: from !== '' });
  return (
    <>
      <PageHeader title={t('createTitle')} lead={t('createLead')} />
      {from === '' ? (
        <New table={table} first={table.firstOf(query)} />
      ) : data ? (
        <New key={from} table={table} first={table.valuesOf(data, true)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={4} height={140} />
      )}
    </>
  );
}

function New<Values extends FieldValues>({ table, first }: TableProps<Values> & { first: Values }) {
  const { calls, list, bodyOf, Form } = table;
  const own = table.useTexts();
  const t = useWorkloadWords();
  const draft = useDraft(table.draft, first, table.keptOf);
  const formed = table.useForm({ first: draft.begun, rules: table.rules.create, bodyOf });
  const sent = useSendNew({ ...calls, formed, draft, bodyOf, page: list });
  const lack = table.lackOf(draft.begun);
  return (
    <Form
      {...sent}
      isNew
      submitLabel={own('submit')}
      notice={
        <DraftNotice draft={draft} form={formed.form}>
          {lack && t(`draft.${lack}`)}
        </DraftNotice>
      }
    />
  );
}

function EditPage<Values extends FieldValues>({ table }: TableProps<Values>) {
  const t = useWorkloadWords();
  const { id = '' } = useParams();
  const found = useCall(table.calls.read, { params: { id } });
  return (
    <Edited found={found} title={t('edit.title', { name: id })}>
      {(workload, reload) => <Edit table={table} workload={workload} onReload={reload} />}
    </Edited>
  );
}

interface EditProps<Values extends FieldValues> extends TableProps<Values> {
  workload: Workload;
  onReload: () => Promise<void>;
}

function Edit<Values extends FieldValues>({ table, workload, onReload }: EditProps<Values>) {
  const { kind, calls, changeOf, Form } = table;
  const own = table.useTexts();
  const t = useWorkloadWords();
  const page = `${table.list}/${workload.id}`;
  const canEdit = workload.actions.some(({ action }) => action === 'edit');
  const saved = useSavedEdit({
    shown: workload,
    first: table.valuesOf(workload),
    rules: table.rules.change,
    useForm: table.useForm,
    change: calls.change,
    reads: [calls.list, calls.read],
    words: { nothing: t('edit.nothingChanged'), saved: t('edit.saved') },
    ...{ changeOf, page, onReload },
  });
  return (
    <EditFrame
      title={t('edit.title', { name: workload.name })}
      lead={own('editLead')}
      page={page}
      waiting={canEdit ? undefined : t('edit.cannot', { phase: workload.phase_label })}
    >
      <Form {...saved} node={`${kind}.edit`} submitLabel={t('edit.save')} canSubmit={canEdit} />
    </EditFrame>
  );
}
