// Images: the platform's official ones are everybody's to see and nobody's to change.
import { problem } from '@gantry/contract/http/problem.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import type { KindHooks } from './hooks.ts';

export const imageHooks: KindHooks = {
  isOffered: (object) => (object as Image).spec.official,
  offeredRefusal(object) {
    const { metadata, spec } = object as Image;
    return problem('official_image', { image: spec.displayName ?? metadata.name });
  },
};
