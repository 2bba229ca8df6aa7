/** Something that does not come to an end by itself and that no answer settles: the facts, and the way to them. */
import { Link } from 'wouter';
import { issuePath } from '../../board/issue-path.ts';

export function StuckPart({ issue }: { readonly issue: string }) {
  return (
    <div className="inbox-actions">
      <Link className="button button-main" to={issuePath(issue)}>
        Look why
      </Link>
    </div>
  );
}
