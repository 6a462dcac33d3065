// A public key, pasted or from its file. Its fingerprint is shown before it is sent, and a private one is not taken.

import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import { brokenKeyRule } from '@gantry/contract/fields/ssh-key.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { problemSentence } from '@gantry/contract/http/problem.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { type Resolver, useWatch } from 'react-hook-form';
import { FormDialog } from './form-dialog.tsx';
import { FormExpiry } from './form-expiry.tsx';
import { commentOf, isPrivateKey, sshFingerprint } from './ssh-fingerprint.ts';
import { usePartsWords } from './use-parts-words.ts';

type PubKey = OutputOf<NonNullable<typeof CALLS.createPubKey.facts>>;

interface AddSshKeyDialogProps {
  onAdded?(key: PubKey): void;
  onClose(): void;
}

interface Typed {
  remark: string;
  public_key: string;
  expiration_time: string | null | undefined;
}

const MOST_REMARK = 63;

export function AddSshKeyDialog({ onAdded, onClose }: AddSshKeyDialogProps) {
  const t = usePartsWords();
  const ui = useUiWords();
  const chooser = useRef<HTMLInputElement>(null);
  const resolver = useKeyRules();
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: { remark: '', public_key: '', expiration_time: undefined },
    resolver,
  });
  const add = useCommand(CALLS.createPubKey, {
    isQuiet: true,
    invalidates: [CALLS.listPubKeys],
    onSuccess: (key) => {
      onAdded?.(key);
      onClose();
    },
  });
  const send = submit(({ expiration_time = null, remark, public_key }) =>
    add.mutateAsync({ body: { remark, public_key: public_key.trim(), expiration_time } }),
  );
  const publicKey = useWatch({ control: form.control, name: 'public_key' });
  const fingerprint = useFingerprint(publicKey);
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    const text = (await file.slice(0, 16_384).text()).trim();
    // A private key must not leave this machine, and is not even shown.
    form.setValue('public_key', isPrivateKey(text) ? '' : text, { shouldValidate: !isPrivateKey(text) });
    if (isPrivateKey(text)) form.setError('public_key', { type: 'rule', message: t('sshKey.private') });
    else if (form.getValues('remark') === '')
      form.setValue('remark', commentOf(text).slice(0, MOST_REMARK), { shouldValidate: true });
  };
  return (
    <FormDialog
      title={t('sshKey.add')}
      lead={t('sshKey.addLead')}
      submitLabel={ui('actions.add')}
      isBusy={add.isPending}
      error={error}
      onSubmit={(event) => {
        // It may stand within another form in React's tree, which must not be sent along.
        event.stopPropagation();
        void send(event);
      }}
      onClose={onClose}
    >
      <Box>
        <FormText
          control={form.control}
          name="public_key"
          label={t('sshKey.publicKey')}
          placeholder="ssh-ed25519 AAAA…"
          multiline
          minRows={3}
          autoFocus
          isRequired
          slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONO, fontSize: 13 } } }}
        />
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap', mt: 1, minHeight: 36 }}>
          <Button size="small" startIcon={<UploadFile />} onClick={() => chooser.current?.click()}>
            {t('sshKey.file')}
          </Button>
          <input
            ref={chooser}
            type="file"
            accept=".pub,text/plain"
            hidden
            onChange={({ target }) => {
              void readFile(target.files?.[0]);
              target.value = '';
            }}
          />
          {fingerprint !== undefined && (
            <Typography variant="caption" color="text.secondary" sx={{ fontFamily: MONO, overflowWrap: 'anywhere' }}>
              {fingerprint}
            </Typography>
          )}
        </Box>
      </Box>
      <FormText
        control={form.control}
        name="remark"
        label={t('sshKey.remark')}
        help={t('sshKey.remarkHelp')}
        isRequired
      />
      <FormExpiry control={form.control} name="expiration_time" permanentHelp={t('sshKey.permanentHelp')} />
    </FormDialog>
  );
}

/** The contract's rules for the body, and those for the key itself, which the server also checks. */
function useKeyRules(): Resolver<Typed> {
  const t = usePartsWords();
  const language = useLanguage();
  return async (values, context, options) => {
    const typed = { ...values, public_key: values.public_key.trim() };
    const checked = await rulesOf(KEY_ROUTES.createPubKey.body, language)(typed as never, context, options as never);
    const errors: Record<string, unknown> = { ...checked.errors };
    if (values.expiration_time === undefined) errors.expiration_time = { type: 'rule', message: t('expiry.needed') };
    const text = typed.public_key;
    const broken = text === '' ? undefined : brokenKeyRule(text.split(/\s+/).slice(0, 2).join(' '));
    if (isPrivateKey(text)) errors.public_key = { type: 'rule', message: t('sshKey.private') };
    else if (broken) {
      const detail = sentence(broken.words, language, broken.args);
      errors.public_key = { type: 'rule', message: problemSentence('ssh_key_broken', language, { detail }) };
    }
    return (Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }) as never;
  };
}

function useFingerprint(publicKey: string): string | undefined {
  const [fingerprint, setFingerprint] = useState<string>();
  useEffect(() => {
    let isOver = false;
    const isSound = brokenKeyRule(publicKey.trim().split(/\s+/).slice(0, 2).join(' ')) === undefined;
    void (isSound ? sshFingerprint(publicKey) : Promise.resolve(undefined)).then(
      (found) => !isOver && setFingerprint(found),
    );
    return () => {
      isOver = true;
    };
  }, [publicKey]);
  return fingerprint;
}
