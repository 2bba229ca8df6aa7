/** The variable that marks every process of an attempt, whatever becomes of its parents: hosts set it and look for it. */
export const MARKER_VARIABLE = 'LEGION_MARKER';
