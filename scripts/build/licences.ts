/** The licence of every package of which something is in the bundle, as one text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const RULE = '-'.repeat(100);

/** Published without a text of their own; their authors publish the text of the same licence with the package named here. */
const TEXT_IS_WITH: Readonly<Record<string, string>> = {
  '@hono/zod-openapi': 'hono',
  '@hono/zod-validator': 'hono',
};

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

export function thirdPartyLicences(metafile: Metafile, root: string): string {
  const packages = foldersIn(metafile).map((folder) => readPackage(join(root, folder)));
  const entries = packages.map((entry) => section(entry, packages));
  return [`Legion contains the following packages, or parts of them.\n`, ...entries].join(`\n${RULE}\n\n`);
}

/** Of packages that left something in the bundle: what was only looked at is not passed on. */
function foldersIn({ outputs }: Metafile): readonly string[] {
  const files = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => PACKAGE_FOLDER.exec(file) ?? []);
  return [...new Set(files)].sort();
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, licence: license, texts };
}

function section({ name, version, licence, texts }: Package, all: readonly Package[]): string {
  const title = `${name} ${version} (${licence})\n`;
  if (texts.length > 0) return `${title}\n${texts.join('\n\n')}\n`;
  const other = all.find((entry) => entry.name === TEXT_IS_WITH[name]);
  if (other === undefined || other.licence !== licence || other.texts.length === 0) {
    throw new Error(
      `${name} ${version} comes without a licence text, so it may not be passed on in the bundle`,
    );
  }
  return `${title}It comes without a text of its own; this is the one its authors publish with ${other.name}.\n\n${other.texts.join('\n\n')}\n`;
}
