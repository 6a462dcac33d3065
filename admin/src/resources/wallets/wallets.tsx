// Wallets: what every organisation has and owes, with both sides of each transfer; grants and adjustments with a reason.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAllWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useState } from 'react';
import { usePermissions, useRecordContext } from 'react-admin';
import { ENTRY_COLUMNS } from '../../parts/document-body.tsx';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { PartList } from '../../parts/part-list.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { resourceWords } from '../../table-words.ts';
import { tableOf } from '../../tables.ts';
import { TransferDialog } from './transfer-dialog.tsx';

type Wallet = AdminRow<'wallets'>;

export const List = () => <DrawerList commands={<Commands />} body={<Beside />} />;

export const Show = () => (
  <AdminShow actions={<Commands />}>
    <WalletPage />
  </AdminShow>
);

function Commands() {
  const t = useBillingWords();
  const wallet = useRecordContext<Wallet>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<'grant' | 'adjust'>();
  if (!wallet || !permissions?.has('adminTransfer')) return null;
  return (
    <>
      <Button onClick={() => setAsked('grant')}>{t('wallet.grant')}</Button>
      <Button onClick={() => setAsked('adjust')}>{t('wallet.adjust')}</Button>
      {asked && <TransferDialog kind={asked} wallet={wallet} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const Facts = () => (
  <Card sx={{ p: 2 }}>
    <FactList name="wallets" fields={Object.keys(tableOf('wallets').fields)} />
  </Card>
);

const Entries = () => <PartList name="ledger-entries" target="organization_id" columns={ENTRY_COLUMNS} />;

const Beside = () => (
  <>
    <Facts />
    <Entries />
  </>
);

const PARTS = ['transactions', 'bills', 'invoices', 'credit-notes', 'payments', 'refunds', 'approvals'] as const;

function WalletPage() {
  const t = useBillingWords();
  const words = useAllWords();
  return (
    <>
      <Facts />
      <PageTabs
        label={resourceWords(words, 'wallets').one}
        tabs={[
          { name: 'entries', label: t('entries'), content: <Entries /> },
          ...PARTS.map((name) => ({
            name,
            label: resourceWords(words, name).many,
            content: (
              <PartList
                name={name}
                target="organization_id"
                columns={tableOf(name).columns.filter((field) => !field.startsWith('organization_'))}
              />
            ),
          })),
        ]}
      />
    </>
  );
}
