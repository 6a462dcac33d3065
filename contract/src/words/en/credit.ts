// Billing's words about credit: its reasons, and the sentences with the numbers.

export const reasons = {
  WaitingForCredit: 'Waiting for billing to reserve credit.',
  OutOfCredit: 'The organisation is out of credit: %{detail}',
  SpendCapReached: 'A spending cap has been reached: %{detail}',
  NoPrice: 'It has no price yet: %{detail}',
  PlanLimit: "The organisation's plan does not allow it: %{detail}",
};

export const sentences = {
  reserved: 'Credit is reserved.',
  free: 'There is no hourly charge.',
  atRest: 'It is not running. Storage that it keeps is billed, and nothing new is created.',
  cannotStart: 'It cannot start at the moment, so no credit is reserved for it.',
  paidUntil: 'It is paid until %{at}.',
  paidNoLonger: 'It is paid until %{at}, but not beyond: %{detail}',
  monthsCovered:
    'Credit covers %{covered} of %{months} month: %{detail} |||| Credit covers %{covered} of %{months} months: %{detail}',
  paidMonthsCovered:
    'It is paid until %{at}, and credit covers %{covered} of %{months} month: %{detail} |||| It is paid until %{at}, and credit covers %{covered} of %{months} months: %{detail}',
  replicasCovered:
    'Credit covers %{covered} of %{replicas} replica: %{detail} |||| Credit covers %{covered} of %{replicas} replicas: %{detail}',
  asleep: 'There are no replicas: nothing is charged.',
  kept: 'needs %{wanted} %{currency} %{what}, but the available credit is reserved for what already runs',
  needs: 'needs %{wanted} %{currency} %{what}, %{available} %{currency} available',
  needsUnderCap:
    "needs %{wanted} %{currency} %{what}, but %{spent} %{currency} of the organisation's monthly cap of %{cap} %{currency} are already spent or reserved",
  needsMember:
    'needs %{wanted} %{currency} %{what}; members have spending caps here, so spec.creator or spec.startedBy must name who it is for',
  needsUnderMemberCap:
    "needs %{wanted} %{currency} %{what}, but %{spent} %{currency} of the member's monthly cap of %{cap} %{currency} are already spent or reserved",
  // The purpose of the amount.
  nextMinutes: 'for the next %{minutes} minute |||| for the next %{minutes} minutes',
  nextHour: 'for the next hour',
  nextHours: 'for the next %{hours} hour |||| for the next %{hours} hours',
  months: 'for %{months} month |||| for %{months} months',
  monthsOfNodes: 'for %{months} month of %{nodes} nodes |||| for %{months} months of %{nodes} nodes',
  moreNodes: 'for %{more} more node |||| for %{more} more nodes',
  monthsAndMoreNodes: '%{term} and %{added}',
  // Why there is no cost, or why the plan refuses it.
  noPrice: 'There is no price for %{what}.',
  noPriceSoNotMade: 'There is no price for %{what}, so it cannot be created.',
  planHosts: 'The %{plan} plan allows %{cap} hosts, and %{before} exist already.',
  // About an organisation.
  nameUsed:
    'The name %{name} belonged to a deleted organisation, and this one does not inherit its money, debt or bills. Use another name. If it should inherit them, ask platform staff to set the annotation gantry.dev/inherits=%{name}.',
  left: '%{amount} %{currency} are left.',
  capSpent: '%{spent} %{currency} of %{cap} %{currency} for this month are spent.',
};
