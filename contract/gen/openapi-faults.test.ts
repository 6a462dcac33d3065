import { expect, test } from '@jest/globals';
import { type OpenapiDocument, openapiFaults } from './openapi-faults.ts';

type Json = Record<string, unknown>;
/** With an operation that has no fault, but for what is changed in it and beside it. */
const documentOf = (operation: Json = {}, beside: Json = {}, path = '/things/{id}'): OpenapiDocument =>
  ({
    tags: [{ name: 'thing' }],
    paths: {
      [path]: {
        get: {
          operationId: 'getThing',
          tags: ['thing'],
          summary: 'One thing.',
          security: [{ apiToken: [] }],
          parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'It.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
          ...operation,
        },
      },
    },
    components: { securitySchemes: { apiToken: {} }, schemas: { Thing: { type: 'object' } } },
    ...beside,
  }) as OpenapiDocument;
const answering = (schema: unknown) =>
  documentOf({
    responses: { 200: { description: 'It.', content: { 'application/json': { schema } } } },
  });
const AT = 'get /things/{id}';
const IN = `/paths//things/{id}/get/responses/200/content/application/json/schema`;

test('a document without a fault has none', () => {
  expect(openapiFaults(documentOf())).toEqual([]);
});

const faults: Readonly<Record<string, [OpenapiDocument, string]>> = {
  'items that are false': [answering({ type: 'array', items: false }), `${IN}: items are no schema`],
  'items that are a list': [answering({ type: 'array', items: [{}] }), `${IN}: items are no schema`],
  'a list without items': [answering({ type: 'array' }), `${IN}: items are no schema`],
  'a tuple': [answering({ type: 'array', items: {}, prefixItems: [{}] }), `${IN}: a tuple`],
  'a reference to nothing': [
    answering({ $ref: '#/components/schemas/Other' }),
    `${IN}: #/components/schemas/Other is not there`,
  ],
  'a reference to elsewhere': [answering({ $ref: 'https://x/y' }), `${IN}: https://x/y is not there`],
  'a schema that nobody refers to': [answering({}), 'the schema Thing is used nowhere'],
  'no operationId': [documentOf({ operationId: undefined }), `${AT}: the operationId "" is no name`],
  'an operationId that is no name': [
    documentOf({ operationId: 'get-it' }),
    `${AT}: the operationId "get-it" is no name`,
  ],
  'no summary': [documentOf({ summary: '' }), `${AT}: no summary`],
  'no tag': [documentOf({ tags: [] }), `${AT}: no tag`],
  'a tag that is not declared': [documentOf({ tags: ['thing', 'other'] }), 'the tag other is not declared'],
  'a tag of nothing': [documentOf({}, { tags: [{ name: 'thing' }, { name: 'x' }] }), 'the tag x is of no operation'],
  'a tag twice': [documentOf({}, { tags: [{ name: 'thing' }, { name: 'thing' }] }), 'a tag is there twice'],
  'a variable without a parameter': [documentOf({ parameters: [] }), `${AT}: {id} is no parameter`],
  'a parameter of no variable': [documentOf({}, {}, '/things'), 'get /things: the path has no {id}'],
  'a parameter without a schema': [documentOf({ parameters: [{ name: 'id', in: 'path' }] }), `${AT}: id has no schema`],
  'a parameter twice': [
    documentOf({ parameters: [1, 2].map(() => ({ name: 'id', in: 'path', schema: {} })) }),
    `${AT}: a parameter is there twice`,
  ],
  'failures alone': [documentOf({ responses: { 404: { description: 'None.' } } }), `${AT}: no answer but failures`],
  'an answer without a description': [documentOf({ responses: { 200: {} } }), `${AT}: 200 has no description`],
  'an answer without a schema': [
    documentOf({ responses: { 200: { description: 'It.', content: { 'text/plain': {} } } } }),
    `${AT}: 200 text/plain has no schema`,
  ],
  'nothing about who may call': [documentOf({ security: undefined }), `${AT}: says nothing of who may call`],
  'a scheme that is not declared': [
    documentOf({ security: [{ other: [] }] }),
    `${AT}: the scheme other is not declared`,
  ],
};

test.each(Object.entries(faults))('%s is a fault', (_name, [document, fault]) => {
  expect(openapiFaults(document)).toContain(fault);
});

test('a name that two operations have is a fault', () => {
  const { paths, ...more } = documentOf();
  const twice = { ...paths, '/more/{id}': paths['/things/{id}'] ?? {} };
  expect(openapiFaults({ ...more, paths: twice })).toContain(
    "get /more/{id}: the operationId getThing is another operation's",
  );
});
