/** What tmux and its windows are given of an environment: the first tmux becomes a server, and hands its own to every window. */
import type { Environment } from '../../domain/environment.ts';

/** What `legion view` needs to find its legion and to show text. */
const FOR_WINDOWS: readonly string[] = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'NO_COLOR'],
  ...['XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
];

/** What tmux needs besides: its terminal, its socket's folder, and the shell that windows opened by hand get. */
const FOR_TMUX: readonly string[] = [...FOR_WINDOWS, 'TERM', 'COLORTERM', 'TMUX_TMPDIR', 'SHELL', 'USER'];

/** Without `TMUX`: a daemon that was started inside some tmux still uses the usual server. */
export function tmuxEnvironment(environment: Environment): Record<string, string> {
  return only(FOR_TMUX, environment);
}

/** Named one by one, because a server that runs already has an environment of its own. Nothing here is a secret. */
export function windowVariables(environment: Environment): readonly string[] {
  return Object.entries(only(FOR_WINDOWS, environment)).map(([name, value]) => `${name}=${value}`);
}

function only(names: readonly string[], environment: Environment): Record<string, string> {
  const found = names.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => Boolean(entry[1])));
}
