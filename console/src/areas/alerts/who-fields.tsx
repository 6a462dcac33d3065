// The recipients, at which levels and after how long they are notified, and in what words.
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ALERT_LEVELS, type AlertChannel, CHANNELS } from '@gantry/contract/kinds/alert-policy.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useMe } from '../../parts/use-me.ts';
import { FormFold } from '../../parts/workload/form-fold.tsx';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { EMPTY_POLICY, newChannel, type PolicyValues } from './policy-values.ts';
import { useAlertWords } from './use-alert-words.ts';

const Field = fieldsOf<PolicyValues>();

const MOST_CHANNELS = 10;
const MOST_MINUTES = 10_080;
const HINTS = { Mail: 'form.mailToHint', SMS: 'form.smsToHint' } as const;

/** `isMine`: the reader is, or will be, the policy's creator. */
export function WhoFields({ isMine }: { isMine: boolean }) {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const rows = useFieldArray({ control, name: 'channels' });
  const channels = useWatch({ control, name: 'channels' });
  const isSet = channels.some(({ levels, afterMinutes }) => levels.length > 0 || afterMinutes !== 0);
  const [isDetailed, setDetailed] = useState(false);
  const isOutside = channels.some(({ type }) => alsoAtContacts(type));
  return (
    <FormSection title={t('form.who')}>
      <FormRows
        title={t('form.channels')}
        isAlone
        {...(rows.fields.length === 0 && { hint: t('form.nobody') })}
        rows={rows}
        add={t('form.addChannel')}
        most={MOST_CHANNELS}
        columns={{ xs: '1fr', sm: '10rem minmax(0, 1fr)' }}
        blank={newChannel('Mail')}
        cells={(at) => <ChannelFields at={at} isDetailed={isDetailed || isSet} isMine={isMine} />}
      />
      <FormControlLabel
        control={
          <Switch
            size="small"
            checked={isDetailed || isSet}
            disabled={isSet}
            onChange={(_, checked) => setDetailed(checked)}
          />
        }
        label={t('form.escalation')}
        sx={{ ml: 0 }}
      />
      {isOutside && (
        <Field.Select
          name="language"
          label={t('form.language')}
          options={[
            { value: '', label: t('form.creators') },
            ...LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] })),
          ]}
        />
      )}
      <FormFold title={t('form.words')} names={['title', 'content'] as const} unset={EMPTY_POLICY}>
        <Field.Text name="title" label={t('form.titleText')} help={t('form.gaps')} autoComplete="off" />
        <Field.Text
          name="content"
          label={t('form.content')}
          help={t('form.contentHint')}
          multiline
          autoComplete="off"
        />
      </FormFold>
    </FormSection>
  );
}

const alsoAtContacts = (type: AlertChannel) => type === 'Webhook' || type === 'Slack' || type === 'DingTalk';

function ChannelFields({ at, isDetailed, isMine }: { at: number; isDetailed: boolean; isMine: boolean }) {
  const t = useAlertWords();
  const language = useLanguage();
  const { control, setValue } = useFormContext<PolicyValues>();
  const type = useWatch({ control, name: `channels.${at}.type` });
  return (
    <>
      <Field.Select
        name={`channels.${at}.type`}
        label={t('form.channel')}
        options={CHANNELS.map((name) => ({ value: name, label: alertWords.channels[name][language] }))}
        // Whom it goes to is named otherwise at each.
        onChosen={() => setValue(`channels.${at}.to`, '')}
      />
      {type === 'Bell' ? (
        <Typography variant="body2" color="text.secondary" sx={{ alignSelf: 'center' }}>
          {t('form.bellHint')}
        </Typography>
      ) : type === 'Mail' || type === 'SMS' ? (
        <MemberField at={at} type={type} isMine={isMine} />
      ) : (
        <ContactField at={at} type={type} />
      )}
      {isDetailed && (
        <>
          <Field.Number
            name={`channels.${at}.afterMinutes`}
            label={t('form.after')}
            unit={t('form.minutes')}
            range={[0, MOST_MINUTES]}
            isRequired
          />
          <Field.Select
            name={`channels.${at}.levels`}
            label={t('form.levels')}
            help={t('form.levelsHint')}
            slotProps={{ select: { multiple: true } }}
            options={ALERT_LEVELS.map((name) => ({ value: name, label: alertWords.levels[name][language] }))}
          />
        </>
      )}
    </>
  );
}

function MemberField({ at, type, isMine }: { at: number; type: 'Mail' | 'SMS'; isMine: boolean }) {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const chosen = useWatch({ control, name: `channels.${at}.to` });
  const { data: me } = useMe();
  const isUnreachable = isMine && type === 'Mail' && chosen === '' && me?.email === null;
  return (
    <Field.Text
      name={`channels.${at}.to`}
      label={t(type === 'Mail' ? 'form.mailTo' : 'form.smsTo')}
      help={t(isUnreachable ? 'form.noMail' : HINTS[type])}
      autoComplete="off"
    />
  );
}

function ContactField({ at, type }: { at: number; type: AlertChannel }) {
  const t = useAlertWords();
  const { control } = useFormContext<PolicyValues>();
  const { data: contacts = [] } = useCall(CALLS.listAlertContacts, {});
  const chosen = useWatch({ control, name: `channels.${at}.to` });
  const known = contacts.filter((one) => one.type === type).map(({ name }) => name);
  // One that is chosen, and is not listed (yet), stays chosen.
  const names = chosen === '' || known.includes(chosen) ? known : [...known, chosen];
  return (
    <Field.Select
      name={`channels.${at}.to`}
      label={t('form.contact')}
      help={names.length === 0 ? t('form.noContact') : undefined}
      isRequired
      options={names.map((name) => ({ value: name, label: name }))}
    />
  );
}
