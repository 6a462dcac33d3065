// Headers of the gateway's own answers where nothing else surrounds them: plain pages on tenants' hosts, and refusals of what is
// no HTTP. They load nothing, are framed by nobody and are kept nowhere.

/** For an answer that is never shown as a page of ours, whatever is in it. */
export const SHOWS_NOTHING = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

export const OWN_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': Object.entries(SHOWS_NOTHING)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; '),
  'referrer-policy': 'no-referrer',
  // Browsers ignore it over plain HTTP.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;
