/** What an issue's work changes, by the git of this machine alone: nobody is asked for anything. */
import { changesIn } from '../git/changes/changes.ts';
import type { Ground } from './compose-ground.ts';
import type { Compared, Differences } from './repository.ts';

/** A person waits for it; the largest change anybody reads takes a tenth of a second. */
const DIFFERENCES_MS = 10_000;

const COMMIT = /^[0-9a-f]{40,64}$/;

export function differencesIn(ground: Ground): (of: Compared) => Promise<Differences | undefined> {
  const { git, lookup, common, ref } = ground;

  /** Undefined for what is not here, and for what is no name of a commit. */
  async function commitsOf(...names: readonly string[]): Promise<readonly (string | undefined)[]> {
    return lookup.objects(names.map((name) => `${name}^{commit}`));
  }

  /** Without common history all of the base counts as removed. */
  async function leftAt(folder: string, base: string, head: string): Promise<string> {
    return (await git.ask(folder, ['merge-base', base, head]))?.trim() ?? base;
  }

  return async (of) => {
    const signal = AbortSignal.timeout(DIFFERENCES_MS);
    if ('workspace' in of) {
      const [base] = await commitsOf(ref);
      if (base === undefined) return undefined;
      const from = await leftAt(of.workspace, base, 'HEAD');
      return { base: from, head: '', ...copied(await changesIn(git, of.workspace, from, undefined, signal)) };
    }
    const sha = 'landed' in of ? of.landed : of.head;
    if (!COMMIT.test(sha)) return undefined;
    const [head, base] = await commitsOf(sha, 'landed' in of ? `${sha}^` : ref);
    if (head === undefined || base === undefined) return undefined;
    const from = 'landed' in of ? base : await leftAt(common, base, head);
    return { base: from, head, ...copied(await changesIn(git, common, from, head, signal)) };
  };
}

function copied({ truncated, files }: Awaited<ReturnType<typeof changesIn>>) {
  return { truncated, files: files.map((file) => ({ ...file })) };
}
