import { describe, expect, test } from 'vitest';
import { addedDependencies, isManifest } from '../../../../src/core/pipeline/dependencies.ts';

describe('a manifest', () => {
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
  ])('is %s', (path) => {
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
  ])('is not %s', (path) => {
    expect(isManifest(path)).toBe(false);
  });
});

describe('what a change adds to package.json', () => {
  const before = json({ dependencies: { zod: '^4.0.0' }, devDependencies: { vitest: '^5.0.0' } });

  test.each<[string, string, readonly string[] | 'unknown']>([
    ['nothing', before, []],
    [
      'a newer version is nothing new',
      json({ dependencies: { zod: '^4.1.0' }, devDependencies: { vitest: '^5.0.0' } }),
      [],
    ],
    ['a removal is nothing new', json({ dependencies: { zod: '^4.0.0' } }), []],
    ['a script is nothing new', json({ dependencies: { zod: '^4.0.0' }, scripts: { evil: 'x' } }), []],
    ['a dependency', json({ dependencies: { zod: '^4.0.0', hono: '1' } }), ['dependencies:hono']],
    [
      'in each block',
      json({ peerDependencies: { a: '1' }, optionalDependencies: { b: '1' }, devDependencies: { c: '1' } }),
      ['devDependencies:c', 'peerDependencies:a', 'optionalDependencies:b'],
    ],
    [
      'one that becomes a runtime dependency',
      json({ dependencies: { vitest: '^5.0.0' } }),
      ['dependencies:vitest'],
    ],
    [
      'another package under a known name',
      json({ dependencies: { zod: 'npm:evil@1' } }),
      ['dependencies:zod@npm:evil@1'],
    ],
    [
      'a repository under a known name',
      json({ dependencies: { zod: 'git+ssh://evil/x' } }),
      ['dependencies:zod@git+ssh://evil/x'],
    ],
    [
      'one with a name like part of an object',
      '{"dependencies":{"__proto__":"1"}}',
      ['dependencies:__proto__'],
    ],
    ['a list of bundled ones', json({ bundledDependencies: ['x'] }), ['bundledDependencies:x']],
    ['what cannot be parsed', '{"dependencies": {', 'unknown'],
    ['what is no manifest', '[]', 'unknown'],
    ['what is no manifest at all', 'null', 'unknown'],
    ['the file is deleted', '', []],
  ])('%s', (_, after, added) => {
    expect(addedDependencies('package.json', before, after)).toEqual(added);
  });

  test('a new manifest adds all it has', () => {
    expect(addedDependencies('web/package.json', '', before)).toEqual([
      'dependencies:zod',
      'devDependencies:vitest',
    ]);
  });

  test('an old manifest that cannot be read leaves it unknown', () => {
    expect(addedDependencies('package.json', 'oops', before)).toBe('unknown');
  });

  test('composer.json is read by its own blocks', () => {
    const after = json({ require: { 'acme/http': '^2' }, 'require-dev': { 'acme/test': '^1' } });
    expect(addedDependencies('composer.json', '{}', after)).toEqual([
      'require:acme/http',
      'require-dev:acme/test',
    ]);
  });
});

describe('what a change adds to a manifest of lines', () => {
  test.each<[string, string, string, string, readonly string[]]>([
    ['requirements.txt', 'a line', 'flask==3\n', 'flask==3\nevil==1\n', ['evil==1']],
    ['requirements.txt', 'nothing, with other line ends', 'flask==3\r\nredis\r\n', 'flask==3\nredis\n', []],
    ['requirements.txt', 'nothing, in another order', 'a\nb\n', 'b\n\n  a\n', []],
    ['requirements.txt', 'a removal is nothing', 'a\nb\n', 'a\n', []],
    [
      'requirements.txt',
      'a line behind a comment’s form feed',
      'a\n',
      'a\n# note\fevil==1\n',
      ['# note\fevil==1'],
    ],
    ['Cargo.toml', 'a line', '[dependencies]\n', '[dependencies]\nserde = "1"\n', ['serde = "1"']],
    ['go.mod', 'a line', 'module x\n', 'module x\nrequire evil v1\n', ['require evil v1']],
    [
      'build.gradle',
      'a statement behind a semicolon',
      'x\n',
      "x\n; implementation 'evil:evil:1'\n",
      ["; implementation 'evil:evil:1'"],
    ],
    [
      'pom.xml',
      'an element behind a comment',
      '<a/>',
      '<a/>\n<!-- --><dependency>evil</dependency>',
      ['<!-- --><dependency>evil</dependency>'],
    ],
    [
      'pom.xml',
      'known lines in a new place',
      '<g>a</g>\n<n>x</n>',
      '<g>a</g>\n<n>x</n>\n<g>a</g>',
      ['<g>a</g>'],
    ],
    ['Gemfile', 'a new file adds all it has', '', "gem 'rails'\n", ["gem 'rails'"]],
  ])('%s: %s', (path, _, before, after, added) => {
    expect(addedDependencies(path, before, after)).toEqual(added);
  });
});

function json(manifest: object): string {
  return JSON.stringify(manifest);
}
