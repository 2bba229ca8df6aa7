/**
 * Runs the conformance suite with one account for everything, so that reviews are comments with
 * labels.
 */
import { forgeConformance } from '../../../ports/forge/conformance.ts';
import { DEVIATIONS } from './deviations.ts';
import { world } from './world.ts';

forgeConformance('github (one account)', () => world('one'), DEVIATIONS);
