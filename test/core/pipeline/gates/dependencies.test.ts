import { describe, expect, test } from 'vitest';
import { findAddedDependencies, isManifest } from '../../../../src/core/pipeline/dependencies.ts';

describe('isManifest', () => {
  test.each([
    'package.json',
    'packages/web/package.json',
    'composer.json',
    'requirements.txt',
    'requirements-dev.txt',
    'requirements/base.txt',
    'constraints.txt',
    'pyproject.toml',
    'Pipfile',
    'setup.py',
    'setup.cfg',
    'environment.yml',
    'Cargo.toml',
    'go.mod',
    'Gemfile',
    'legion.gemspec',
    'pom.xml',
    'build.gradle',
    'app/build.gradle.kts',
    'gradle/libs.versions.toml',
    'build.sbt',
    'App.csproj',
    'App.fsproj',
    'Directory.Packages.props',
    'packages.config',
    'Package.swift',
    'Podfile',
    'mix.exs',
    'pubspec.yaml',
    'deno.json',
    'deno.jsonc',
    'pnpm-workspace.yaml',
  ])('accepts %s', (path) => {
    expect(isManifest(path)).toBe(true);
  });

  test.each([
    'src/package.ts',
    'package.json.md',
    'notpackage.json',
    'package-lock.json',
    'src/cargo.ts',
    'requirements.md',
    'docs/gemfile.md',
  ])('rejects %s', (path) => {
    expect(isManifest(path)).toBe(false);
  });
});

describe('the dependencies that a change adds to a manifest', () => {
  const before = json({ dependencies: { zod: '^4.0.0' }, devDependencies: { vitest: '^5.0.0' } });

  test.each<[string, string, readonly string[] | 'unknown']>([
    ['are empty without a change', before, []],
    [
      'do not include a newer version of a known dependency',
      json({ dependencies: { zod: '^4.1.0' }, devDependencies: { vitest: '^5.0.0' } }),
      [],
    ],
    ['ignore a removal', json({ dependencies: { zod: '^4.0.0' } }), []],
    ['ignore a script', json({ dependencies: { zod: '^4.0.0' }, scripts: { evil: 'x' } }), []],
    ['include a new dependency', json({ dependencies: { zod: '^4.0.0', hono: '1' } }), ['dependencies:hono']],
    [
      'include new dependencies from each block',
      json({ peerDependencies: { a: '1' }, optionalDependencies: { b: '1' }, devDependencies: { c: '1' } }),
      ['devDependencies:c', 'peerDependencies:a', 'optionalDependencies:b'],
    ],
    [
      'include a known dependency that becomes a runtime dependency',
      json({ dependencies: { vitest: '^5.0.0' } }),
      ['dependencies:vitest'],
    ],
    [
      'include a different package that uses a known name',
      json({ dependencies: { zod: 'npm:evil@1' } }),
      ['dependencies:zod@npm:evil@1'],
    ],
    [
      'include a repository that uses a known name',
      json({ dependencies: { zod: 'git+ssh://evil/x' } }),
      ['dependencies:zod@git+ssh://evil/x'],
    ],
    [
      'include a dependency named like an object property',
      '{"dependencies":{"__proto__":"1"}}',
      ['dependencies:__proto__'],
    ],
    [
      'include a list of bundled dependencies',
      json({ bundledDependencies: ['x'] }),
      ['bundledDependencies:x'],
    ],
    ['are unknown if the manifest cannot be parsed', '{"dependencies": {', 'unknown'],
    ['are unknown if the manifest is a list', '[]', 'unknown'],
    ['are unknown if the manifest is null', 'null', 'unknown'],
    ['are empty if the file is deleted', '', []],
  ])('%s', (_, after, added) => {
    expect(findAddedDependencies('package.json', before, after)).toEqual(added);
  });

  test('include all dependencies of a new manifest', () => {
    expect(findAddedDependencies('web/package.json', '', before)).toEqual([
      'dependencies:zod',
      'devDependencies:vitest',
    ]);
  });

  test('are unknown if the old manifest cannot be read', () => {
    expect(findAddedDependencies('package.json', 'oops', before)).toBe('unknown');
  });

  test('are read from `require` and `require-dev` in composer.json', () => {
    const after = json({ require: { 'acme/http': '^2' }, 'require-dev': { 'acme/test': '^1' } });
    expect(findAddedDependencies('composer.json', '{}', after)).toEqual([
      'require:acme/http',
      'require-dev:acme/test',
    ]);
  });
});

describe('the lines that a change adds to a line-based manifest', () => {
  test.each<[string, string, string, string, readonly string[]]>([
    ['requirements.txt', 'include a new line', 'flask==3\n', 'flask==3\nevil==1\n', ['evil==1']],
    [
      'requirements.txt',
      'do not include lines in which only the line end changed',
      'flask==3\r\nredis\r\n',
      'flask==3\nredis\n',
      [],
    ],
    ['requirements.txt', 'ignore another order', 'a\nb\n', 'b\n\n  a\n', []],
    ['requirements.txt', 'ignore a removal', 'a\nb\n', 'a\n', []],
    [
      'requirements.txt',
      'include a line after a form feed in a comment',
      'a\n',
      'a\n# note\fevil==1\n',
      ['# note\fevil==1'],
    ],
    [
      'Cargo.toml',
      'include a new line',
      '[dependencies]\n',
      '[dependencies]\nserde = "1"\n',
      ['serde = "1"'],
    ],
    ['go.mod', 'include a new line', 'module x\n', 'module x\nrequire evil v1\n', ['require evil v1']],
    [
      'build.gradle',
      'include a statement after a semicolon',
      'x\n',
      "x\n; implementation 'evil:evil:1'\n",
      ["; implementation 'evil:evil:1'"],
    ],
    [
      'pom.xml',
      'include an element after a comment',
      '<a/>',
      '<a/>\n<!-- --><dependency>evil</dependency>',
      ['<!-- --><dependency>evil</dependency>'],
    ],
    [
      'pom.xml',
      'include known lines in a new position',
      '<g>a</g>\n<n>x</n>',
      '<g>a</g>\n<n>x</n>\n<g>a</g>',
      ['<g>a</g>'],
    ],
    ['Gemfile', 'include all lines of a new file', '', "gem 'rails'\n", ["gem 'rails'"]],
  ])('%s: %s', (path, _, before, after, added) => {
    expect(findAddedDependencies(path, before, after)).toEqual(added);
  });
});

function json(manifest: object): string {
  return JSON.stringify(manifest);
}
