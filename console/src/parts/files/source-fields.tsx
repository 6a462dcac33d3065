// Where the files of a version come from by themselves: a repository of the hub, or a folder of a disk.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import Typography from '@mui/material/Typography';
import type { Control } from 'react-hook-form';
import { wordsIn } from '../words-in.ts';
import { useFilesWords } from './use-files-words.ts';

/** A form has these among its own. */
export interface SourceValues {
  disk: string;
  folder: string;
  repository: string;
  revision: string;
  include: string;
}
export const NO_SOURCE: SourceValues = { disk: '', folder: '/', repository: '', revision: 'main', include: '' };

/** What the API takes. */
export const includeIn = ({ include }: SourceValues) => wordsIn(include);
export const hubIn = (values: SourceValues) => ({
  repository: values.repository.trim(),
  revision: values.revision.trim(),
  include: includeIn(values),
});
export const diskIn = (values: SourceValues) => ({
  disk: values.disk,
  folder: values.folder.trim(),
  include: includeIn(values),
});

const ALL = { size: 1000 } as const;
const useDisks = () => useList(CALLS.listDisks, {}, ALL).items;
const useHub = () => useCall(CALLS.getModelHubToken, {}).data;

/** Choices of a field; a source that has nothing to offer cannot be chosen. */
export function useSourceOptions() {
  const t = useFilesWords();
  const hub = useHub();
  const disks = useDisks();
  return [
    { value: 'upload' as const, label: t('source.upload') },
    { value: 'hub' as const, label: t('source.hub'), isDisabled: hub?.hub === null },
    { value: 'disk' as const, label: t('source.disk'), isDisabled: disks.length === 0 },
  ];
}

interface FieldsProps<Values extends SourceValues> {
  control: Control<Values>;
  /** Examples. */
  hints: { readonly repository: string; readonly folder: string; readonly include: string };
}

/** react-hook-form does not know that a form with more values has these. */
const own = <Values extends SourceValues>(control: Control<Values>) => control as unknown as Control<SourceValues>;

export function HubFields<Values extends SourceValues>({ control, hints }: FieldsProps<Values>) {
  const t = useFilesWords();
  const hub = useHub();
  return (
    <>
      <Typography variant="body2" color="text.secondary">
        {hub?.hub ? t('source.hubAt', { hub: hub.hub }) : t('source.noHub')}
        {hub && !hub.is_set && ` ${t('source.gated')}`}
      </Typography>
      <FormText
        control={own(control)}
        name="repository"
        label={t('source.repository')}
        help={hints.repository}
        isRequired
        autoComplete="off"
      />
      <FormText control={own(control)} name="revision" label={t('source.revision')} help={t('source.revisionHint')} />
      <IncludeField control={control} hint={hints.include} />
    </>
  );
}

export function DiskFields<Values extends SourceValues>({ control, hints }: FieldsProps<Values>) {
  const t = useFilesWords();
  const disks = useDisks();
  return (
    <>
      <FormSelect
        control={own(control)}
        name="disk"
        label={t('source.disk')}
        options={disks.map(({ id, name }) => ({ value: id, label: name }))}
        isRequired
      />
      <FormText control={own(control)} name="folder" label={t('source.folder')} help={hints.folder} />
      <IncludeField control={control} hint={hints.include} />
    </>
  );
}

export function IncludeField<Values extends SourceValues>({
  control,
  hint,
}: {
  control: Control<Values>;
  hint: string;
}) {
  const t = useFilesWords();
  return <FormText control={own(control)} name="include" label={t('source.include')} help={hint} />;
}
