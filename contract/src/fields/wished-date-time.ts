// A point in time that somebody wishes for: the pattern of date-time.ts, as a rule that says in a sentence what is wrong.
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { DATE_TIME, dateTime } from './date-time.ts';

export const wishedDateTime = dateTime.meta(cel([`self.matches('${DATE_TIME.source}')`, RULE_WORDS.dateTime]));
