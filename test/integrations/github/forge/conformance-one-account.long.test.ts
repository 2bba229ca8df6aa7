/** The GitHub forge keeps the contract: one account for everything, so that reviews are comments with labels. */

import { DEVIATIONS } from '../../../forges/github/deviations.ts';
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('github (one account)', () => world('one'), DEVIATIONS);
