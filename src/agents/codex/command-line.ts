/** The command line of one turn. It holds no secret and no word of the prompt, which comes on standard input. */

const FLAGS = [
  '--json',
  // A workspace may be of another kind than git.
  '--skip-git-repo-check',
  // The sandbox, if there is one, is around the worker; nobody is there to approve anything.
  '--dangerously-bypass-approvals-and-sandbox',
  // The only hook is in the configuration Legion has written; without this it would wait for a person's trust.
  '--dangerously-bypass-hook-trust',
  // Of a repository, about which commands may run.
  '--ignore-rules',
] as const;

/** Anything else `resume` would take for a name, and begin a new thread. */
const THREAD_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isThread(native: string | undefined): native is string {
  return native !== undefined && THREAD_FORM.test(native);
}

/** `thread` undefined begins one. */
export function commandLine(program: string, thread: string | undefined): [string, ...string[]] {
  const how = thread === undefined ? ['exec', ...FLAGS] : ['exec', 'resume', ...FLAGS, thread];
  return [program, ...how, '-'];
}
