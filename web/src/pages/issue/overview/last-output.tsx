/** The last words of the worker whose failure stopped the issue. */

import { Link } from 'wouter';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';

interface LastOutputProps {
  readonly issue: string;
  readonly of: NonNullable<Explanation['lastOutput']>;
}

export function LastOutput({ issue, of: { mode, attempt, text } }: LastOutputProps) {
  return (
    <section className="panel" aria-label="Last output">
      <h2 className="panel-head">
        Last output of the {mode} worker <span className="faint">#{attempt}</span>
        <Link className="panel-link" to={transcriptPath(issue, mode, attempt)}>
          Transcript
        </Link>
      </h2>
      <pre className="last-output">{plain(text)}</pre>
    </section>
  );
}
