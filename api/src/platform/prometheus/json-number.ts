// The grammar of a JSON number, letter by letter. Pure.

const DIGITS = '0123456789';
/** By what was read so far: letters, and what is read with one of them. */
const GRAMMAR = {
  nothing: { '-': 'minus', '0': 'zero', '123456789': 'whole' },
  minus: { '0': 'zero', '123456789': 'whole' },
  zero: { '.': 'point', eE: 'e' },
  whole: { [DIGITS]: 'whole', '.': 'point', eE: 'e' },
  point: { [DIGITS]: 'fraction' },
  fraction: { [DIGITS]: 'fraction', eE: 'e' },
  e: { '+-': 'sign', [DIGITS]: 'exponent' },
  sign: { [DIGITS]: 'exponent' },
  exponent: { [DIGITS]: 'exponent' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

const READ = Object.keys(GRAMMAR);
const stateOf = (read: string): number => READ.indexOf(read) + 1;

/** Nothing is read. 0 is no state: the letter cannot follow. */
export const NO_LETTER = stateOf('nothing');

/** The next state, at 256 times the state and the byte. */
export const AFTER = new Uint8Array((READ.length + 1) * 256);
for (const [read, follows] of Object.entries(GRAMMAR))
  for (const [letters, next] of Object.entries(follows))
    for (const letter of letters) AFTER[stateOf(read) * 256 + letter.charCodeAt(0)] = stateOf(next);

const WHOLE: ReadonlySet<number> = new Set(['zero', 'whole', 'fraction', 'exponent'].map(stateOf));
/** Whether a number may end here. */
export const isNumber = (state: number): boolean => WHOLE.has(state);
