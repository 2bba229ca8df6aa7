/** Holds the folders of skills to their form: front matter, links that lead somewhere, no page that nothing leads to. */
import { posix } from 'node:path';
import type { Page } from './page.ts';

/** As agents ask for it: more is cut off, and less does not tell when to use it. */
const DESCRIPTION_LEAST = 60;
const DESCRIPTION_MOST = 1_024;

/** `pages` by their path below the folder of all skills. Each mistake as `path: what is wrong`. */
export function folderMistakes(pages: ReadonlyMap<string, Page>): readonly string[] {
  const openings = [...new Set([...pages.keys()].map((path) => `${path.split('/')[0]}/SKILL.md`))];
  return [
    ...openings.flatMap((path) => wrongMatter(path, pages.get(path))),
    ...[...pages].flatMap(([path, page]) => wrongLinks(path, page, pages)),
    ...openings.flatMap((path) => orphans(path, pages)),
  ];
}

function wrongMatter(path: string, page: Page | undefined): string[] {
  if (page === undefined) return [`${path}: is not there`];
  const { name, description, ...more } = page.matter ?? {};
  const wrong = [
    page.matter === undefined && 'has no front matter that is YAML',
    name !== path.split('/')[0] && `its name is not that of its folder: ${name}`,
    !isDescription(description) && 'its description does not say when to use it, or is too long',
    Object.keys(more).length > 0 && `its front matter has more than a name and a description`,
  ];
  return wrong.filter((each) => each !== false).map((each) => `${path}: ${each}`);
}

function isDescription(text: unknown): boolean {
  const isSized =
    typeof text === 'string' && text.length >= DESCRIPTION_LEAST && text.length <= DESCRIPTION_MOST;
  return isSized && /^Use (?:when|before|to)\b/.test(text);
}

function wrongLinks(path: string, page: Page, pages: ReadonlyMap<string, Page>): string[] {
  return page.links
    .filter(({ text }) => !pages.has(targetOf(path, text)))
    .map(({ line, text }) => `${path}: ${line}: ${text} leads nowhere`);
}

function orphans(opening: string, pages: ReadonlyMap<string, Page>): string[] {
  const [skill] = opening.split('/');
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { text } of pages.get(path)?.links ?? []) follow(targetOf(path, text));
  };
  follow(opening);
  return [...pages.keys()]
    .filter((path) => path.startsWith(`${skill}/`) && !reached.has(path))
    .map((path) => `${path}: nothing in its skill leads to it`);
}

function targetOf(path: string, link: string): string {
  return posix.join(posix.dirname(path), link.split('#')[0] ?? '');
}
