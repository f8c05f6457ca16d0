import { limits } from '../limits.ts'
import { installGuest } from './guest.ts'
import { touchBuiltins } from './guest-builtins.ts'
import { makeHelpers } from './guest-helpers.ts'

export const guestLimits = { outputChars: limits.outputBytes, logChars: limits.logChars, logEntries: limits.logEntries }

/** The source text of our own code inside QuickJS. It evaluates to a function that takes the hash and returns what guest.ts returns. */
export const guestCode = `'use strict';
(${touchBuiltins})();
(hash) => (${installGuest})(${JSON.stringify(guestLimits)}, (${makeHelpers})(), hash)`
