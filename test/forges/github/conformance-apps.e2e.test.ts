/** The GitHub forge keeps the contract: a GitHub App for who implements and one for who reviews, so that reviews are GitHub's own. */
import { forgeConformance } from '../conformance.ts';
import { DEVIATIONS } from './deviations.ts';
import { world } from './world.ts';

forgeConformance('github (an App for each role)', () => world('apps'), DEVIATIONS);
