-- Rows as the gateway wrote them when 0000_first was the only migration.
INSERT INTO accounts (id, name, created_at) VALUES ('acc-ann', 'ann', '2026-11-01T00:00:00Z');
INSERT INTO organizations (id, name, currency, created_at) VALUES ('acme', 'Acme', 'USD', '2026-11-01T00:00:00Z');
INSERT INTO ledger_accounts (id, type, org_id, currency) VALUES
  ('acme/cash/USD', 'cash', 'acme', 'USD'),
  ('platform/clearing.card/USD', 'clearing.card', NULL, 'USD');
INSERT INTO transfers (key, type, org_id, currency, at, posted_at, bill_id, memo) VALUES
  ('payment/pay-1', 'recharge', 'acme', 'USD', '2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z', 'bill-1', '{}');
INSERT INTO postings (transfer_id, leg, debit, credit, amount) VALUES
  (1, 0, 'platform/clearing.card/USD', 'acme/cash/USD', 10000000);
INSERT INTO wallets (org_id, currency, cash, credits, debt, overdraft) VALUES ('acme', 'USD', 10000000, 0, 0, 0);
INSERT INTO bills (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, reference) VALUES
  ('bill-1', 'acme', 'USD', 'recharge', 'paid', '2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z', 10000000, 10000000, 0,
    'card', 'pay-1');
