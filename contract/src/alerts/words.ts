// Words of alerts that belong to no kind: metrics, levels, what alarms say, what was done to policies; and of the platform's own alarms.
import * as en from '../words/en/alerts.ts';
import * as ja from '../words/ja/alerts.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/alerts.ts';

/** By group, each sentence in every language. */
export const alertWords = {
  metrics: joined('alerts.metrics', { en: en.metrics, zh: zh.metrics, ja: ja.metrics }),
  levels: joined('alerts.levels', { en: en.levels, zh: zh.levels, ja: ja.levels }),
  statuses: joined('alerts.statuses', { en: en.statuses, zh: zh.statuses, ja: ja.statuses }),
  flow: joined('alerts.flow', { en: en.flow, zh: zh.flow, ja: ja.flow }),
  notices: joined('alerts.notices', { en: en.notices, zh: zh.notices, ja: ja.notices }),
  channels: joined('alerts.channels', { en: en.channels, zh: zh.channels, ja: ja.channels }),
  failures: joined('alerts.failures', { en: en.failures, zh: zh.failures, ja: ja.failures }),
  mailboxStates: joined('alerts.mailboxStates', { en: en.mailboxStates, zh: zh.mailboxStates, ja: ja.mailboxStates }),
  changes: joined('alerts.changes', { en: en.changes, zh: zh.changes, ja: ja.changes }),
  platform: joined('alerts.platform', { en: en.platform, zh: zh.platform, ja: ja.platform }),
  platformNotices: joined('alerts.platformNotices', {
    en: en.platformNotices,
    zh: zh.platformNotices,
    ja: ja.platformNotices,
  }),
};
