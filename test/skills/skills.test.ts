/** Every skill says only what is true of this Legion, and the rules that matter are where nobody can miss them. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shippedSkills } from '../../src/cli/commands/skills/shipped.ts';
import { skillsFolder } from '../../src/cli/skills-folder.ts';
import { PHASES } from '../../src/domain/mode.ts';
import { mistakesIn } from './check.ts';
import { folderMistakes } from './folder.ts';
import { type Page, readPage } from './page.ts';

/** What a reader of many pages has surely read: the rules end here. */
const SURELY_READ = 40;
/** The opening of a page. */
const OPENING = 6;

const files = shippedSkills().flatMap((skill) => skill.files);
const pages: ReadonlyMap<string, Page> = new Map(files.map(({ path, text }) => [path, readPage(text)]));
const workflows = PHASES.map((phase) => `legion-worker/workflows/${phase}.md`);
const textOf = (path: string) => pages.get(path)?.lines.join('\n') ?? '';

test('there are the five skills, and nothing but pages in their folder', () => {
  const names = ['legion-controller', 'legion-groomer', 'legion-oracle', 'legion-retro', 'legion-worker'];
  expect(shippedSkills().map(({ name }) => name)).toEqual(names);
  const all = readdirSync(skillsFolder(), { recursive: true, withFileTypes: true });
  expect(all.filter((entry) => entry.isFile())).toHaveLength(files.length);
});

test('their front matter is valid, every link leads somewhere, and every page is reached', () => {
  expect(folderMistakes(pages)).toEqual([]);
});

test.each(files.map(({ path }) => path))('%s names only what exists', async (path) => {
  const page = pages.get(path);
  expect(page === undefined ? ['is not there'] : await mistakesIn(path, page)).toEqual([]);
});

test('they depend on nothing outside: no address, no skill but our own', () => {
  const own = shippedSkills().map(({ name }) => name);
  for (const { path, text } of files) {
    expect(text, path).not.toMatch(/https?:\/\//);
    const named = [...text.matchAll(/\blegion-(?!paused\b|scratch\b)[a-z]+\b/g)].map(([name]) => name);
    expect(
      named.filter((name) => !own.includes(name)),
      path,
    ).toEqual([]);
  }
});

describe('the essential rules', () => {
  test.each([
    ['one phase', /Do this phase and no other/],
    ['one workspace', /Stay in your workspace/],
    ['the only way to write', /only through Legion.*never push, open,\s+approve, label, close or merge/is],
    ['kinds of text', /Treat each text by its label/],
    ['tests', /Never weaken, skip or delete a test/],
    ['handoffs', /Commit nothing of Legion's own/],
    ['checkpoints', /Save a checkpoint/],
    ['refusals', /A refusal names what is missing/],
    ['the end', /exactly one of.*`legion worker done`, `legion worker ask`, `legion worker error`/s],
  ])('of a worker are at the very top: %s', (_, rule) => {
    const top = pages.get('legion-worker/SKILL.md')?.lines.slice(0, SURELY_READ).join('\n');
    expect(top).toMatch(rule);
  });

  test('of every other skill are at its top, too', () => {
    for (const { name } of shippedSkills()) {
      const lines = pages.get(`${name}/SKILL.md`)?.lines ?? [];
      const rules = lines.indexOf('## Essential rules');
      expect(rules, name).toBeGreaterThan(0);
      expect(rules, name).toBeLessThan(SURELY_READ / 2);
      expect(lines.slice(0, SURELY_READ).join('\n'), name).toMatch(
        /material|evidence of what somebody \*\*said\*\*/,
      );
    }
  });

  test('are pointed at by the opening of every page below', () => {
    const below = [...pages.keys()].filter((path) => !path.endsWith('/SKILL.md'));
    expect(below).toHaveLength(PHASES.length + 3);
    for (const path of below) {
      const opening = pages.get(path)?.lines.slice(0, OPENING).join('\n');
      expect(opening, path).toContain('[essential rules](../SKILL.md)');
    }
  });
});

describe('every phase', () => {
  test('has a workflow that the router leads to', () => {
    const { links = [] } = pages.get('legion-worker/SKILL.md') ?? {};
    const led = links.map(({ text }) => `legion-worker/${text}`);
    expect(workflows.filter((path) => !led.includes(path))).toEqual([]);
  });

  test.each(workflows)(
    '%s shows a handoff and a report, says what to do when it is refused, and what never to do',
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

  test.each(workflows)('%s can be read in one go', (path) => {
    expect(pages.get(path)?.lines.length).toBeGreaterThanOrEqual(60);
    expect(pages.get(path)?.lines.length).toBeLessThanOrEqual(140);
  });
});
