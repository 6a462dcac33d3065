// A text with what was sought in it marked.
interface Props {
  text: string;
  /** From and to, in UTF-16 units, in their order. */
  ranges: readonly (readonly [number, number])[];
}

export function Marked({ text, ranges }: Props) {
  const parts = [];
  let done = 0;
  for (const [from, to] of ranges) {
    if (from < done || to > text.length) continue;
    parts.push(text.slice(done, from), <mark key={from}>{text.slice(from, to)}</mark>);
    done = to;
  }
  return (
    <bdi>
      {parts}
      {text.slice(done)}
    </bdi>
  );
}
