// Takes out of a text what tells who somebody is or opens something: addresses, telephone and card numbers, keys. Pure, and linear
// in the text's length: a pattern begins where a run of its letters begins, or reads a bounded piece.
// It takes out too much rather than too little, and cannot know names.

const DIGIT = '[0-9０-９]';
const NO_DIGIT_BEFORE = `(?<!${DIGIT})`;
const NO_DIGIT_AFTER = `(?!${DIGIT})`;
/** Letters of keys: base64 in both forms. */
const KEY = '[A-Za-z0-9_\\-]';
const KEY_BEGINS = `(?<!${KEY})`;
/** The letters of addresses. Chinese and Japanese stand beside them without a space, and are no part of them. */
const LATIN = 'A-Za-z0-9\\u00c0-\\u024f';
const LOCAL = `[${LATIN}.!#$%&'*+?^_\`{|}~\\-]`;
const LABEL = `[${LATIN}\\-]`;

/** Names of secrets, whatever stands before them: `DB_PASSWORD`, `client_secret`, `x-api-key`. */
const SECRET_NAME =
  '(?:(?:api|access|account|auth|encryption|private|secret|shared|signing)[-_ ]?key(?:[-_ ]?id)?|secret(?:[-_ ]?access[-_ ]?key)?|password|passwd|passphrase|passcode|pwd|(?:access|refresh|auth|session|client)[-_ ]token|token|authorization|cookie|credentials?|密码|密碼|口令|密钥|令牌|パスワード|暗証番号)';
const SETS = '[ \\t]{0,4}[:=：＝][ \\t]{0,4}';
/** The name of a member of an object. Those of several, as `max_tokens`, open nothing. */
const IS_SECRET = new RegExp(`${SECRET_NAME}$`, 'i');

/** In this order: a key may look like something else in part. */
const ROWS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,32}PRIVATE KEY-----|$)/g, '[key]'],
  // The text before it stays: it tells what was there.
  [/\b(bearer|authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?basic)(\s{1,8})[A-Za-z0-9._~+/=-]{8,}/gi, '$1$2[key]'],
  // As JSON and code write it, in JSON within JSON too: the whole of what is quoted.
  [
    new RegExp(`(${SECRET_NAME}\\\\{0,3}["']?${SETS}(\\\\{0,3}["']))(?:(?!\\2)(?:\\\\+["']?|[^\\\\\\n]))+`, 'gi'),
    '$1[key]',
  ],
  [
    new RegExp(
      `(${SECRET_NAME}["']?${SETS})(?!(?:null|true|false|none|bearer|basic)\\b|\\[key\\])[^\\s"'\\\\,;]+`,
      'gi',
    ),
    '$1[key]',
  ],
  // In the address of a database or a repository.
  [/(:\/\/[^\s/:@]{0,64}:)[^\s/@]{1,256}(?=@)/g, '$1[key]'],
  // Ours, OpenAI's and alike, hubs' and clouds'.
  [
    new RegExp(
      `${KEY_BEGINS}(?:gty_|gtv_|[srp]k-|[srp]k_(?:live|test)_|whsec_|hf_|r8_|gsk_|nvapi-|gh[pousr]_|github_pat_|glpat-|npm_|pypi-|xox[abprs]-|xapp-|AIza|GOCSPX-|ya29\\.|dop_v1_|dapi|shpat_)${KEY}{16,}`,
      'g',
    ),
    '[key]',
  ],
  // Key ids of Amazon, Alibaba, Tencent and Volcengine; what signs an address of Azure's; storage keys of Azure's.
  [
    new RegExp(
      `${KEY_BEGINS}(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|(?:LTAI|AKID|AKLT)[A-Za-z0-9]{12,})(?!${KEY})`,
      'g',
    ),
    '[key]',
  ],
  [/([?&](?:sig|signature|x-amz-signature)=)[^\s&"'<>]+/gi, '$1[key]'],
  [/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}==/g, '[key]'],
  [new RegExp(`${KEY_BEGINS}eyJ${KEY}{8,}\\.${KEY}{8,}(?:\\.${KEY}*)?`, 'g'), '[key]'],
];
/** Tokens of sessions have no beginning of their own: 32 bytes. */
const TOKEN = new RegExp(`${KEY_BEGINS}${KEY}{43}(?!${KEY})`, 'g');
const withoutToken = (word: string): string => (/[0-9]/.test(word) && /[A-Z]/.test(word) ? '[key]' : word);
const EMAIL = new RegExp(`(?<!${LOCAL})${LOCAL}+[@＠](?:${LABEL}+\\.)+${LABEL}{2,}`, 'g');

/** The id of Chinese residents: the day of birth is in its middle. */
const RESIDENT_ID = new RegExp(
  `${NO_DIGIT_BEFORE}[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx](?![0-9A-Za-z])`,
  'g',
);

/** Between a number's digits, as Chinese and Japanese keyboards write it too. */
const DASH = '\\-－‐−ー';

const PHONES: readonly RegExp[] = [
  // International.
  new RegExp(`[+＋]${DIGIT}(?:[ ().${DASH}]{0,2}${DIGIT}){6,14}${NO_DIGIT_AFTER}`, 'g'),
  // Mobile numbers of China.
  new RegExp(`${NO_DIGIT_BEFORE}[1１][3-9３-９]${DIGIT}(?:[ ${DASH}]?${DIGIT}{4}){2}${NO_DIGIT_AFTER}`, 'g'),
  // With the 0 of long distance: Japan, Europe, and China's fixed lines.
  new RegExp(`(?<![0-9０-９.,])[(（]?[0０](?:[ ()（）${DASH}]{0,2}${DIGIT}){9,11}${NO_DIGIT_AFTER}`, 'g'),
  // North America.
  new RegExp(
    `${NO_DIGIT_BEFORE}\\(?[2-9]${DIGIT}{2}\\)?[ .\\-]{1,2}${DIGIT}{3}[ .\\-]${DIGIT}{4}${NO_DIGIT_AFTER}`,
    'g',
  ),
];

export function redacted(text: string): string {
  if (text.length < LEAST_LETTERS) return text;
  let rest = text;
  for (const [pattern, instead] of ROWS) rest = rest.replace(pattern, instead);
  rest = rest.replace(TOKEN, withoutToken);
  if (/[@＠]/.test(rest)) rest = rest.replace(EMAIL, '[email]');
  rest = rest.replace(RESIDENT_ID, '[id]').replace(RUN, withoutCards);
  for (const pattern of PHONES) rest = rest.replace(pattern, '[phone]');
  return rest;
}

const MOST_DEPTH = 64;
/** Nothing shorter tells anything: a name and a sign stand before what is shorter than a number. */
const LEAST_LETTERS = 4;
/** Whole numbers below have fewer digits than any telephone's or card's. */
const LEAST_NUMBER = 1e9;

/** JSON in and out, as texts. */
export const redactedText = (text: string): string => JSON.stringify(redactedJson(JSON.parse(text)));

/** Redacts JSON: every text in it, names too, and numbers that belong to somebody. Values nested deeper are left out. */
export function redactedJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redacted(value);
  if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < LEAST_NUMBER) return value;
    const text = `${value}`;
    const without = redacted(text);
    return without === text ? value : without;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_DEPTH) return null;
  if (Array.isArray(value)) return value.map((one) => redactedJson(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      redacted(name),
      IS_SECRET.test(name) ? withoutSecret(one, depth + 1) : redactedJson(one, depth + 1),
    ]),
  );
}

/** Redacts a member that is named as a secret; a description of such a member stays. */
function withoutSecret(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecret(one, depth + 1));
  const isSaid = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isSaid ? '[key]' : redactedJson(value, depth);
}

/** Times in milliseconds are as long, and begin with 1. */
const LEAST_BEGINNING = 2;
const LEAST_CARD = 13;
const MOST_CARD = 19;
/** Digits, in groups or not. */
const RUN = new RegExp(`${NO_DIGIT_BEFORE}${DIGIT}(?:[ \\-]?${DIGIT}){${LEAST_CARD - 1},}`, 'g');

/** Removes the groups of digits that together pass the check of cards. */
function withoutCards(run: string): string {
  const places = Array.from(run, (letter, at) => (letter === ' ' || letter === '-' ? -1 : at)).filter((at) => at >= 0);
  const digits = places.map((at) => digitOf(run.charCodeAt(at)));
  const begins = (index: number) => index === 0 || places[index] !== (places[index - 1] ?? 0) + 1;
  let out = '';
  let done = 0;
  for (let from = 0; from + LEAST_CARD <= digits.length; from++) {
    if (!begins(from) || (digits[from] ?? 0) < LEAST_BEGINNING) continue;
    const length = cardAt(digits, from, (end) => end === digits.length || begins(end));
    if (length === 0) continue;
    out += `${run.slice(done, places[from])}[card]`;
    done = (places[from + length - 1] ?? 0) + 1;
    from += length - 1;
  }
  return out + run.slice(done);
}

/** How many digits the longest card has that begins there; 0: none does. */
function cardAt(digits: readonly number[], from: number, ends: (at: number) => boolean): number {
  for (let length = Math.min(MOST_CARD, digits.length - from); length >= LEAST_CARD; length--)
    if (ends(from + length) && passes(digits, from, length)) return length;
  return 0;
}

/** Luhn's check. */
function passes(digits: readonly number[], from: number, length: number): boolean {
  let sum = 0;
  for (let at = 0; at < length; at++) {
    const digit = digits[from + length - 1 - at] ?? 0;
    const weighed = at % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

const FULL_WIDTH_ZERO = 0xff10;
const digitOf = (code: number): number => (code >= FULL_WIDTH_ZERO ? code - FULL_WIDTH_ZERO : code - 0x30);
