// Every word of the operators' console's tables in one language: its pages load the reader's alone.
import { words as audit } from './admin-audit.ts';
import { words as billing } from './admin-billing.ts';
import { words as computing } from './admin-computing.ts';
import { words as datasets } from './admin-datasets.ts';
import { words as models } from './admin-models.ts';
import { words as operation } from './admin-operation.ts';
import { words as people } from './admin-people.ts';
import { words as common } from './admin-tables.ts';

const areas = [common, computing, people, audit, billing, operation, models, datasets];

export const words = {
  menus: common.menus,
  roles: common.roles,
  resources: Object.assign({}, ...areas.map(({ resources }) => resources)) as Record<
    string,
    { readonly one: string; readonly many: string }
  >,
  fields: Object.assign({}, ...areas.map(({ fields }) => fields)) as Record<string, string>,
  choices: areas.reduce<Record<string, Record<string, string>>>((all, { choices }) => {
    for (const [field, values] of Object.entries(choices)) all[field] = { ...all[field], ...values };
    return all;
  }, {}),
};
