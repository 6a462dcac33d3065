// The proof of identity: an ID card by its number, anything else by its country, number and picture.
import { COUNTRIES, type IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useMemo } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useAccountWords } from '../use-account-words.ts';
import type { DocumentValues } from './document-values.ts';
import { FormPicture } from './form-picture.tsx';

interface DocumentFieldsProps {
  form: UseFormReturn<DocumentValues>;
  accepted: readonly IdentityDocument[];
  /** The label of an ID card's number. */
  idCardLabel: string;
}

export function DocumentFields({ form: { control }, accepted, idCardLabel }: DocumentFieldsProps) {
  const t = useAccountWords();
  const document = useWatch({ control, name: 'document' });
  return (
    <>
      {accepted.length > 1 && (
        <FormSelect
          control={control}
          name="document"
          label={t('realName.document')}
          isRequired
          options={accepted.map((value) => ({ value, label: t(`realName.documents.${value}`) }))}
        />
      )}
      {document === 'idCard' ? (
        <FormText
          control={control}
          name="id_card"
          label={idCardLabel}
          help={t('realName.idCardHelp')}
          autoComplete="off"
          isRequired
        />
      ) : (
        <>
          <CountryField control={control} />
          <FormText
            control={control}
            name="document_number"
            label={t('realName.documentNumber')}
            autoComplete="off"
            isRequired
          />
        </>
      )}
    </>
  );
}

/** The picture of a document that is no ID card. */
export function DocumentPicture({ form: { control } }: Pick<DocumentFieldsProps, 'form'>) {
  const t = useAccountWords();
  return (
    <FormPicture
      control={control}
      name="document_picture"
      label={t('realName.documentPicture')}
      help={t('realName.documentPictureHelp')}
    />
  );
}

function CountryField({ control }: Pick<DocumentFieldsProps['form'], 'control'>) {
  const t = useAccountWords();
  const language = useLanguage();
  const options = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).toSorted((a, b) =>
      a.label.localeCompare(b.label, language),
    );
  }, [language]);
  return (
    <FormSelect
      control={control}
      name="document_country"
      label={t('realName.documentCountry')}
      isRequired
      options={options}
    />
  );
}
