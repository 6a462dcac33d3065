/**
 * For startTokens: what nobody needs goes within half a minute. No push of a story takes ten seconds from a layer to its manifest,
 * which is how long the collector here waits, twice.
 */
export const SWEPT_SOON = { 'sweep-age': '0s', 'sweep-every': '2s', 'collect-every': '2s', collectAge: '10s' };
