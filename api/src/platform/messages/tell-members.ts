// Tells an organisation's members what staff did with something of theirs, who did it and why.
import { type KindFacts, type KubeObject, sentence, type Words } from '@gantry/contract/define-kind.ts';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { ORG_ROLES } from '@gantry/contract/roles.ts';
import type { MessageStore } from './message-store.ts';

/** A notice to an organisation's members about an object of theirs. */
export interface StaffNotice {
  /** The same for every repetition. */
  key: string;
  facts: KindFacts;
  object: KubeObject;
  title: Words;
  content: Words;
  /** For the gaps of both, in every language or as it is. */
  args: Readonly<Record<string, string | Words>>;
}

/** Whatever a person or a tenant wrote is filled in once, and never read as a sentence. */
export const tellMembers =
  (store: Pick<MessageStore, 'send'>) =>
  async ({ key, facts, object, title, content, args }: StaffNotice): Promise<void> => {
    const { namespace = '', name } = object.metadata;
    const organization = organizationOf(namespace);
    if (organization === undefined) return;
    const filled = (words: Words): Words =>
      Object.fromEntries(
        LANGUAGES.map((language) => [
          language,
          sentence(
            words,
            language,
            Object.fromEntries(
              Object.entries(args).map(([gap, value]) => [gap, typeof value === 'string' ? value : value[language]]),
            ),
          ),
        ]),
      ) as unknown as Words;
    await store.send(
      { key, title: filled(title), content: filled(content), object: { kind: facts.plural, id: name } },
      { organization, roles: ORG_ROLES },
    );
  };
