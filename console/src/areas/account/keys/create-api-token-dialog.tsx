// A token with some of the rights that one's role has here. After its secret was shown, nobody can show it again.

import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
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
import { FormLimits } from './form-limits.tsx';
import { FormScopes } from './form-scopes.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { limitsOf, NO_LIMITS_TYPED, type TypedLimits } from './typed-limits.ts';

interface Typed {
  remark: string;
  scopes: Right[];
  expiration_time: string | null | undefined;
  limits: TypedLimits;
}

export function CreateApiTokenDialog({ role, onClose }: { role: OrgRole; onClose: () => void }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const resolver = useTokenRules();
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: { remark: '', scopes: ['view'], expiration_time: undefined, limits: NO_LIMITS_TYPED },
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
      onSubmit={submit(({ expiration_time = null, limits, ...typed }) =>
        create.mutateAsync({ body: { ...typed, expiration_time, limits: limitsOf(limits) } }),
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
      <FormLimits control={form.control} />
    </FormDialog>
  );
}

function useTokenRules(): Resolver<Typed> {
  const t = useAccountWords();
  const parts = usePartsWords();
  const language = useLanguage();
  return async (values, context, options) => {
    const sent = { ...values, limits: limitsOf(values.limits) };
    const checked = await rulesOf(KEY_ROUTES.createApiToken.body, language)(sent as never, context, options as never);
    const errors: Record<string, unknown> = { ...checked.errors };
    const limits = errors.limits as Record<string, unknown> | undefined;
    // Each entry of a list has its own fault, and there is one field for all of them.
    if (limits?.models !== undefined)
      errors.limits = { ...limits, models: { type: 'rule', message: t('tokens.limitModelsRule') } };
    if (values.scopes.length === 0) errors.scopes = { type: 'rule', message: t('tokens.scopesNeeded') };
    if (values.expiration_time === undefined)
      errors.expiration_time = { type: 'rule', message: parts('expiry.needed') };
    return (Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }) as never;
  };
}
