// Billing's words about credit: its reasons, and the sentences with the numbers.

export const reasons = {
  WaitingForCredit: 'Waiting for billing to reserve credit.',
  OutOfCredit: 'The organisation is out of credit: %{detail}',
  SpendCapReached: 'A spending cap is reached: %{detail}',
  NoPrice: 'It has no price yet: %{detail}',
  PlanLimit: "The organisation's plan does not include it: %{detail}",
};

export const sentences = {
  reserved: 'Credit is reserved.',
  free: 'It costs nothing by the hour.',
  atRest: 'It is at rest: what it keeps is billed as it is used, and nothing more is made.',
  paidUntil: 'It is paid for until %{at}.',
  paidNoLonger: 'It is paid for until %{at}, and not longer: %{detail}',
  monthsCovered:
    'Credit covers %{covered} of %{months} month: %{detail} |||| Credit covers %{covered} of %{months} months: %{detail}',
  paidMonthsCovered:
    'It is paid for until %{at}, and credit covers %{covered} of %{months} month: %{detail} |||| It is paid for until %{at}, and credit covers %{covered} of %{months} months: %{detail}',
  needs: 'needs %{wanted} %{currency} %{what}, %{available} %{currency} available',
  needsUnderCap:
    "needs %{wanted} %{currency} %{what}, and %{spent} of the organisation's cap of %{cap} %{currency} for this month are spent or reserved",
  needsUnderMemberCap:
    "needs %{wanted} %{currency} %{what}, and %{spent} of the member's cap of %{cap} %{currency} for this month are spent or reserved",
  // The purpose of the amount.
  nextMinutes: 'for the next %{minutes} minute |||| for the next %{minutes} minutes',
  nextHour: 'for the next hour',
  nextHours: 'for the next %{hours} hour |||| for the next %{hours} hours',
  months: 'for %{months} month |||| for %{months} months',
  monthsOfNodes: 'for %{months} month of %{nodes} nodes |||| for %{months} months of %{nodes} nodes',
  moreNodes: 'for %{more} more node |||| for %{more} more nodes',
  monthsAndMoreNodes: '%{term} and %{added}',
  // Why there is no cost, or why the plan refuses it.
  noPrice: 'There is no price for %{what} here.',
  noPriceSoNotMade: 'There is no price for %{what} here: nothing that would cost nobody knows what is made.',
  planHosts: 'The plan %{plan} has %{cap} hosts, and there are %{before} already.',
  // About an organisation.
  nameUsed:
    'The name %{name} belonged to an organisation that was deleted. This one does not inherit its money, debt or bills. Use another name, or have platform staff set the annotation gantry.dev/inherits=%{name} so that it does.',
  left: '%{amount} %{currency} are left.',
  capSpent: '%{spent} of %{cap} %{currency} for this month are spent.',
};
