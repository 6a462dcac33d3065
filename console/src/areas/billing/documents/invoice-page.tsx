// One invoice: from whom, to whom, and its lines, which add up to its total.

import type { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { dateText } from '@gantry/ui/format/time.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useParams } from 'react-router';
import { Section } from '../../../parts/section.tsx';
import { BillingFrame } from '../billing-frame.tsx';
import { FactsList } from '../facts-list.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { InvoiceLines } from './invoice-lines.tsx';
import { PaperFiles } from './paper-files.tsx';

export type Invoice = OutputOf<typeof DOCUMENT_ROUTES.getInvoice>;

export function InvoicePage() {
  const { id = '' } = useParams();
  const invoice = useCall(CALLS.getInvoice, { params: { id } });
  return (
    <BillingFrame tab="invoices">
      {invoice.error && !invoice.data ? (
        <ErrorState error={invoice.error} onRetry={() => void invoice.refetch()} />
      ) : invoice.data ? (
        <Paper invoice={invoice.data} />
      ) : (
        <LoadingRows rows={10} />
      )}
    </BillingFrame>
  );
}

function Paper({ invoice }: { invoice: Invoice }) {
  const t = useBillingWords();
  const amount = (text: string) => rateText(text, invoice.currency);
  const title = t('invoices.title', { number: invoice.number, month: invoice.month });
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Section inGrid title={title} actions={<PaperFiles of="invoices" id={invoice.id} number={invoice.number} />}>
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr 1fr' } }}>
          <Party title={t('invoices.from')} party={invoice.issuer} />
          <Party title={t('invoices.to')} party={invoice.recipient} />
          <FactsList
            facts={[
              { name: t('invoices.issued'), value: dateText(invoice.issued_at) },
              { name: t('profile.zone'), value: invoice.zone },
              { name: t('usage.list'), value: amount(invoice.list) },
              { name: t('usage.discount'), value: amount(invoice.discount) },
              { name: t('transactions.total'), value: <strong>{amount(invoice.total)}</strong> },
              { name: t('transactions.paid'), value: amount(invoice.pay_amount) },
              { name: t('transactions.credit'), value: amount(invoice.credit_used) },
              { name: t('invoices.owed'), value: amount(invoice.owed) },
            ]}
          />
        </Box>
      </Section>
      <Section inGrid title={t('invoices.lines')}>
        <InvoiceLines invoice={invoice} />
      </Section>
    </Box>
  );
}

function Party({ title, party }: { title: string; party: Invoice['issuer'] }) {
  const t = useBillingWords();
  return (
    <Box>
      <Typography variant="h3" gutterBottom>
        {title}
      </Typography>
      <Typography variant="body2" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {[party.legal_name, party.address].filter((text) => text !== '').join('\n') || t('invoices.unnamed')}
      </Typography>
      {party.tax_id !== '' && (
        <Typography variant="body2" color="text.secondary">
          {t('profile.taxId')}: {party.tax_id}
        </Typography>
      )}
    </Box>
  );
}
