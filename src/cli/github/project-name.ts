/** A project of GitHub as people name it: `owner/number`, or its address copied from the browser. */
import { PROJECT } from '../../config/legion/board.ts';
import { LegionError, shown } from '../../core/model/fault.ts';

export interface ProjectName {
  readonly owner: string;
  readonly number: number;
}

const ADDRESS = /^https?:\/\/[^/\s]+\/(?:orgs|users)\/([^/\s]+)\/projects\/(\d+)(?:[/?#].*)?$/;

export function readProjectName(text: string): ProjectName | undefined {
  const [, ownerOf, numberOf] = ADDRESS.exec(text.trim()) ?? [];
  const name = ownerOf === undefined ? text.trim() : `${ownerOf}/${numberOf}`;
  if (!PROJECT.test(name)) return undefined;
  const [owner = '', number = ''] = name.split('/');
  return { owner, number: Number(number) };
}

/** `option`: what it was given as. */
export function projectNameFrom(option: string, text: string): ProjectName {
  const name = readProjectName(text);
  if (name !== undefined) return name;
  throw new LegionError(
    'usage.invalid',
    `${option} takes OWNER/NUMBER, such as acme/3, or the project’s address, got ${shown(text)}`,
  );
}
