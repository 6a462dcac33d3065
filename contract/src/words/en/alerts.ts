// Words of alerts.

export const metrics = {
  GpuUtilization: 'GPU utilization',
  GpuMemory: 'GPU memory used',
  GpuTemperature: 'GPU temperature',
  GpuPower: 'GPU power',
  GpuXid: 'GPU error (XID)',
  CpuCores: 'CPU used',
  MemoryBytes: 'Memory used',
  ModelQueue: 'Requests waiting for the model',
  RequestSeconds: 'Response time (95th percentile)',
  TuneLoss: 'Training loss',
  TuneTokens: 'Training tokens per second',
  TuneStepAge: 'Time since the last training step',
  DiskUsed: 'Disk space used',
  Failed: 'Failed objects',
  CreditHours: 'Hours until the balance is used up',
};

export const levels = {
  Info: 'Info',
  Warning: 'Warning',
  Critical: 'Critical',
};

export const statuses = {
  inactive: 'Inactive',
  firing: 'Firing',
  shielded: 'Snoozed',
  resolved: 'Resolved',
  closed: 'Closed',
};

export const flow = {
  fired: 'The alarm began at %{value}.',
  raised: 'The level changed to %{level}.',
  resolved: 'The value returned to normal.',
  gone: 'The object of the alarm no longer exists, no longer runs, or is no longer watched.',
  vanished: 'There have been no values for too long, so the alarm is over.',
  closed: 'Closed by %{account}.',
  shielded: 'Snoozed until %{until} by %{account}.',
  unshielded: 'Snooze ended by %{account}.',
  notified: 'Notified by %{channel}.',
  notNotified: 'The notification by %{channel} failed: %{detail}',
  limited: 'No notification by %{channel}: the hourly limit is reached.',
};

export const notices = {
  fired: 'Alarm: %{policy}',
  repeated: 'Alarm continues: %{policy}',
  resolved: 'Resolved: %{policy}',
  closed: 'Closed: %{policy}',
  firedText: '%{level}: %{object}, %{metric} has been %{value} since %{since}.',
  noData: '%{level}: %{object}, %{metric} has had no data since %{since}.',
  more: 'And %{count} more alarm. |||| And %{count} more alarms.',
  leftOut:
    '%{count} notification was not sent because of the hourly limit. |||| %{count} notifications were not sent because of the hourly limit.',
  resolvedText: '%{object}: %{metric} has returned to normal.',
  goneText: '%{object} no longer exists, no longer runs, or is no longer watched: the alarm is over.',
  vanishedText: '%{object}: %{metric} has had no values for too long: the alarm is over.',
  closedText: '%{object}: the alarm was closed.',
  mute: 'Mute for 30 minutes: %{link}',
  open: 'Details: %{link}',
  unsubscribe: 'Unsubscribe %{address}: %{link}',
};

export const failures = {
  noAddress: 'there is nobody to notify',
  notMember: '%{address} is not the verified address of a member',
  notConfirmed: '%{address} belongs to no member and has not been confirmed',
  unsubscribed: '%{address} has unsubscribed',
  noContact: 'there is no contact point %{name}',
  innerAddress: '%{host} is not on the public internet',
  answered: 'the receiver answered %{status}',
  refused: 'the receiver refused it: %{detail}',
  unreachable: 'the receiver did not answer',
  redirected: 'the receiver redirects, and redirects are not followed',
  notConfigured: 'this installation sends no text messages',
};

export const mailboxStates = {
  unconfirmed: 'Not confirmed',
  confirmed: 'Confirmed',
  unsubscribed: 'Unsubscribed',
};

export const changes = {
  createPolicy: 'Created',
  updatePolicy: 'Edited',
  updatePolicyStatus: 'Enabled, disabled or muted',
  actPolicy: 'Enabled, disabled or unmuted',
  batchPolicies: 'Enabled or disabled with others',
  muteByLink: 'Muted through the link in a mail',
};

export const platform = {
  nodeLost: 'Nodes are not responding',
  gpuFailed: 'Nodes with a failed GPU',
  booksWrong: 'The books fail verification',
  evaluatorLate: 'Alert policies are evaluated late',
  planStuck: 'Objects that do not reach their desired state',
  diskFull: 'The database’s disk is nearly full',
};

export const platformNotices = {
  began: 'Platform alarm: %{alarm}',
  grew: 'Platform alarm widened: %{alarm}',
  ended: 'Platform alarm resolved: %{alarm}',
  beganText: '%{alarm}: %{what}. Affected: %{count}.',
  grewText: '%{alarm}: %{count} are affected now, %{what} among them.',
  endedText: '%{alarm}: this is no longer the case.',
};

export const channels = {
  Bell: 'Bell',
  Mail: 'Mail',
  Webhook: 'Webhook',
  Slack: 'Slack',
  DingTalk: 'DingTalk',
  SMS: 'SMS',
};
