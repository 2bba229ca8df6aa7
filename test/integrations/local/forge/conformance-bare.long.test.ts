/** Runs the conformance suite on a bare repository with work trees. */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('local (bare repository, work trees)', () => world('bare'));
