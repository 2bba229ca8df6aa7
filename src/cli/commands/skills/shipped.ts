/** The skills this Legion brings along: each a folder with a `SKILL.md` and the pages it leads to. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parse } from 'yaml';
import { skillsFolder } from '../../skills-folder.ts';

export interface ShippedFile {
  /** Below the folder of all skills, with `/`: `legion-worker/SKILL.md`. */
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

export interface ShippedSkill {
  readonly name: string;
  readonly description: string;
  readonly files: readonly ShippedFile[];
}

export function shippedSkills(folder: string = skillsFolder()): readonly ShippedSkill[] {
  const files = globSync('*/**/*.md', { cwd: folder })
    .map((path) => path.split(sep).join('/'))
    .sort()
    .map((path): ShippedFile => {
      const text = readFileSync(join(folder, path), 'utf8');
      return { path, text, hash: hashOf(text) };
    });
  const names = [...new Set(files.map(({ path }) => skillOf(path)))];
  return names.map((name) => {
    const own = files.filter(({ path }) => skillOf(path) === name);
    const opening = own.find(({ path }) => path === `${name}/SKILL.md`)?.text ?? '';
    return { name, description: descriptionIn(opening), files: own };
  });
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function skillOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function descriptionIn(text: string): string {
  const [, matter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  const { description } = (parse(matter) ?? {}) as { readonly description?: unknown };
  return typeof description === 'string' ? description : '';
}
