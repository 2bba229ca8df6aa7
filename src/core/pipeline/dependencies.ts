/** Finds the dependencies that a change adds to a manifest. */

const JSON_MANIFESTS = /(^|\/)(package|composer)\.json$/i;

const LINE_MANIFESTS: readonly RegExp[] = [
  /(^|\/)((requirements|constraints)[^/]*|requirements\/[^/]+)\.(txt|in)$/i,
  /(^|\/)(pyproject\.toml|pipfile|setup\.(py|cfg)|environment\.ya?ml)$/i,
  /(^|\/)(cargo\.toml|go\.(mod|work)|package\.swift|podfile|mix\.exs|pubspec\.yaml)$/i,
  /(^|\/)(gemfile|[^/]+\.gemspec)$/i,
  /(^|\/)(pom\.xml|build\.sbt|[^/]+\.gradle(\.kts)?|[^/]+\.versions\.toml)$/i,
  /(^|\/)([^/]+\.(cs|fs|vb)proj|directory\.(packages|build)\.props|packages\.config)$/i,
  /(^|\/)(deno\.jsonc?|pnpm-workspace\.yaml)$/i,
];

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
  return JSON_MANIFESTS.test(path) || LINE_MANIFESTS.some((pattern) => pattern.test(path));
}

/**
 * Returns the names that are in `after` but not in `before`. In manifests that are not JSON, every
 * added line is returned, even a comment, because a missed dependency would be merged unseen. A
 * manifest that cannot be parsed yields `unknown`.
 */
export function findAddedDependencies(
  path: string,
  before: string,
  after: string,
): readonly string[] | 'unknown' {
  if (!JSON_MANIFESTS.test(path)) return findAddedLines(before, after);
  const had = listJsonDependencies(before);
  const has = listJsonDependencies(after);
  if (had === 'unknown' || has === 'unknown') return 'unknown';
  return [...has].filter((name) => !had.has(name));
}

function listJsonDependencies(text: string): ReadonlySet<string> | 'unknown' {
  if (text.trim() === '') return new Set();
  const manifest = parseManifest(text);
  if (manifest === undefined) return 'unknown';
  const names = new Set<string>();
  for (const block of JSON_BLOCKS) {
    const listed: unknown = manifest[block];
    if (Array.isArray(listed)) for (const name of listed) names.add(`${block}:${String(name)}`);
    else if (typeof listed === 'object' && listed !== null) {
      for (const [name, version] of Object.entries(listed))
        names.add(`${block}:${name}${formatDependencySource(version)}`);
    }
  }
  return names;
}

/**
 * The same name from another source (`npm:other@1`, `git+ssh://…`) counts as another dependency; a
 * new version does not.
 */
function formatDependencySource(version: unknown): string {
  return typeof version === 'string' && /[:/]/.test(version) ? `@${version}` : '';
}

function parseManifest(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the lines that occur more often in `after` than in `before`. Includes repetitions of a
 * known line, because they can be part of a new dependency.
 */
function findAddedLines(before: string, after: string): string[] {
  const had = new Map<string, number>();
  for (const line of splitNonEmptyLines(before)) had.set(line, (had.get(line) ?? 0) + 1);
  return splitNonEmptyLines(after).filter((line) => {
    const left = had.get(line) ?? 0;
    had.set(line, left - 1);
    return left <= 0;
  });
}

function splitNonEmptyLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
