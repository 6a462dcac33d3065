// Messages about a payment.

export const texts = {
  confirm: 'To continue, enter a card or confirm the payment.',
  transfer: 'Include the reference in your transfer. Your balance increases once the money arrives.',
  pending: 'Payment pending: funds will be late, check later',
  paid: 'Pay successfully',
  refunding: 'The money is on its way back.',
  refunded: 'The payment was refunded.',
};

export const failures = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  wrong_card_data: 'The card details are incorrect.',
  authentication_failed: 'The bank could not confirm that it was you.',
  authentication_needed: 'The cardholder must first confirm the payment with the bank (3-D Secure).',
  given_up: 'The payment was cancelled.',
  timed_out: 'Nobody confirmed the payment in time.',
  never_reached: 'The payment never reached the provider; nothing was charged.',
  amount_differs: 'The provider reports a different amount; our staff are checking it.',
  cash_short: 'The money is no longer in the balance.',
  provider_refused: 'The provider refused it.',
};

export const calledOff = 'Cancelled';

export const noticeTitles = {
  autoRechargeStopped: 'Automatic top-up stopped',
  autoRechargeEnded: 'Automatic top-up stopped',
  autoRecharged: 'Topped up automatically',
  autoRechargeLimit: 'Automatic top-up has reached its limit',
  latePaid: 'Pay successfully',
  disputed: 'A payment is disputed',
  disputeWon: 'Payment dispute decided',
  disputeLost: 'Payment dispute decided',
  refunded: 'Refund',
};

export const noticeContents = {
  autoRechargeStopped:
    'A top-up of %{amount} %{currency} failed: %{why} Automatic top-up is off until somebody turns it on again.',
  autoRechargeEnded: 'A payment was refunded or disputed. Automatic top-up is off until somebody turns it on again.',
  autoRecharged: '%{amount} %{currency} were added to the balance.',
  autoRechargeLimit: 'The daily limit of %{limit} %{currency} has been reached: the next top-up is tomorrow.',
  latePaid: 'A payment of %{amount} %{currency} has arrived.',
  disputed:
    'A payment is disputed, and the bank took back %{amount} %{currency} of it. The amount is deducted from the balance until the dispute is decided. Any part that the balance does not cover becomes debt.',
  disputeWon: 'The dispute over a payment is settled, and %{amount} %{currency} is back in the balance.',
  disputeLost: 'The bank upheld the dispute over a payment. %{amount} %{currency} will not return to the balance.',
  refunded: '%{amount} %{currency} were refunded.',
};
