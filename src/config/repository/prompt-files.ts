/** Reads a repository's own prompt templates from its files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quoteText } from '../../core/model/fault.ts';
import type { ConfigProblem } from '../problem.ts';
import { readTextFile } from '../text-file.ts';
import { isLinkedOutside } from './load.ts';

export const PROMPTS_FOLDER = '.legion/prompts';

/**
 * Legion's longest template is 2 KiB long. An operator has to read the whole text before approving
 * it.
 */
export const MAX_PROMPT_BYTES = 16 * 1_024;

/**
 * Larger than the number of templates. A directory with more files than this is not a directory of
 * templates.
 */
export const MAX_PROMPT_FILES = 64;

const PROMPT_FILE_ENDING = '.md';

export interface PromptFile {
  /** Path for messages. */
  readonly path: string;
  /** Name of the template that the file replaces. It may be unknown to Legion. */
  readonly name: string;
  readonly text: string;
}

export interface PromptFiles {
  readonly files: readonly PromptFile[];
  readonly problems: readonly ConfigProblem[];
}

export const NO_PROMPT_FILES: PromptFiles = { files: [], problems: [] };

/** Reads the templates of a checkout as they are now, committed or not. */
export function readPromptFiles(checkout: string): PromptFiles {
  const folder = join(checkout, PROMPTS_FOLDER);
  if (isLinkedOutside(checkout, '.legion') || isLinkedOutside(checkout, PROMPTS_FOLDER)) {
    const message = 'is reached through a symbolic link, which is not followed';
    return { files: [], problems: [{ code: 'config.unreadable', where: folder, message }] };
  }
  const names = listPromptNames(folder);
  if (names.length > MAX_PROMPT_FILES) return { files: [], problems: [reportTooManyPrompts(folder)] };
  const read = names.map((file) => readPromptFile(folder, file));
  return {
    files: read.flatMap((each) => ('text' in each ? [each] : [])),
    problems: read.flatMap((each) => ('text' in each ? [] : [each])),
  };
}

/** Returns undefined for anything but a Markdown file. */
export function parsePromptName(file: string): string | undefined {
  return file.endsWith(PROMPT_FILE_ENDING) && file.length > PROMPT_FILE_ENDING.length
    ? file.slice(0, -PROMPT_FILE_ENDING.length)
    : undefined;
}

export function reportTooManyPrompts(folder: string): ConfigProblem {
  const message = `has more than ${MAX_PROMPT_FILES} files, so none of them is read`;
  return { code: 'config.too_large', where: folder, message };
}

/** Quotes the file name, which is untrusted too. */
export function reportNotAPrompt(folder: string, file: string): ConfigProblem {
  const message = `contains ${quoteText(file)}, expected only regular files named after a template, such as frame${PROMPT_FILE_ENDING}`;
  return { code: 'config.invalid', where: folder, message };
}

function listPromptNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // most repositories have none
  }
}

function readPromptFile(folder: string, file: string): PromptFile | ConfigProblem {
  const name = parsePromptName(file);
  if (name === undefined) return reportNotAPrompt(folder, file);
  const path = join(folder, file);
  const text = readTextFile(path, MAX_PROMPT_BYTES, 'no links');
  if (text.ok) return { path, name, text: text.value };
  const { code, message } = text.fault;
  return { code, where: path, message: message.slice(path.length + 2) };
}
