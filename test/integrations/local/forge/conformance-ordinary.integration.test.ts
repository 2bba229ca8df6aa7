/** The local forge keeps the contract: ordinary repository, work trees. */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('local (ordinary repository, work trees)', () => world('ordinary'));
