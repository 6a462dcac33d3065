// Disks of the same namespace, and where each is mounted.
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { objectName } from './name.ts';

export const diskMounts = (description: string) =>
  z
    .array(
      z.object({
        name: objectName.describe('The name of a DataDisk in this namespace.'),
        mountPath: z
          .string()
          .max(255)
          .describe(
            'Where the disk is mounted: an absolute path, other than /root and outside of /gantry, /dev, /proc and /sys.',
          )
          .meta(
            cel([
              "self.matches('^(/[.]?[A-Za-z0-9_-][A-Za-z0-9._-]*)+$') && !self.matches('^/(root$|(gantry|dev|proc|sys)(/|$))')",
              RULE_WORDS.mountPath,
            ]),
          ),
      }),
    )
    .max(16)
    .optional()
    .meta({
      description,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      ...cel(['self.all(d, self.exists_one(e, e.mountPath == d.mountPath))', RULE_WORDS.mountPathTwice]),
    });
