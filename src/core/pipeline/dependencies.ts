/** Which dependencies a change adds to a manifest. */

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
  return JSON_MANIFESTS.test(path) || LINE_MANIFESTS.some((form) => form.test(path));
}

/**
 * Names what `after` has and `before` has not. In manifests that are not JSON every added line counts, comments too, because
 * a wrong "nothing was added" would merge unseen; a manifest that cannot be parsed yields `unknown`.
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
      for (const [name, version] of Object.entries(listed)) names.add(`${block}:${name}${sourceOf(version)}`);
    }
  }
  return names;
}

/** A name that is taken from elsewhere (`npm:other@1`, `git+ssh://…`) is another dependency; a new version is not. */
function sourceOf(version: unknown): string {
  return typeof version === 'string' && /[:/]/.test(version) ? `@${version}` : '';
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Each line as often as it is there: two known lines in a new place can name a new dependency. */
function addedLines(before: string, after: string): string[] {
  const had = new Map<string, number>();
  for (const line of linesOf(before)) had.set(line, (had.get(line) ?? 0) + 1);
  return linesOf(after).filter((line) => {
    const left = had.get(line) ?? 0;
    had.set(line, left - 1);
    return left <= 0;
  });
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
