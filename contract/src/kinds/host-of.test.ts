import { expect, test } from '@jest/globals';
import type { GpuHost } from './gpu-host.ts';
import { hostOf, hostWish } from './host-of.ts';

const host = (name: string, day: number, phase: string, tags: readonly string[], more = {}): GpuHost =>
  ({
    metadata: { name, creationTimestamp: `2026-01-0${day}T00:00:00Z`, ...more },
    spec: { tags },
    status: { phase },
  }) as unknown as GpuHost;

const OLD = host('old', 1, 'active', ['train']);
const NEW = host('new', 2, 'active', ['train', 'fast']);
const AWAY = host('away', 1, 'inactive', ['train']);
const EXPIRED = host('expired', 1, 'expired', ['train']);
const GOING = host('going', 1, 'active', ['train'], { deletionTimestamp: '2026-01-09T00:00:00Z' });
const BARE = { metadata: { name: 'bare' }, spec: {} } as GpuHost;

test.each([
  ['nothing wished is the pool', {}, [OLD], undefined],
  ['a host is the one of that name', { host: 'new' }, [OLD, NEW], 'new'],
  ['a name goes before a tag', { host: 'old', hostTag: 'fast' }, [OLD, NEW], 'old'],
  ['a name that nobody has is none, tag or not', { host: 'gone', hostTag: 'train' }, [OLD], undefined],
  ['of a tag the oldest, in whichever order they are listed', { hostTag: 'train' }, [NEW, OLD], 'old'],
  ['one whose tag it is alone', { hostTag: 'fast' }, [OLD, NEW], 'new'],
  ['an active one before an older one that is not', { hostTag: 'train' }, [AWAY, NEW], 'new'],
  ['where none is active, one to wait for', { hostTag: 'train' }, [EXPIRED, AWAY], 'away'],
  ['one whose time is over is none', { hostTag: 'train' }, [EXPIRED], undefined],
  ['one that is being deleted is none', { hostTag: 'train' }, [GOING], undefined],
  ['a part of a tag is none', { hostTag: 'tra' }, [OLD], undefined],
  ['a host without tags and status has none', { hostTag: 'train' }, [BARE], undefined],
])('%s', (_, wish, hosts, name) => {
  const found = hostOf(wish, { get: (one) => hosts.find(({ metadata }) => metadata.name === one), all: () => hosts });
  expect(found?.metadata.name).toBe(name);
});

test('a wish is the name or the tag', () => {
  expect([hostWish({}), hostWish({ hostTag: 't' }), hostWish({ host: 'h', hostTag: 't' })]).toEqual([
    undefined,
    't',
    'h',
  ]);
});
