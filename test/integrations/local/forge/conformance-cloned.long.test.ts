/** Runs the conformance suite on a bare repository with clones. */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('local (bare repository, clones)', () => world('cloned'));
