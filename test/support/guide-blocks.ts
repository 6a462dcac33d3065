// The fenced blocks of the help articles that come with the product. What stands behind the language says how a block is checked:
//   yaml NAME.yaml   a manifest, which the commands below it find under that name
//   yaml part        lines that readers add to the spec of the manifest above
//   bash run         played on a cluster, in the order of the articles (test/stories/played-guides.ts)
//   bash data        needs workers for data and training: the syntax and the names are checked
//   bash here, bash token     for the reader's own computer, or with the reader's own token: the syntax is checked
//   python run, js run   played by OpenAI's packages, Python's in the long run alone; json sample   what an answer looks like
import { guideFile, guideSlugs } from '../../api/src/areas/portal/guides.ts';

export interface GuideBlock {
  readonly slug: string;
  /** Of the block, such as `bash`. */
  readonly language: string;
  /** How it is checked; a manifest's file name. */
  readonly check: string;
  /** With placeholders. */
  readonly text: string;
}

export const CHECKS: ReadonlySet<string> = new Set([
  ...['yaml part', 'bash run', 'bash data', 'bash here', 'bash token'],
  ...['python run', 'js run', 'json sample'],
]);

/** In the order of the articles, which is their readers'. */
export const guidesInOrder = (): string[] =>
  guideSlugs().toSorted((a, b) => guideFile(a, 'en').front.order - guideFile(b, 'en').front.order);

export const blocksOf = (slug: string, language: 'en' | 'zh' | 'ja' = 'en'): GuideBlock[] =>
  blocksIn(slug, guideFile(slug, language).body);

/** Of the text of an article. */
export const blocksIn = (slug: string, body: string): GuideBlock[] =>
  [...body.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, blockLanguage = '', check = '', text = '']) => ({
    slug,
    language: blockLanguage,
    check,
    text,
  }));

export const allBlocks = (): GuideBlock[] => guidesInOrder().flatMap((slug) => blocksOf(slug));
