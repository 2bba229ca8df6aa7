/** Runs the conformance suite on the local board. */
import { trackerConformance } from '../../../ports/tracker/conformance.ts';
import { localHarness } from './tracker-setup.ts';

trackerConformance('local', localHarness, {
  freshWithout: 'a local board has a column for every status',
  breakNextList: 'a local list is one statement; damaged.test.ts damages the file underneath it',
  outsiderComments: 'everyone who can write to a local board may write to the repository',
});
