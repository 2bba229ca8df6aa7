/** The GitHub forge keeps the contract: a GitHub App for who implements and one for who reviews, so that reviews are GitHub's own. */

import { DEVIATIONS } from '../../../forges/github/deviations.ts';
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { world } from './world.ts';

forgeConformance('github (an App for each role)', () => world('apps'), DEVIATIONS);
