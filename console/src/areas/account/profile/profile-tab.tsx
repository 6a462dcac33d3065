// The person's details: those they can change, and those that others ask for.
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { FactList } from '../../../parts/fact-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMe } from '../../../parts/use-me.ts';
import { useAccountWords } from '../use-account-words.ts';
import { ChangeAddressDialog } from './change-address-dialog.tsx';
import { ChangeNameDialog } from './change-name-dialog.tsx';
import { LanguageSelect } from './language-select.tsx';

type Open = 'username' | 'email' | 'phone';

export function ProfileTab() {
  const t = useAccountWords();
  const ui = useUiWords();
  const me = useMe();
  const [open, setOpen] = useState<Open>();
  if (me.error && !me.data) return <ErrorState error={me.error} onRetry={() => void me.refetch()} />;
  if (!me.data) return <LoadingRows rows={8} height={48} />;
  const { data } = me;
  const change = (what: Open, isThere: boolean) => {
    const verb = isThere ? t('profile.change') : ui('actions.add');
    return (
      <Button size="small" onClick={() => setOpen(what)} aria-label={`${verb}: ${t(`profile.${what}.label`)}`}>
        {verb}
      </Button>
    );
  };
  return (
    <Section title={t('profile.title')}>
      <FactList
        facts={[
          {
            label: t('profile.id'),
            value: <Box sx={{ fontFamily: MONO, fontSize: 14 }}>{data.account_id}</Box>,
            action: <CopyButton text={data.account_id} label={t('profile.id')} />,
          },
          { label: t('profile.username.label'), value: data.username, action: change('username', true) },
          {
            label: t('profile.email.label'),
            value: data.email ?? t('profile.none'),
            action: change('email', data.email !== null),
          },
          {
            label: t('profile.phone.label'),
            value: data.phone_num ?? t('profile.none'),
            action: change('phone', data.phone_num !== null),
          },
          { label: t('profile.language'), value: <LanguageSelect account={data} /> },
          {
            label: t('profile.type'),
            value: <Chip size="small" variant="outlined" label={t(`types.${data.type}`)} />,
            action: (
              <Link component={RouterLink} to="/manage/account/real-name" variant="body2">
                {t('tabs.realName')}
              </Link>
            ),
          },
          { label: t('profile.role'), value: t(`roles.${data.role}`) },
          { label: t('profile.created'), value: timeText(data.create_time) },
        ]}
      />
      {open === 'username' && <ChangeNameDialog account={data} onClose={() => setOpen(undefined)} />}
      {(open === 'email' || open === 'phone') && (
        <ChangeAddressDialog channel={open} account={data} onClose={() => setOpen(undefined)} />
      )}
    </Section>
  );
}
