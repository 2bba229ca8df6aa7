/** A repository's own prompt templates: read from its base branch or from a folder, and held to the forms of ours. */
import type { Problem } from '../../config/problem.ts';
import type { PromptTexts } from '../../config/repository/fingerprint.ts';
import {
  NO_PROMPT_FILES,
  notAPrompt,
  PROMPT_FILES_MOST,
  PROMPT_MOST_BYTES,
  PROMPTS_FOLDER,
  type PromptFile,
  type PromptFiles,
  promptFilesIn,
  promptNameOf,
  tooManyPrompts,
} from '../../config/repository/prompt-files.ts';
import { shown } from '../../core/model/fault.ts';
import type { Git } from '../../git/runner.ts';
import type { TemplateName } from '../context/prompt-template.ts';
import type { Templates } from '../prompt/built-in.ts';
import { parseTemplate, type Template } from '../prompts/parse-template.ts';
import { FORMS } from '../prompts/template-forms.ts';

export interface OwnPrompts {
  /** Only those that are as they must be. */
  readonly templates: Templates;
  /** The same as they were written: what an operator sees and approves. */
  readonly texts: PromptTexts;
  readonly problems: readonly Problem[];
}

/** Which object to ask git for; nobody's work tree has a say. */
export function promptsTree(ref: string): string {
  return `${ref}:${PROMPTS_FOLDER}`;
}

/** `tree` is the object of that name; undefined where the branch has no such folder. */
export async function promptsAt(
  git: Git,
  repository: string,
  base: string,
  tree: string | undefined,
): Promise<OwnPrompts> {
  return checked(tree === undefined ? NO_PROMPT_FILES : await committed(git, repository, base, tree));
}

export function promptsIn(checkout: string): OwnPrompts {
  return checked(promptFilesIn(checkout));
}

async function committed(git: Git, repository: string, base: string, tree: string): Promise<PromptFiles> {
  const folder = `${base}:${PROMPTS_FOLDER}`;
  const kind = (await git.run(repository, ['cat-file', '-t', tree])).trim();
  const notAFolder: Problem = { code: 'config.unreadable', where: folder, says: 'is not a folder' };
  if (kind !== 'tree') return { files: [], problems: [notAFolder] };
  const listed = await git.run(repository, ['ls-tree', '-z', '--long', tree]);
  const entries = listed.split('\0').filter((entry) => entry !== '');
  if (entries.length > PROMPT_FILES_MOST) return { files: [], problems: [tooManyPrompts(folder)] };
  const files: PromptFile[] = [];
  const problems: Problem[] = [];
  for (const entry of entries) {
    const read = await committedFile(git, repository, folder, entry);
    if ('text' in read) files.push(read);
    else problems.push(read);
  }
  return { files, problems };
}

/** An entry is `<mode> <type> <object> <size>\t<name>`; a link has the mode 120000. */
async function committedFile(
  git: Git,
  repository: string,
  folder: string,
  entry: string,
): Promise<PromptFile | Problem> {
  const [facts = '', file = ''] = entry.split('\t', 2);
  const [mode = '', , object = '', size = ''] = facts.split(/ +/);
  const name = promptNameOf(file);
  if (name === undefined || !mode.startsWith('100')) return notAPrompt(folder, file);
  const path = `${folder}/${name}.md`;
  if (Number(size) > PROMPT_MOST_BYTES)
    return { code: 'config.too_large', where: path, says: `is larger than ${PROMPT_MOST_BYTES} bytes` };
  return { path, name, text: await git.run(repository, ['cat-file', 'blob', object]) };
}

function checked({ files, problems: unread }: PromptFiles): OwnPrompts {
  const templates = new Map<TemplateName, Template>();
  const texts: Record<string, string> = {};
  const problems: Problem[] = [...unread];
  for (const { path, name, text } of files) {
    const form = FORMS.get(name as TemplateName);
    if (form === undefined) {
      const says = `${shown(name)} is no template; there are: ${[...FORMS.keys()].join(', ')}`;
      problems.push({ code: 'config.invalid', where: path, says });
      continue;
    }
    const parsed = parseTemplate(form, text);
    if (parsed.ok) {
      templates.set(form.name, parsed.template);
      texts[form.name] = text;
    } else {
      const found = parsed.problems.map(({ line, says }) => ({ where: `${path}:${line}`, says }));
      problems.push(...found.map((each): Problem => ({ code: 'config.invalid', ...each })));
    }
  }
  return { templates, texts, problems };
}
