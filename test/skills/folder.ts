/**
 * Checks the structure of skill directories: valid front matter, no broken links, no unreachable
 * page.
 */
import { posix } from 'node:path';
import type { Page } from './page.ts';

/**
 * Minimum and maximum length of a description. Agents truncate longer texts, and shorter texts
 * cannot explain when to use the skill.
 */
const MIN_DESCRIPTION = 60;
const MAX_DESCRIPTION = 1_024;

/**
 * Returns each mistake as `path: problem`. `pages` are keyed by their path below the directory of
 * all skills.
 */
export function findFolderMistakes(pages: ReadonlyMap<string, Page>): readonly string[] {
  const openings = [...new Set([...pages.keys()].map((path) => `${path.split('/')[0]}/SKILL.md`))];
  return [
    ...openings.flatMap((path) => findWrongMatter(path, pages.get(path))),
    ...[...pages].flatMap(([path, page]) => findWrongLinks(path, page, pages)),
    ...openings.flatMap((path) => findOrphans(path, pages)),
  ];
}

function findWrongMatter(path: string, page: Page | undefined): string[] {
  if (page === undefined) return [`${path}: is missing`];
  const { name, description, ...more } = page.matter ?? {};
  const wrong = [
    page.matter === undefined && 'has no YAML front matter',
    name !== path.split('/')[0] && `its name differs from its directory: ${name}`,
    !isDescription(description) && 'its description does not say when to use it, or is too long',
    Object.keys(more).length > 0 && `its front matter has more than a name and a description`,
  ];
  return wrong.filter((each) => each !== false).map((each) => `${path}: ${each}`);
}

function isDescription(text: unknown): boolean {
  const isSized =
    typeof text === 'string' && text.length >= MIN_DESCRIPTION && text.length <= MAX_DESCRIPTION;
  return isSized && /^Use (?:when|before|to)\b/.test(text);
}

function findWrongLinks(path: string, page: Page, pages: ReadonlyMap<string, Page>): string[] {
  return page.links
    .filter(({ text }) => !pages.has(resolveLink(path, text)))
    .map(({ line, text }) => `${path}: ${line}: broken link ${text}`);
}

function findOrphans(opening: string, pages: ReadonlyMap<string, Page>): string[] {
  const [skill] = opening.split('/');
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { text } of pages.get(path)?.links ?? []) follow(resolveLink(path, text));
  };
  follow(opening);
  return [...pages.keys()]
    .filter((path) => path.startsWith(`${skill}/`) && !reached.has(path))
    .map((path) => `${path}: is not reachable from its skill`);
}

function resolveLink(path: string, link: string): string {
  return posix.join(posix.dirname(path), link.split('#')[0] ?? '');
}
