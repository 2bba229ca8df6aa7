/**
 * Builds the published package: an empty `dist/`, then the bundle, the dashboard and the licences
 * of everything in them.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildBundle } from './build/bundle.ts';
import { listBundledPackages, renderThirdPartyLicences } from './build/licences.ts';
import { buildWeb } from './build/web.ts';

const ROOT = dirname(import.meta.dirname);
const DIST = join(ROOT, 'dist');

// A file whose source was deleted must not stay in the package.
rmSync(DIST, { recursive: true, force: true });

const bundled = listBundledPackages(await buildBundle(ROOT, DIST), ROOT);
const shown = await buildWeb(ROOT, join(DIST, 'web'));
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), renderThirdPartyLicences([...bundled, ...shown]));
