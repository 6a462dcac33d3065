// A token with some of the rights that one's role has here. After its secret was shown, nobody can show it again.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { KEY_ROUTES } from '@gantry/contract/http/keys.ts';
import { type OrgRole, RIGHTS, type Right, ROLE_RIGHTS } from '@gantry/contract/roles.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useState } from 'react';
import type { Resolver } from 'react-hook-form';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { FormExpiry } from '../../../parts/form-expiry.tsx';
import { usePartsWords } from '../../../parts/use-parts-words.ts';
import { useAccountWords } from '../use-account-words.ts';
import { FormScopes } from './form-scopes.tsx';
import { SecretDialog } from './secret-dialog.tsx';

interface Typed {
  remark: string;
  scopes: Right[];
  expiration_time: string | null | undefined;
}

export function CreateApiTokenDialog({ role, onClose }: { role: OrgRole; onClose: () => void }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const resolver = useTokenRules();
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: { remark: '', scopes: ['view'], expiration_time: undefined },
    resolver,
  });
  const [secret, setSecret] = useState<string>();
  const create = useCommand(CALLS.createApiToken, {
    isQuiet: true,
    invalidates: [CALLS.listApiTokens],
    onSuccess: ({ token }) => setSecret(token),
  });
  if (secret !== undefined)
    return (
      <SecretDialog
        title={t('tokens.made')}
        warning={t('tokens.once')}
        texts={[
          { label: t('tokens.secret'), text: secret },
          {
            label: t('tokens.howTo'),
            text: `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/auth/v1/account/me`,
          },
        ]}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={t('tokens.create')}
      lead={t('tokens.createLead', { role: t(`roles.${role}`) })}
      submitLabel={ui('actions.create')}
      isBusy={create.isPending}
      error={error}
      onSubmit={submit(({ expiration_time = null, ...typed }) =>
        create.mutateAsync({ body: { ...typed, expiration_time } }),
      )}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="remark"
        label={t('keys.remark')}
        help={t('tokens.remarkHelp')}
        autoFocus
        isRequired
      />
      <FormScopes
        control={form.control}
        name="scopes"
        rights={RIGHTS.filter((right) => ROLE_RIGHTS[role].includes(right))}
      />
      <FormExpiry control={form.control} name="expiration_time" permanentHelp={t('tokens.permanentHelp')} />
    </FormDialog>
  );
}

function useTokenRules(): Resolver<Typed> {
  const t = useAccountWords();
  const parts = usePartsWords();
  const language = useLanguage();
  return async (values, context, options) => {
    const checked = await rulesOf(KEY_ROUTES.createApiToken.body, language)(values as never, context, options as never);
    const errors: Record<string, unknown> = { ...checked.errors };
    if (values.scopes.length === 0) errors.scopes = { type: 'rule', message: t('tokens.scopesNeeded') };
    if (values.expiration_time === undefined)
      errors.expiration_time = { type: 'rule', message: parts('expiry.needed') };
    return (Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }) as never;
  };
}
