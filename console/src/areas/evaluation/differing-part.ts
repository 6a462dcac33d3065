// Where a text differs from another: what is between the words that both begin and end with. Linear in their length.

interface Parts {
  readonly before: string;
  /** Empty where the texts are the same, or words of the other are missing here. */
  readonly differing: string;
  readonly after: string;
}

/** The text in three parts, which together are the text. */
export function differingPart(text: string, other: string): Parts {
  const [words, others] = [wordsOf(text), wordsOf(other)];
  const most = Math.min(words.length, others.length);
  let start = 0;
  while (start < most && words[start] === others[start]) start += 1;
  let end = 0;
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end += 1;
  const last = words.length - end;
  return {
    before: words.slice(0, start).join(''),
    differing: words.slice(start, last).join(''),
    after: words.slice(last).join(''),
  };
}

/** Words and what is between them. Scripts without spaces are parted by character. */
const wordsOf = (text: string): string[] => text.match(/[\p{Script=Latin}\p{N}]+|\s+|./gsu) ?? [];
