// Words of AlertPolicy.

export const name = 'Alert policy';
export const many = 'Alert policies';

export const phases = {
  disabled: 'Disabled',
  invalid: 'Invalid',
  blocking: 'Muted',
  alerting: 'Alerting',
  enabled: 'Enabled',
};

export const reasons = {
  Disabled: 'The policy is disabled.',
  Expired: 'spec.validUntil: the policy ended at %{until}.',
  ObjectGone: 'spec.objects.names: there is no %{names}.',
  QueryRefused: 'spec.query: %{detail}',
  QueryFails: 'Prometheus refuses the query: %{detail}',
  NoPrometheus: 'The policy needs Prometheus, but this installation has none.',
  Muted: 'Notifications are muted until %{until}.',
  Silenced: 'Notifications are silenced by a schedule.',
  Firing: '%{count} alarm is firing. |||| %{count} alarms are firing.',
  Watching: 'No alarm is firing.',
  NoData: 'No data: none of the watched objects had a value at the last evaluation.',
  // Reasons of the condition Evaluated.
  Evaluated: 'The policy was evaluated.',
  PrometheusAway: 'Prometheus does not answer; alarms keep their state.',
  Incomplete: 'Prometheus answered only in part; alarms without a value keep their state.',
  // Reasons of the condition Notified.
  Delivered: 'The last notification was delivered.',
  NotDelivered: 'The last notification by %{channel} failed: %{detail}',
  // Reasons of the condition Recipients.
  Unconfirmed:
    'spec.channels: %{addresses} gets no mail, because it belongs to no member and has not been confirmed. Confirm it under Monitoring, Alert contacts.',
  Reachable: 'Every address of spec.channels can be mailed.',
};

export const actions = {
  enable: 'Enable',
  disable: 'Disable',
  unmute: 'Unmute',
  edit: 'Edit',
  release: 'Delete',
};

export const rules = {
  metricOrQuery: 'spec: set either metric or query',
  queryObjects: 'objects: a query selects its series itself; leave out names and labels',
  threshold: 'rules: NoData has neither compare nor value; every other type needs both',
  begins: 'begins.met cannot be more than begins.of',
  names: 'objects: the organisation has no names or labels',
  to: 'channels: Webhook, Slack and DingTalk need to, the name of a contact point; Bell must not have it',
  metricKinds: 'objects.kind: objects of this kind do not have this metric',
  nameLength: 'metadata.name must be at most 50 characters',
};
