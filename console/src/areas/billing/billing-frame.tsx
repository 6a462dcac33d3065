// The frame of every billing page: tabs to the others, and the button to top up.
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import Add from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useBillingWords } from './use-billing-words.ts';

const TABS = {
  overview: '/manage/billing',
  usage: '/manage/billing/usage',
  history: '/manage/billing/history',
  transactions: '/manage/billing/transactions',
  cards: '/manage/billing/cards',
  invoices: '/manage/billing/invoices',
  profile: '/manage/billing/profile',
} as const;

/** In a row wider than the screen, scrolls the current page's link into sight. */
const showInRow = (link: HTMLElement | null): void => {
  const row = link?.parentElement;
  if (link && row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
};

interface BillingFrameProps {
  tab: keyof typeof TABS | 'recharge';
  /** Beside the button that recharges. */
  buttons?: ReactNode;
  children: ReactNode;
}

export function BillingFrame({ tab, buttons, children }: BillingFrameProps) {
  const t = useBillingWords();
  return (
    <>
      <PageHeader title={tab === 'overview' ? t('title') : t(`tabs.${tab}`)} lead={t(`leads.${tab}`)}>
        {buttons}
        {tab !== 'recharge' && (
          <Button component={Link} to="/manage/billing/recharge" variant="contained" startIcon={<Add />}>
            {t('recharge.button')}
          </Button>
        )}
      </PageHeader>
      <Box
        component="nav"
        aria-label={t('tabs.label')}
        sx={{
          position: 'relative',
          display: 'flex',
          overflowX: 'auto',
          borderBottom: '1px solid',
          borderColor: 'divider',
          mb: 3,
        }}
      >
        {Object.entries(TABS).map(([name, path]) => (
          <Button
            key={name}
            component={Link}
            to={path}
            {...(name === tab && { ref: showInRow })}
            color="inherit"
            {...(name === tab && { 'aria-current': 'page' })}
            sx={{
              flex: 'none',
              px: 2,
              borderRadius: 0,
              color: 'text.secondary',
              borderBottom: '2px solid transparent',
              '&[aria-current]': { color: 'primary.main', borderColor: 'primary.main' },
              '&:focus-visible': { outlineOffset: -3 },
            }}
          >
            {t(`tabs.${name as keyof typeof TABS}`)}
          </Button>
        ))}
      </Box>
      {children}
    </>
  );
}
