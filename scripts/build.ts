/** Builds what is published: an empty `dist/`, then the bundle, the dashboard and the licences of everything in them. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from './build/bundle.ts';
import { packagesIn, thirdPartyLicences } from './build/licences.ts';
import { buildWeb } from './build/web.ts';

const ROOT = dirname(import.meta.dirname);
const DIST = join(ROOT, 'dist');

// A file whose source is gone must not live on in what is published.
rmSync(DIST, { recursive: true, force: true });

const bundled = packagesIn(await bundle(ROOT, DIST), ROOT);
const shown = await buildWeb(ROOT, join(DIST, 'web'));
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences([...bundled, ...shown]));
