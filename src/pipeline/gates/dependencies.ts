/** Which dependencies a change adds to a manifest. */

const JSON_MANIFESTS = /(^|\/)(package|composer)\.json$/;
const LINE_MANIFESTS =
  /(^|\/)(requirements[^/]*\.(txt|in)|pyproject\.toml|pipfile|setup\.(py|cfg)|cargo\.toml|go\.mod|gemfile|[^/]+\.gemspec|pom\.xml|build\.gradle(\.kts)?|libs\.versions\.toml|[^/]+\.csproj|directory\.packages\.props|mix\.exs|pubspec\.yaml|deno\.jsonc?|environment\.ya?ml)$/i;

const JSON_BLOCKS = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'bundledDependencies',
  'require',
  'require-dev',
] as const;

export function isManifest(path: string): boolean {
  return JSON_MANIFESTS.test(path) || LINE_MANIFESTS.test(path);
}

/**
 * Names what `after` has and `before` has not. In manifests that are not JSON every added line counts, because a wrong
 * "nothing was added" would merge unseen; a manifest that cannot be parsed yields `unknown`.
 */
export function addedDependencies(
  path: string,
  before: string,
  after: string,
): readonly string[] | 'unknown' {
  if (!JSON_MANIFESTS.test(path)) return addedLines(before, after);
  const had = jsonDependencies(before);
  const has = jsonDependencies(after);
  if (had === 'unknown' || has === 'unknown') return 'unknown';
  return [...has].filter((name) => !had.has(name));
}

function jsonDependencies(text: string): ReadonlySet<string> | 'unknown' {
  if (text.trim() === '') return new Set();
  const manifest = parse(text);
  if (manifest === undefined) return 'unknown';
  const names = new Set<string>();
  for (const block of JSON_BLOCKS) {
    const listed: unknown = manifest[block];
    if (Array.isArray(listed)) for (const name of listed) names.add(`${block}:${String(name)}`);
    else if (typeof listed === 'object' && listed !== null) {
      for (const name of Object.keys(listed)) names.add(`${block}:${name}`);
    }
  }
  return names;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function addedLines(before: string, after: string): string[] {
  const had = new Set(before.split('\n').map((line) => line.trim()));
  return after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(#|\/\/|;|<!--)/.test(line) && !had.has(line));
}
