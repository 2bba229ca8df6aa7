/** Runs the conformance suite on an ordinary repository with work trees. */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('local (ordinary repository, work trees)', () => world('ordinary'));
