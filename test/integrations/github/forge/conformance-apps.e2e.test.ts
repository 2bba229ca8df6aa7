/**
 * Runs the conformance suite with separate GitHub Apps for implementing and reviewing, so that
 * reviews are real GitHub reviews.
 */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { DEVIATIONS } from './deviations.ts';
import { world } from './world.ts';

forgeConformance('github (an App for each role)', () => world('apps'), DEVIATIONS);
