/**
 * Reads a repository's own prompt templates from its base branch or a directory, and checks that
 * they have the form Legion requires.
 */
import type { ConfigProblem } from '../../config/problem.ts';
import type { PromptTexts } from '../../config/repository/load.ts';
import {
  MAX_PROMPT_BYTES,
  MAX_PROMPT_FILES,
  NO_PROMPT_FILES,
  PROMPTS_FOLDER,
  type PromptFile,
  type PromptFiles,
  parsePromptName,
  readPromptFiles,
  reportNotAPrompt,
  reportTooManyPrompts,
} from '../../config/repository/prompt-files.ts';
import { quoteText } from '../../core/model/fault.ts';
import type { GitRunner } from '../../git/runner.ts';
import type { PromptTemplate, PromptTemplates, TemplateName } from '../context/prompt-template.ts';
import { parseTemplate } from '../prompts/parse-template.ts';
import { TEMPLATE_FORMS } from '../prompts/template-forms.ts';

export interface RepositoryPrompts {
  /** Valid templates only. */
  readonly templates: PromptTemplates;
  /** Original text of the templates, which the operator sees and approves. */
  readonly texts: PromptTexts;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Builds the git name of the prompts directory at `ref`, so that templates are read from git and
 * not from a work tree.
 */
export function buildPromptsTreeName(ref: string): string {
  return `${ref}:${PROMPTS_FOLDER}`;
}

/**
 * `tree` is the id of the prompts directory in git. Undefined if the branch has no such directory.
 */
export async function readCommittedPrompts(
  git: GitRunner,
  repository: string,
  base: string,
  tree: string | undefined,
): Promise<RepositoryPrompts> {
  return checkPromptFiles(
    tree === undefined ? NO_PROMPT_FILES : await readPromptTree(git, repository, base, tree),
  );
}

export function readCheckoutPrompts(checkout: string): RepositoryPrompts {
  return checkPromptFiles(readPromptFiles(checkout));
}

async function readPromptTree(
  git: GitRunner,
  repository: string,
  base: string,
  tree: string,
): Promise<PromptFiles> {
  const folder = `${base}:${PROMPTS_FOLDER}`;
  const kind = (await git.run(repository, ['cat-file', '-t', tree])).trim();
  const notAFolder: ConfigProblem = { code: 'config.unreadable', where: folder, message: 'is not a folder' };
  if (kind !== 'tree') return { files: [], problems: [notAFolder] };
  const listed = await git.run(repository, ['ls-tree', '-z', '--long', tree]);
  const entries = listed.split('\0').filter((entry) => entry !== '');
  if (entries.length > MAX_PROMPT_FILES) return { files: [], problems: [reportTooManyPrompts(folder)] };
  const files: PromptFile[] = [];
  const problems: ConfigProblem[] = [];
  for (const entry of entries) {
    const read = await readPromptBlob(git, repository, folder, entry);
    if ('text' in read) files.push(read);
    else problems.push(read);
  }
  return { files, problems };
}

/**
 * Parses an `ls-tree` entry: `<mode> <type> <object> <size>\t<name>`. A symlink has mode 120000.
 */
async function readPromptBlob(
  git: GitRunner,
  repository: string,
  folder: string,
  entry: string,
): Promise<PromptFile | ConfigProblem> {
  const [facts = '', file = ''] = entry.split('\t', 2);
  const [mode = '', , object = '', size = ''] = facts.split(/ +/);
  const name = parsePromptName(file);
  if (name === undefined || !mode.startsWith('100')) return reportNotAPrompt(folder, file);
  const path = `${folder}/${name}.md`;
  if (Number(size) > MAX_PROMPT_BYTES)
    return { code: 'config.too_large', where: path, message: `is larger than ${MAX_PROMPT_BYTES} bytes` };
  return { path, name, text: await git.run(repository, ['cat-file', 'blob', object]) };
}

function checkPromptFiles({ files, problems: unread }: PromptFiles): RepositoryPrompts {
  const templates = new Map<TemplateName, PromptTemplate>();
  const texts: Record<string, string> = {};
  const problems: ConfigProblem[] = [...unread];
  for (const { path, name, text } of files) {
    const form = TEMPLATE_FORMS.get(name as TemplateName);
    if (form === undefined) {
      const message = `Unknown template ${quoteText(name)}. Valid: ${[...TEMPLATE_FORMS.keys()].join(', ')}`;
      problems.push({ code: 'config.invalid', where: path, message });
      continue;
    }
    const parsed = parseTemplate(form, text);
    if (parsed.ok) {
      templates.set(form.name, parsed.template);
      texts[form.name] = text;
    } else {
      const found = parsed.problems.map(({ line, message }) => ({ where: `${path}:${line}`, message }));
      problems.push(...found.map((each): ConfigProblem => ({ code: 'config.invalid', ...each })));
    }
  }
  return { templates, texts, problems };
}
