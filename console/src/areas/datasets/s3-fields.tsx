// A bucket that a version is copied from, and the keys it is read with: names of those that are stored, or new ones. Stored keys are
// never shown again.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormPassword, FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import type { Control } from 'react-hook-form';
import { useDatasetWords } from './use-dataset-words.ts';

export interface S3Keys {
  keysName: string;
  accessKey: string;
  secretKey: string;
}
export interface S3Values extends S3Keys {
  address: string;
  endpoint: string;
  region: string;
  pathStyle: boolean;
  credentials: string;
}

/** Instead of a name, none of which has such letters. */
const NO_KEYS = '(none)';
export const NEW_KEYS = '(new)';
export const NO_S3_KEYS: S3Keys = { keysName: '', accessKey: '', secretKey: '' };
export const NO_S3: S3Values = {
  ...NO_S3_KEYS,
  ...{ address: '', endpoint: '', region: 'us-east-1', pathStyle: true, credentials: NO_KEYS },
};

export const keysIn = ({ keysName, accessKey, secretKey }: S3Keys) => ({
  name: keysName.trim(),
  access_key: accessKey.trim(),
  secret_key: secretKey.trim(),
});
export const s3In = (values: S3Values) => ({
  address: values.address.trim(),
  endpoint: values.endpoint.trim(),
  region: values.region.trim(),
  path_style: values.pathStyle,
  credentials:
    values.credentials === NO_KEYS
      ? null
      : values.credentials === NEW_KEYS
        ? values.keysName.trim()
        : values.credentials,
});

const FIELDS: Readonly<Record<string, keyof S3Values>> = {
  ...{ name: 'keysName', access_key: 'accessKey', secret_key: 'secretKey', path_style: 'pathStyle' },
};
/** The form's field of a member that the API names. */
export const s3FieldOf = (member: string) => FIELDS[member];

export function S3Fields({ control, isNew }: { control: Control<S3Values>; isNew: boolean }) {
  const t = useDatasetWords();
  const may = useMay();
  const { data: stored = [] } = useCall(CALLS.listS3Credentials, {});
  return (
    <>
      <FormText
        control={control}
        name="address"
        label={t('s3.address')}
        help={t('s3.addressHint')}
        isRequired
        autoComplete="off"
      />
      <FormText
        control={control}
        name="endpoint"
        label={t('s3.endpoint')}
        help={t('s3.endpointHint')}
        autoComplete="off"
      />
      <FormText control={control} name="region" label={t('s3.region')} autoComplete="off" />
      <FormCheckbox control={control} name="pathStyle" label={t('s3.pathStyle')} help={t('s3.pathStyleHint')} />
      <FormSelect
        control={control}
        name="credentials"
        label={t('s3.credentials')}
        options={[
          { value: NO_KEYS, label: t('s3.none') },
          ...stored.map(({ name }) => ({ value: name, label: name })),
          { value: NEW_KEYS, label: t('s3.new'), isDisabled: !may(CALLS.setS3Credentials.id) },
        ]}
        help={may(CALLS.setS3Credentials.id) ? undefined : t('s3.managersSet')}
      />
      {isNew && <S3KeyFields control={control as unknown as Control<S3Keys>} />}
    </>
  );
}

export function S3KeyFields({ control }: { control: Control<S3Keys> }) {
  const t = useDatasetWords();
  return (
    <>
      <FormText
        control={control}
        name="keysName"
        label={t('s3.name')}
        help={t('s3.nameHint')}
        isRequired
        autoComplete="off"
      />
      <FormText control={control} name="accessKey" label={t('s3.accessKey')} isRequired autoComplete="off" />
      <FormPassword
        control={control}
        name="secretKey"
        label={t('s3.secretKey')}
        help={t('s3.sealed')}
        isRequired
        autoComplete="new-password"
      />
    </>
  );
}
