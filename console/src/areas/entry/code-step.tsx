// Verifies an address: a code goes there, and the right one gives a ticket for the next step.

import { email, phone } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { ruleSentence } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { SendCode } from '../../parts/send-code.tsx';
import { explained } from './explained.ts';
import type { Proof } from './kept-proof.ts';
import { required } from './required.ts';
import { useEntryWords } from './use-entry-words.ts';

const RULES = { email, phone } as const;

interface CodeStepProps {
  channel: 'email' | 'phone';
  purpose: 'register' | 'reset';
  /** How far it has come. */
  proof: Proof | undefined;
  /** The address from a link. */
  address?: string | undefined;
  onProof(proof: Proof): void;
}

interface Typed {
  address: string;
  code: string;
}

export function CodeStep({ channel, purpose, proof, address: brought, onProof }: CodeStepProps) {
  const t = useEntryWords();
  const api = useApi();
  const language = useLanguage();
  const { form, error, submit, show } = useServerForm<Typed>({
    defaultValues: { address: proof?.address ?? brought ?? '', code: '' },
    resolver: required<Typed>({ address: t('code.addressMissing'), code: t('code.codeMissing') }),
    mode: 'onSubmit',
    fieldOf: (field) => (field === channel ? 'address' : field === 'code' ? 'code' : undefined),
  });
  const readAddress = async () => {
    const checked = RULES[channel].safeParse(form.getValues('address').trim());
    if (checked.success) {
      form.clearErrors('address');
      return checked.data;
    }
    const message = ruleSentence(`${channel}_rule`, language);
    form.setError('address', { type: 'server', message }, { shouldFocus: true });
    return undefined;
  };
  const send = submit(async ({ code }) => {
    // The code is of the address that it went to, whatever was typed since.
    const address = proof?.address ?? (await readAddress());
    if (address === undefined) return;
    const body = { [channel]: address, code: code.replace(/\s/g, '') };
    const verified = await (purpose === 'register'
      ? api.call(CALLS.verifyRegistration, { body })
      : api.call(CALLS.verifyReset, { body })
    ).catch((thrown) => {
      throw explained(thrown, { code_wrong: (sentence) => t('code.wrong', { sentence }) });
    });
    onProof({ address, resendAt: proof?.resendAt ?? 0, ticket: verified.ticket });
  });
  return (
    <Box component="form" noValidate onSubmit={send} sx={{ display: 'grid', gap: 2 }}>
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <FormText
        control={form.control}
        name="address"
        label={t(`code.${channel}`)}
        type={channel === 'email' ? 'email' : 'tel'}
        autoComplete={channel === 'email' ? 'email' : 'tel'}
        help={channel === 'phone' ? t('code.phoneHelp') : undefined}
        autoFocus={proof === undefined}
      />
      <SendCode
        channel={channel}
        purpose={purpose}
        before={proof}
        readAddress={readAddress}
        onRefused={show}
        onSent={(sent) => {
          onProof(sent);
          form.setFocus('code');
        }}
      />
      <FormText
        control={form.control}
        name="code"
        label={t('code.code')}
        help={t('code.codeHelp')}
        autoComplete="one-time-code"
        autoFocus={proof !== undefined}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 12 } }}
      />
      <Button type="submit" size="large" variant="contained" loading={form.formState.isSubmitting}>
        {t('code.verify')}
      </Button>
    </Box>
  );
}
