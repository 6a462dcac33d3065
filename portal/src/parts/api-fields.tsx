// Fields and refusals of a call, as tables.
import type { ApiCallView } from '@gantry/contract/areas/portal/api-reference.ts';
import Typography from '@mui/material/Typography';
import { usePortalWords } from './use-portal-words.ts';
import { WideTable } from './wide-table.tsx';

interface FieldsProps {
  title: string;
  /** No two parts of a page have the same name. */
  of: string;
  fields: ApiCallView['path_fields'];
  /** An answer has what it has. */
  isAnswer: boolean;
}

export function ApiFields({ title, of, fields: { items, more }, isAnswer }: FieldsProps) {
  const t = usePortalWords();
  return (
    <>
      <Typography variant="h3" sx={{ mt: 2, mb: 0.5 }}>
        {title}
      </Typography>
      {items.length > 0 && (
        <WideTable label={`${title}: ${of}`} head={[t('api.field'), t('api.type'), t('api.meaning')]}>
          {items.map(({ name, type, is_required, description }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
                {is_required && !isAnswer && ` (${t('api.required')})`}
              </td>
              <td>
                <code>{type}</code>
              </td>
              <td lang="en">{description}</td>
            </tr>
          ))}
        </WideTable>
      )}
      {more > 0 && <Typography variant="body2">{t('api.more', { smart_count: more })}</Typography>}
    </>
  );
}

interface ErrorsProps {
  label: string;
  errors: ApiCallView['errors'];
}

export function ApiErrors({ label, errors }: ErrorsProps) {
  const t = usePortalWords();
  return (
    <WideTable label={label} head={[t('api.status'), t('api.code'), t('api.meaning')]}>
      {errors.map(({ status, code, message }) => (
        <tr key={code}>
          <td>{status}</td>
          <td>
            <code>{code}</code>
          </td>
          <td>{message}</td>
        </tr>
      ))}
    </WideTable>
  );
}
