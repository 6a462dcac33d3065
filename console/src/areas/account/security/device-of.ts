// Which device a session is on, as far as the browser's own description tells: for people to know theirs, never to decide by.

export interface Device {
  readonly browser?: string;
  readonly system?: string;
  readonly isMobile: boolean;
}

/** First match wins: browsers name those whose pages they want to be shown. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\b(?:OPR|Opera)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//],
  ['curl', /^curl\/(\d+)/],
  ['Node.js', /^node\b()/],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b|\biPod\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
];

export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const found = BROWSERS.map(([name, pattern]) => ({ name, match: pattern.exec(text) })).find(({ match }) => match);
  const version = found?.match?.[1];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0];
  return {
    ...(found && { browser: version ? `${found.name} ${version}` : found.name }),
    ...(system !== undefined && { system }),
    isMobile: /\bMobile\b|\bAndroid\b|\biPad\b/.test(text),
  };
}
