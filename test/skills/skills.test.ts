/**
 * Checks that every skill mentions only names that exist, and that the essential rules are at the
 * top.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readShippedSkills } from '../../src/cli/commands/setup/skills/shipped.ts';
import { requireSkillsFolder } from '../../src/cli/installation.ts';
import { PHASES } from '../../src/core/model/mode.ts';
import { findMistakes } from './check.ts';
import { findFolderMistakes } from './folder.ts';
import { type Page, readPage } from './page.ts';

/**
 * Number of lines at the top of a page that an agent is certain to read, even if it reads many
 * pages. The essential rules must be within these lines.
 */
const SURELY_READ = 40;
/** Number of lines at the top of a page that must contain the required links. */
const OPENING = 6;

const files = readShippedSkills().flatMap((skill) => skill.files);
const pages: ReadonlyMap<string, Page> = new Map(files.map(({ path, text }) => [path, readPage(text)]));
const workflows = PHASES.map((phase) => `legion-worker/workflows/${phase}.md`);
const textOf = (path: string) => pages.get(path)?.lines.join('\n') ?? '';

test('Legion ships five skills, and their directory contains only skill pages', () => {
  const names = ['legion-controller', 'legion-groomer', 'legion-oracle', 'legion-retro', 'legion-worker'];
  expect(readShippedSkills().map(({ name }) => name)).toEqual(names);
  const all = readdirSync(requireSkillsFolder(), { recursive: true, withFileTypes: true });
  expect(all.filter((entry) => entry.isFile())).toHaveLength(files.length);
});

test('skills have valid front matter, no broken links and no unreachable page', () => {
  expect(findFolderMistakes(pages)).toEqual([]);
});

test.each(files.map(({ path }) => path))('%s mentions only names that exist', async (path) => {
  const page = pages.get(path);
  expect(page === undefined ? ['is missing'] : await findMistakes(path, page)).toEqual([]);
});

test('skills refer to nothing outside Legion: they contain no URLs and mention no other skills', () => {
  const own = readShippedSkills().map(({ name }) => name);
  for (const { path, text } of files) {
    expect(text, path).not.toMatch(/https?:\/\//);
    const named = [...text.matchAll(/\blegion-(?!paused\b|scratch\b)[a-z]+\b/g)].map(([name]) => name);
    expect(
      named.filter((name) => !own.includes(name)),
      path,
    ).toEqual([]);
  }
});

describe('essential rules', () => {
  test.each([
    ['one phase', /Do this phase and no other/],
    ['one workspace', /Stay in your workspace/],
    [
      'the only way to write',
      /only through Legion.*never push,\s+open,\s+approve,\s+label,\s+close or merge/is,
    ],
    ['kinds of text', /Treat each text according to its label/],
    ['tests', /Never weaken, skip or delete a test/],
    ['handoffs', /Commit nothing of Legion's own/],
    ['checkpoints', /Save a checkpoint/],
    ['refusals', /If Legion refuses a report, the answer says what is missing/],
    [
      'the end of the phase',
      /exactly one of.*`legion worker done`, `legion worker ask`, `legion worker error`/s,
    ],
  ])('for a worker are at the top of its skill: %s', (_, rule) => {
    const top = pages.get('legion-worker/SKILL.md')?.lines.slice(0, SURELY_READ).join('\n');
    expect(top).toMatch(rule);
  });

  test('are at the top of every skill', () => {
    for (const { name } of readShippedSkills()) {
      const lines = pages.get(`${name}/SKILL.md`)?.lines ?? [];
      const rules = lines.indexOf('## Essential rules');
      expect(rules, name).toBeGreaterThan(0);
      expect(rules, name).toBeLessThan(SURELY_READ / 2);
      expect(lines.slice(0, SURELY_READ).join('\n'), name).toMatch(
        /material|only as a\s+source of facts|evidence of what a person \*\*said\*\*/,
      );
    }
  });

  test('are linked in the opening of all the remaining pages', () => {
    const below = [...pages.keys()].filter((path) => !path.endsWith('/SKILL.md'));
    expect(below).toHaveLength(PHASES.length + 4);
    for (const path of below) {
      const opening = pages.get(path)?.lines.slice(0, OPENING).join('\n');
      expect(opening, path).toContain('[essential rules](../SKILL.md)');
    }
  });
});

describe('each phase', () => {
  test('has a workflow that the worker skill links to', () => {
    const { links = [] } = pages.get('legion-worker/SKILL.md') ?? {};
    const led = links.map(({ text }) => `legion-worker/${text}`);
    expect(workflows.filter((path) => !led.includes(path))).toEqual([]);
  });

  test.each(workflows)(
    '%s shows a handoff and a report, and explains what to do after a refusal and what never to do',
    (path) => {
      const typed = pages
        .get(path)
        ?.blocks.filter(({ info }) => info === 'sh')
        .map(({ text }) => text)
        .join('\n');
      expect(typed).toMatch(/^legion worker handoff write /m);
      expect(typed).toMatch(/^legion worker done /m);
      expect(textOf(path)).toMatch(/refused/i);
      expect(textOf(path)).toContain('(../references/completion.md)');
      expect(textOf(path)).toMatch(/^## Never$/m);
    },
  );

  test.each(workflows)('%s is short enough to read in one go', (path) => {
    expect(pages.get(path)?.lines.length).toBeGreaterThanOrEqual(60);
    expect(pages.get(path)?.lines.length).toBeLessThanOrEqual(140);
  });
});
