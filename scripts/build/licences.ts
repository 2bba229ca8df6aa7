/** Collects the licences of all packages in the bundle into one text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;
/** If a package has a NOTICE file, Apache-2.0 requires passing it on. */
const NOTICE_FILE = /^notice(?:[.-].*)?$/i;
/** Licence texts for packages that name their licence but do not include its text. */
const SUPPLIED_TEXTS: Readonly<Record<string, string>> = { Unlicense: 'unlicense.txt' };
const RULE = '-'.repeat(100);

interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
  readonly notices: readonly string[];
}

/** `folders` are absolute paths of packages. A package that occurs twice is listed once. */
export function renderThirdPartyLicences(folders: readonly string[]): string {
  const found = folders.map(readPackage).sort((one, other) => (one.name < other.name ? -1 : 1));
  const entries = [...new Set(found.map(renderLicenceSection))];
  return [`Legion contains the following packages, or parts of them.\n`, ...entries].join(`\n${RULE}\n\n`);
}

/**
 * Returns the packages that contribute code to the bundle, without those that esbuild only
 * resolved.
 */
export function listBundledPackages({ outputs }: Metafile, root: string): readonly string[] {
  const files = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => findPackageFolder(file) ?? []);
  return [...new Set(files)].map((folder) => join(root, folder));
}

/** Returns the package directory of a file, or undefined for our own files. */
export function findPackageFolder(file: string): string | undefined {
  return PACKAGE_FOLDER.exec(file)?.[0];
}

function readPackage(folder: string): LicensedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).sort();
  const read = (pattern: RegExp) =>
    files
      .filter((file) => pattern.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      .filter((text) => text !== '');
  const shipped = read(LICENCE_FILE);
  const texts = shipped.length > 0 ? shipped : readSuppliedText(license);
  return { name, version, licence: license, texts, notices: read(NOTICE_FILE) };
}

function readSuppliedText(licence: string): readonly string[] {
  const file = SUPPLIED_TEXTS[licence];
  return file === undefined ? [] : [readFileSync(join(import.meta.dirname, file), 'utf8').trim()];
}

function renderLicenceSection({ name, version, licence, texts, notices }: LicensedPackage): string {
  if (texts.length === 0) {
    throw new Error(`${name} ${version} comes without a licence text, so it must not be bundled`);
  }
  return `${[`${name} ${version} (${licence})`, ...texts, ...notices].join('\n\n')}\n`;
}
