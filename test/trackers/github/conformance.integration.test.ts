/** The GitHub tracker keeps the contract of the tracker. */

import { githubHarness } from '../../integrations/github/tracker/tracker-setup.ts';
import { trackerConformance } from '../../ports/tracker/conformance.ts';

trackerConformance('github', githubHarness);
