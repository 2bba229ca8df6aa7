/** A repository's own prompt templates as files: where they lie, how large they may be, what each is called. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shown } from '../../core/model/fault.ts';
import type { Problem } from '../problem.ts';
import { readTextFile } from '../text-file.ts';
import { leadsOutside } from './leads-outside.ts';

export const PROMPTS_FOLDER = '.legion/prompts';

/** The longest of ours has 2 KiB. An operator has to read it all before approving it. */
export const PROMPT_MOST_BYTES = 16 * 1_024;

/** More than there are templates; a folder with more is something else. */
export const PROMPT_FILES_MOST = 64;

const ENDING = '.md';

export interface PromptFile {
  /** As messages name it. */
  readonly path: string;
  /** Of the template it replaces, known or not. */
  readonly name: string;
  readonly text: string;
}

export interface PromptFiles {
  readonly files: readonly PromptFile[];
  readonly problems: readonly Problem[];
}

export const NO_PROMPT_FILES: PromptFiles = { files: [], problems: [] };

/** Undefined for what is no Markdown file. */
export function promptNameOf(file: string): string | undefined {
  return file.endsWith(ENDING) && file.length > ENDING.length ? file.slice(0, -ENDING.length) : undefined;
}

export function tooManyPrompts(folder: string): Problem {
  const says = `has more than ${PROMPT_FILES_MOST} files; none is read`;
  return { code: 'config.too_large', where: folder, says };
}

/** A file name is text from outside too. */
export function notAPrompt(folder: string, file: string): Problem {
  const says = `has ${shown(file)}, expected only ordinary files named after a template, such as frame${ENDING}`;
  return { code: 'config.invalid', where: folder, says };
}

/** Those that lie in a checkout now, committed or not. */
export function promptFilesIn(checkout: string): PromptFiles {
  const folder = join(checkout, PROMPTS_FOLDER);
  if (leadsOutside(checkout, '.legion') || leadsOutside(checkout, PROMPTS_FOLDER)) {
    const says = 'is reached through a symbolic link, which is not followed';
    return { files: [], problems: [{ code: 'config.unreadable', where: folder, says }] };
  }
  const names = namesIn(folder);
  if (names.length > PROMPT_FILES_MOST) return { files: [], problems: [tooManyPrompts(folder)] };
  const read = names.map((file) => promptFileAt(folder, file));
  return {
    files: read.flatMap((each) => ('text' in each ? [each] : [])),
    problems: read.flatMap((each) => ('text' in each ? [] : [each])),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // most repositories have none
  }
}

function promptFileAt(folder: string, file: string): PromptFile | Problem {
  const name = promptNameOf(file);
  if (name === undefined) return notAPrompt(folder, file);
  const path = join(folder, file);
  const text = readTextFile(path, PROMPT_MOST_BYTES, 'no links');
  if (text.ok) return { path, name, text: text.value };
  const { code, message } = text.fault;
  return { code, where: path, says: message.slice(path.length + 2) };
}
