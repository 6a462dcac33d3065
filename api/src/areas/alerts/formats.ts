// The formats of receivers of other makers: an address and a body. Pure.
import { createHmac } from 'node:crypto';
import { storable } from '../../platform/storable.ts';
import type { Told, ToldAlarm, What } from './message.ts';

export interface Contact {
  type: 'Webhook' | 'Slack' | 'DingTalk';
  url: string;
  /** The key that signs calls; DingTalk's robots may have one of their own. */
  key: string;
}

export interface Outgoing {
  url: string;
  body: object;
}

/** Alarms in the body of a webhook. */
const MOST_ALARMS = 100;
/** Letters of a receiver's own words. */
const MOST_REFUSAL = 200;

interface About {
  id: string;
  what: What;
  told: Told;
  alarms: readonly ToldAlarm[];
  now: number;
}

/** Slack reads these three as its own. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const FORMATS: Readonly<Record<Contact['type'], (contact: Contact, about: About) => Outgoing>> = {
  Webhook: ({ url }, { id, what, told, alarms }) => ({
    url,
    body: {
      id,
      event: what,
      ...told,
      count: alarms.length,
      // The first of them: of a row of ours, what others may rely on.
      alarms: alarms.slice(0, MOST_ALARMS).map(({ title, kind, object, labels, metric, level, value, ...alarm }) => ({
        ...{ id: alarm.id, title, kind, object, display_name: alarm.displayName },
        ...{ labels, metric, level, value, first_abnormal_time: alarm.firstAbnormalAt.toISOString() },
      })),
    },
  }),
  Slack: ({ url }, { told }) => ({ url, body: { text: `*${forSlack(told.title)}*\n${forSlack(told.text)}` } }),
  DingTalk: ({ url, key }, { told, now }) => {
    const signed = new URL(url);
    if (key !== '') {
      signed.searchParams.set('timestamp', `${now}`);
      signed.searchParams.set('sign', createHmac('sha256', key).update(`${now}\n${key}`).digest('base64'));
    }
    return { url: signed.href, body: { msgtype: 'text', text: { content: `${told.title}\n${told.text}` } } };
  },
};

/** DingTalk's robots refuse in an answer of 200. Undefined for what was taken. */
export function refusalIn(type: Contact['type'], answer: string): string | undefined {
  if (type !== 'DingTalk') return undefined;
  try {
    const { errcode = 0, errmsg } = JSON.parse(answer) as { errcode?: unknown; errmsg?: unknown };
    return errcode === 0 ? undefined : storable(`${errmsg ?? errcode}`.slice(0, MOST_REFUSAL));
  } catch {
    return undefined;
  }
}

export const outgoing = (contact: Contact, about: About): Outgoing => FORMATS[contact.type](contact, about);
