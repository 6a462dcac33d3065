// A time in a spec: the pattern of date-time.ts, as a rule whose sentence names the fault.
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { DATE_TIME, dateTime } from './date-time.ts';

export const specDateTime = dateTime.meta(cel([`self.matches('${DATE_TIME.source}')`, RULE_WORDS.dateTime]));
