/** What a scenario may call a file of the workspace: a relative path that names neither a way out nor git's own folder. */
import { z } from 'zod';

/** Longer than any path of a repository that other systems can check out. */
const PATH_MOST = 1_024;

export const relativePath = z.string().superRefine((path, context) => {
  const complaint = complaintAboutPath(path);
  if (complaint !== undefined) context.addIssue(complaint);
});

/** Says nothing about links: those are looked at where the file is touched. */
export function complaintAboutPath(path: string): string | undefined {
  if (path === '' || path.length > PATH_MOST) return `must have 1 to ${PATH_MOST} characters`;
  if (path.includes('\0') || path.includes('\\')) return 'contains a NUL or a backslash';
  if (path.startsWith('/')) return 'is absolute, expected a path inside of the workspace';
  const parts = path.split('/');
  if (parts.includes('..')) return 'contains "..", which may leave the workspace';
  if (parts.some((part) => part === '' || part === '.')) return 'has an empty part or "."';
  return namesGitFolder(parts) ? 'names git’s own folder' : undefined;
}

/** In any spelling that some file system takes for it. */
export function namesGitFolder(parts: readonly string[]): boolean {
  return parts.some((part) => part.toLowerCase() === '.git');
}
