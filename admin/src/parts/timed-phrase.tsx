// A phrase with times in it, each with UTC at the pointer.
import { Fragment } from 'react';
import { TimeText } from './field-value.tsx';

/** No phrase and no argument has this character. */
const EDGE = '\u0001';

interface TimedPhraseProps<Name extends string> {
  /** By their placeholders in the phrase. A time that is not known is left out. */
  times: Readonly<Record<Name, string | number | null | undefined>>;
  /** The phrase, with what it is given for each time. */
  say(times: Record<Name, string>): string;
}

export function TimedPhrase<Name extends string>({ times, say }: TimedPhraseProps<Name>) {
  const names = Object.keys(times) as Name[];
  const marks = Object.fromEntries(names.map((name) => [name, `${EDGE}${name}${EDGE}`])) as Record<Name, string>;
  return say(marks)
    .split(EDGE)
    .map((part, at) => {
      const name = at % 2 === 1 ? names.find((each) => each === part) : undefined;
      const time = name && times[name];
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a phrase have no other name
      return <Fragment key={at}>{name ? time && <TimeText time={time} /> : part}</Fragment>;
    });
}
