// jsdom lays nothing out, and a table draws only the rows in sight: in a component's test everything is a thousand pixels.
import { afterEach, beforeEach } from '@jest/globals';

const SIZES = ['offsetHeight', 'clientHeight', 'offsetWidth'] as const;

/** For each test of the file. */
export function playLayout(): void {
  const former = SIZES.map((name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)] as const);
  beforeEach(() => {
    for (const name of SIZES)
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 1000 });
  });
  afterEach(() => {
    for (const [name, descriptor] of former)
      if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
      else Reflect.deleteProperty(HTMLElement.prototype, name);
  });
}
