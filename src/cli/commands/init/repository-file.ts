/** `.legion/config.yml` as `legion init` writes it: the commands that were found, and the second switch of auto-merge. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import { REPOSITORY_FILE } from '../../repository-at.ts';
import { repositoryFileText } from '../setup/init/write.ts';
import type { Answers } from './answers.ts';
import type { FoundRepository } from './repository.ts';

export interface RepositoryFilePlan {
  readonly file: { readonly path: string; readonly text: string } | undefined;
  /** What a person has to add by hand, because the file is there and is left as it is. */
  readonly advice: string | undefined;
}

/** Merging without a person needs both switches: `approvals.merge: auto`, and the repository's own. */
export function planRepositoryFile(
  { commands, approvals }: Pick<Answers, 'commands' | 'approvals'>,
  repository: Pick<FoundRepository, 'path' | 'commands'>,
  force: boolean,
): RepositoryFilePlan {
  const mayMergeAlone = approvals.merge === 'auto';
  if (!commands && !mayMergeAlone) return { file: undefined, advice: undefined };
  const path = join(repository.path, REPOSITORY_FILE);
  if (existsSync(path) && !force) {
    if (commands) throw new LegionError('init.exists', `${path} is there already`);
    const advice = `Small safe changes merge by themselves only once ${path} says \`merge: { auto_merge_allowed: true }\`.`;
    return { file: undefined, advice };
  }
  const given = { commands: commands ? repository.commands : {}, mayMergeAlone };
  return { file: { path, text: repositoryFileText(given, path) }, advice: undefined };
}
