// Names: what people see, and how objects refer to each other. Limits: spec section 5.
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { plainTextRule } from './plain-text.ts';

/** Chinese characters, letters, digits and underscore: instances, monitors (spec section 5). */
export const displayName = z
  .string()
  .min(1)
  .max(63)
  .meta({
    description: 'The name people see. Chinese characters, letters, digits and underscore.',
    ...cel(["self.matches('^[A-Za-z0-9_一-鿿]+$')", RULE_WORDS.lettersAndChinese]),
  });

/** Any name in one line, such as pytorch-2.4: disks and images (spec section 5 only requires one). */
export const freeName = z
  .string()
  .min(1)
  .max(63)
  .meta({ description: 'The name people see, in one line.', ...plainTextRule });

/** A port's name, as Pods take it: at most 15, with a letter. */
export const portName = z
  .string()
  .min(1)
  .max(15)
  .meta(
    cel([
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self.matches('[a-z]') && !self.contains('--') && self != 'notebook'",
      RULE_WORDS.portName,
    ]),
  );

/** A name of another object: a DNS label. */
export const objectName = z
  .string()
  .min(1)
  .max(63)
  .meta(cel(["self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')", RULE_WORDS.objectName]));

/** The name of a version of a model. */
export const modelVersion = z
  .string()
  .min(1)
  .max(63)
  .meta(cel(["self.matches('^[A-Za-z0-9][A-Za-z0-9._-]*$')", RULE_WORDS.modelVersion]));

/** A GPU's model: the value of a label that nodes carry, and Pods select them by. */
export const gpuModel = z
  .string()
  .min(1)
  .max(63)
  .meta({
    description: 'The GPU model, exactly as nodes carry it in the label nvidia.com/gpu.product.',
    ...cel(["self.matches('^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')", RULE_WORDS.gpuModel]),
  });
