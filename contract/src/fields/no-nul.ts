// NUL ends an argument and a variable of a program: the node would refuse the container, long after the wish was taken.
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';

/** A constant of CEL, which reads the escape. */
export const noNul = cel(["!self.contains('\\u0000')", RULE_WORDS.noNul]);
