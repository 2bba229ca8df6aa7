/** The licence of every package of which something is in the bundle, as one text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;
/** What Apache-2.0 asks to be passed on beside the licence, where there is one. */
const NOTICE_FILE = /^notice(?:[.-].*)?$/i;
/** The licence texts of packages that name their licence but ship without its text. */
const SUPPLIED_TEXTS: Readonly<Record<string, string>> = { Unlicense: 'unlicense.txt' };
const RULE = '-'.repeat(100);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
  readonly notices: readonly string[];
}

/** `folders` as absolute paths; the same package of two of them is named once. */
export function thirdPartyLicences(folders: readonly string[]): string {
  const found = folders.map(readPackage).sort((one, other) => (one.name < other.name ? -1 : 1));
  const entries = [...new Set(found.map(section))];
  return [`Legion contains the following packages, or parts of them.\n`, ...entries].join(`\n${RULE}\n\n`);
}

/** Of packages that left something in the bundle: what was only looked at is not passed on. */
export function packagesIn({ outputs }: Metafile, root: string): readonly string[] {
  const files = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => packageFolder(file) ?? []);
  return [...new Set(files)].map((folder) => join(root, folder));
}

/** The folder of the package that a file is of; undefined for one of our own. */
export function packageFolder(file: string): string | undefined {
  return PACKAGE_FOLDER.exec(file)?.[0];
}

function readPackage(folder: string): Package {
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

function section({ name, version, licence, texts, notices }: Package): string {
  if (texts.length === 0) {
    throw new Error(
      `${name} ${version} comes without a licence text, so it may not be passed on in the bundle`,
    );
  }
  return `${[`${name} ${version} (${licence})`, ...texts, ...notices].join('\n\n')}\n`;
}
