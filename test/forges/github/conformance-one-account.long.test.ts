/** The GitHub forge keeps the contract: one account for everything, so that reviews are comments with labels. */
import { forgeConformance } from '../conformance.ts';
import { DEVIATIONS } from './deviations.ts';
import { world } from './world.ts';

forgeConformance('github (one account)', () => world('one'), DEVIATIONS);
