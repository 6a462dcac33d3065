// Words of Organization.
import * as credit from './credit.ts';

export const name = 'Organisation';
export const many = 'Organisations';

export const phases = {
  deleting: 'Deleting',
  failed: 'Failed',
  preparing: 'Preparing',
  ready: 'Ready',
};

export const reasons = {
  Ready: 'Namespace %{namespace} is ready.',
  Preparing: 'Namespace %{namespace} is being set up.',
  RemovingContents: 'The contents of the organisation are being deleted: %{left} left.',
  NameTaken: 'Namespace %{namespace} already belongs to something else.',
  Refused: 'The cluster refuses a part of the organisation: %{detail}',
  // Reasons of the condition InCredit.
  InCredit: 'The organisation is in credit.',
  OutOfCredit: credit.reasons.OutOfCredit,
  SpendCapReached: credit.reasons.SpendCapReached,
  // Reasons of the condition NetworkIsolated.
  Probing: 'The network has not been tested yet.',
  NoResult: 'The network probe gave no result and will be repeated.',
  ControlFailed: 'Even Pods without a network policy cannot reach each other; the probe will be repeated.',
  ProbeSilent: "The organisation's probe was not listening; the probe will be repeated.",
  EgressOpen: 'A Pod of the organisation reached a Pod of another namespace: network policies are not enforced.',
  IngressOpen: 'A Pod of another namespace reached a Pod of the organisation: network policies are not enforced.',
  Isolated: 'Pods of the organisation and of other namespaces cannot reach each other.',
  // Reasons of the condition DataAvailable.
  DataReady: 'The data server answers.',
  DataStarting: 'The data server is starting.',
  DataUntilMalformed: 'spec.data.until: %{value} is not a date and time such as 2027-01-31T09:00:00Z.',
  DataTooLong: 'spec.data.until may be at most %{hours} hours ahead.',
  DataFailed: 'The data server cannot run: %{detail}',
};

export const actions = {};

export const rules = {
  accountTaken: 'account default is taken: Kubernetes creates a ServiceAccount with that name',
  name: 'metadata.name must be at most 50 lower-case letters, digits and -: it names the namespace org-<name>',
};
