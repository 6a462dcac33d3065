// Bodies of kinds, out of their specs: the same fields and limits as at `kubectl apply`, but strict, and only what a tenant sets.
import * as z from 'zod';
import { IMAGE_SOURCE } from '../fields/image-source.ts';
import { plainText } from '../fields/plain-text.ts';
import type { ProblemCode } from './problem.ts';

/** A display name, with the sentence of `name_rule` if it is invalid. */
export const peopleName = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9_一-鿿]+$/, 'name_rule');
/** A disk's or an image's: any line of text. */
export const freePeopleName = plainText(63);
/** A host's: no Chinese characters. */
export const hostName = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9_]+$/, 'host_name_rule');
export const imageReference = z.string().max(512).regex(IMAGE_SOURCE, 'image_malformed');
/** The id of any object. */
export const objectId = z.string().min(1).max(63);

/** A kind whose creation body has it as `region` can be placed in other clusters. It is no part of the object: each cluster is a region. */
export const placement = z
  .string()
  .min(1)
  .max(63)
  .optional()
  .meta({ description: "The region to create it in; this gateway's own if it is left out." });
/** Reasons that refuse such a placement, or the use of what is already there. */
export const REFUSED_PLACEMENTS = [
  'region_closed',
  'region_name_taken',
  'placed_elsewhere',
] as const satisfies readonly ProblemCode[];

/** A kind whose creation body has it as `hold` can take a held card. It is no part of the object. */
export const holdId = objectId.optional().meta({
  description:
    'A hold of the market: its GPUs are free for this one alone, and it is refused if their price has changed.',
});
/** Reasons that refuse the use of a card that is held, or of a hold. */
export const REFUSED_HOLDS = [
  'card_held',
  'hold_gone',
  'hold_differs',
  'price_changed',
] as const satisfies readonly ProblemCode[];

type Shape = Readonly<Record<string, z.ZodType>>;
type Def = { type: string; shape?: Shape; element?: z.ZodType; innerType?: z.ZodType };
type Cloned = z.ZodType & { _zod: { def: Def }; clone(def: unknown): z.ZodType };

/** The body that makes an object: a field that is not known is refused at any depth, defaults are filled in. */
export const creationBody = <S extends z.ZodObject, K extends keyof S['shape'] & string>(spec: S, ...fields: K[]) =>
  z.strictObject(picked(spec, fields, (schema) => strictly(schema, 'created')) as { [P in K]: S['shape'][P] });

/** The body that changes one: omitted fields stay at any depth, null removes an optional one. Lists are replaced whole. */
export const changeBody = <S extends z.ZodObject, K extends keyof S['shape'] & string>(spec: S, ...fields: K[]) =>
  z.strictObject(
    picked(spec, fields, changing) as { [P in K]: z.ZodOptional<z.ZodNullable<z.ZodType<z.output<S['shape'][P]>>>> },
  );

/** A change is a merge patch: within it, but not within its lists, null takes a member away. */
type Use = 'created' | 'changed' | 'listed';

const picked = (spec: z.ZodObject, fields: readonly string[], as: (schema: z.ZodType) => z.ZodType) =>
  Object.fromEntries(fields.map((field) => [field, as(spec.shape[field] as z.ZodType)]));

function changing(schema: z.ZodType): z.ZodType {
  const { type, innerType } = (schema as Cloned)._zod.def;
  const bare = (type === 'optional' || type === 'default') && innerType ? innerType : schema;
  const strict = strictly(bare, 'changed');
  // Only optional fields can be removed; a field with a default falls back to it.
  return type === 'optional' ? strict.nullable().optional() : strict.optional();
}

/** A copy that refuses unknown fields at any depth; checks stay, the rules that only the API server can hold are left to it. */
function strictly(schema: z.ZodType, use: Use): z.ZodType {
  const { def } = (schema as Cloned)._zod;
  const copy = (changed: object) => (schema as Cloned).clone({ ...def, ...changed });
  const deeper = (inner: z.ZodType | undefined, as = use) => strictly(inner as z.ZodType, as);
  const absent = (inner: z.ZodType) => (use === 'changed' ? inner.nullable() : inner).optional();
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape ?? {}).map(([field, inner]) => [field, deeper(inner)]);
      return described(schema, copy({ shape: Object.fromEntries(shape), catchall: z.never() }));
    }
    case 'array':
      return described(schema, copy({ element: deeper(def.element, use === 'created' ? use : 'listed') }));
    case 'optional':
      return described(schema, absent(deeper(def.innerType)));
    case 'default':
      return described(
        schema,
        use === 'created' ? copy({ innerType: deeper(def.innerType) }) : absent(deeper(def.innerType)),
      );
    default:
      return described(schema, copy({}));
  }
}

/** Only the sentence of the schema's notes: the others are the CRD's. */
function described(from: z.ZodType, to: z.ZodType): z.ZodType {
  const { description } = from.meta() ?? {};
  return description === undefined ? to : to.describe(description);
}

/** Variables whose values the gateway puts into a Secret, where nobody reads them again. */
export const secretValues = z
  .array(
    z.strictObject({
      name: z
        .string()
        .min(1)
        .max(128)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
      value: z.string().max(8192),
    }),
  )
  .max(50)
  .meta({ description: 'Environment variables whose values are never shown again.' });
