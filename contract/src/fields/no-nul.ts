// NUL ends an argument or a variable of a program: the node would refuse the container long after the API server took the spec.
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';

/** A constant of CEL, which reads the escape. */
export const noNul = cel(["!self.contains('\\u0000')", RULE_WORDS.noNul]);
