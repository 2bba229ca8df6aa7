/** The local forge keeps the contract: bare repository, clones. */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('local (bare repository, clones)', () => world('cloned'));
