// The inputs of a tenant's program, in every kind that runs one: its command, its variables and ports, and its share of a node.
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { gpuModel, objectName, portName } from './name.ts';

/** NUL ends an argument or a variable of a program: the node would refuse the container. A constant of CEL, which reads the escape. */
const noNul = cel(["!self.contains('\\u0000')", RULE_WORDS.noNul]);

/** These fields: what `kubectl explain` says of each ends with what a change of it does. */
export const changing = <Fields extends Readonly<Record<string, z.ZodType>>>(does: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.describe([field.description, does].filter((text) => text !== undefined).join(' ')),
    ]),
  ) as unknown as Fields;

export const command = (description: string) =>
  z
    .array(z.string().max(4096).meta(noNul))
    .min(1)
    .max(64)
    .optional()
    .meta({
      description,
      'x-kubernetes-list-type': 'atomic',
      ...cel(['self.map(word, size(word)).sum() <= 32768', RULE_WORDS.commandSize]),
    });

/** A node reads $(NAME) and $$ in what it is given; what a person writes arrives as it is written, unless they ask for that. */
export const expandCommand = z.boolean().optional().meta({
  description:
    'True: in the command, $(NAME) stands for the variable of that name, and $$ for $, as in a Pod. Absent: its words arrive as they are written.',
});

/** The resources of one container. `of` names the kind in descriptions. */
export const resources = (of: string, { cores = 2, memoryGi = 4 } = {}) => ({
  gpu: z
    .object({
      model: gpuModel,
      count: z.int().min(1).max(16).default(1).describe('How many GPUs.'),
    })
    .optional()
    .meta({ description: `The GPUs of the ${of}: whole ones, of one model. Absent: none.` }),
  cores: z
    .number()
    .min(0.1)
    .max(512)
    .default(cores)
    .meta({ description: `How many CPU cores the ${of} has.` }),
  memoryGi: z
    .number()
    .min(0.0625)
    .max(8192)
    .default(memoryGi)
    .meta({ description: `How much memory the ${of} has, in GiB.` }),
});

export const host = objectName
  .optional()
  .meta({ description: 'The name of a GpuHost of this organisation to run on. Absent: the shared pool.' });

const variableName = z
  .string()
  .max(128)
  .describe('The name of the variable.')
  .meta(cel(["self.matches('^[A-Za-z_][A-Za-z0-9_]*$')", RULE_WORDS.variableName]));

export const env = z
  .array(
    z.object({
      name: variableName,
      value: z.string().max(8192).default('').describe('Its value.').meta(noNul),
      expand: z
        .boolean()
        .optional()
        .describe(
          'True: in the value, $(NAME) stands for the variable of that name, and $$ for $, as in a Pod. Absent: the value arrives as it is written.',
        ),
    }),
  )
  .max(100)
  .optional()
  .meta({
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    ...cel(['self.map(one, size(one.value)).sum() <= 32768', RULE_WORDS.variablesSize]),
  })
  .describe('Environment variables of the container.');

/** Variables whose values nobody can read again: they lie in a Secret that tenants may write and not read. */
export const secretEnv = z
  .array(
    z.object({
      name: variableName,
      secret: objectName.describe('The name of an Opaque Secret in this namespace.'),
      key: z
        .string()
        .min(1)
        .max(253)
        .describe('The key of the value in the Secret.')
        .meta(cel(["self.matches('^[-._a-zA-Z0-9]+$')", RULE_WORDS.secretKey])),
    }),
  )
  .max(50)
  .optional()
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
  .describe('Environment variables of the container whose values come from Secrets.');

export const ports = (of: string) =>
  z
    .array(
      z.object({
        name: portName.optional().describe('A name for the port.'),
        port: z.int().min(1).max(65535).describe(`The TCP port that a program in the ${of} listens on.`),
      }),
    )
    .max(32)
    .optional()
    .meta({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port'],
      ...cel([
        'self.all(p, !has(p.name) || self.exists_one(q, has(q.name) && q.name == p.name))',
        RULE_WORDS.portNameTwice,
      ]),
    })
    .describe(`TCP ports that the ${of} serves to its organisation.`);
