/** Builds what is published: an empty `dist/`, then the bundle and the licences of everything in it. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from './build/bundle.ts';
import { thirdPartyLicences } from './build/licences.ts';

const ROOT = dirname(import.meta.dirname);
const DIST = join(ROOT, 'dist');

// A file whose source is gone must not live on in what is published.
rmSync(DIST, { recursive: true, force: true });

const metafile = await bundle(ROOT, DIST);
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(metafile, ROOT));
