// Field schemas that several kinds share. Every limit names its source in the specification (section 5 or 9).
import * as z from 'zod';

/** Attaches CEL rules to a schema: `[expression over self, sentence that names the field and the rule]`. */
export const cel = (...rules: [rule: string, message: string][]) => ({
  'x-kubernetes-validations': rules.map(([rule, message]) => ({ rule, message })),
});

/** Chinese characters, letters, digits and underscore: instances, monitors (spec section 5). */
export const displayName = z
  .string()
  .min(1)
  .max(63)
  .meta({
    description: 'The name people see. Chinese characters, letters, digits and underscore.',
    ...cel([
      "self.matches('^[A-Za-z0-9_一-鿿]+$')",
      'may hold only Chinese characters, letters, digits and underscore',
    ]),
  });

/** `[host[:port]/]repo/name:tag[@digest]`, such as pytorch/pytorch:2.4.0; anything else is 'Malformed' (spec section 5). */
export const IMAGE_SOURCE =
  /^(?:[a-zA-Z0-9.-]+(?::[0-9]+)?\/)?(?:[a-z0-9]+(?:[._-]+[a-z0-9]+)*\/)+[a-z0-9]+(?:[._-]+[a-z0-9]+)*:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(?:@sha256:[a-f0-9]{64})?$/;

export const imageSource = z
  .string()
  .max(512)
  .meta({
    description: 'Where the image comes from: [host[:port]/]repo/name:tag[@digest].',
    ...cel([
      `self.matches('${IMAGE_SOURCE.source.replaceAll('\\/', '/').replaceAll('\\', '\\\\')}')`,
      'Malformed: an image is written repo/name:tag, such as pytorch/pytorch:2.4.0',
    ]),
  });

/** A name of another object: a DNS label. */
export const objectName = z
  .string()
  .min(1)
  .max(63)
  .meta(
    cel([
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      'must be the name of an object: lower-case letters, digits and -',
    ]),
  );

export const dateTime = z.iso.datetime().meta({ format: 'date-time' });

/** A size in GiB; "GB" on screens means GiB, 5 TB is 5120 (spec section 9, decisions 1.7). */
export const sizeGi = z.int().min(1).max(5120);

/** A stretch of metered use; every kind that costs has the same shape (design section 6). `to` is absent while it runs. */
export const intervals = z
  .array(
    z.object({
      seq: z.int().min(1),
      subjectUID: z.string().max(64),
      from: dateTime,
      to: dateTime.optional(),
      uses: z
        .array(
          z.object({
            resource: z.string().max(63),
            model: z.string().max(63).optional(),
            quantity: z.number().min(0),
          }),
        )
        .max(8)
        .meta({ 'x-kubernetes-list-type': 'atomic' }),
    }),
  )
  .max(64)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['seq'] });
export type Interval = z.infer<typeof intervals>[number];

/** What billing writes back on whatever costs; the operator only reads it. */
export const credit = z.object({
  until: dateTime.optional(),
  postedSeq: z.int().min(0).optional(),
});
