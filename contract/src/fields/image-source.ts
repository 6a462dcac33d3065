// The source of an image; the gateway and the CRD refuse the same strings.
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';

/** `[host[:port]/]repo/name` with `:tag`, `@digest` or both, such as pytorch/pytorch:2.4.0; anything else is 'Malformed' (spec section 5). */
export const IMAGE_SOURCE =
  /^(?:[a-zA-Z0-9.-]+(?::[0-9]+)?\/)?(?:[a-z0-9]+(?:[._-]+[a-z0-9]+)*\/)+[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(?:@sha256:[a-f0-9]{64})?|@sha256:[a-f0-9]{64})$/;

/** The port after a host and its colon. A node would find out only when it pulls. */
const PORT = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

/** In CEL, as CRDs have it. */
export const IMAGE_SOURCE_RULE = `self.matches('${IMAGE_SOURCE.source.replaceAll('\\/', '/').replaceAll('\\', '\\\\')}')`;

export const imageSource = z
  .string()
  .max(512)
  .meta({
    description: 'The container image, as [host[:port]/]repo/name with :tag, @digest or both.',
    ...cel(
      [IMAGE_SOURCE_RULE, RULE_WORDS.imageSource],
      [`!self.matches('^[^/]*:[0-9]+/') || self.matches('^[^/]*:${PORT}/')`, RULE_WORDS.imagePort],
    ),
  });
